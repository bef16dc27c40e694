// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"errors"
	"fmt"

	"github.com/uproar-db/uproar"
)

// Change is one change of the graph.
type Change struct {
	Op       Op
	Relation Relation // Set, Clear and Replace
	Account  string
	Target   string // Set, and Clear without Key

	// Key is that of a record of the network, such as the TID of a follow, of 1 to MaxKey bytes. In
	// a keyed relation it names a record of the account: Set gives that to the edge, and takes it
	// from the edge that had it; Clear takes it away, and with the last record its edge. Empty: the
	// edge itself, with all its records.
	Key string

	// Edges are all that the account has in the relation after Replace. Only what differs is
	// written.
	Edges []Edge
}

// Edge is a target, and the key of its record; "" for an edge without a record.
type Edge struct{ Target, Key string }

// Op says what a Change does.
type Op string

// The operations.
const (
	Set    Op = "set"    // Account has Target in Relation; both exist from then on
	Clear  Op = "clear"  // it has not; what is not there is nothing to clear, and nobody is made to exist
	Delete Op = "delete" // Account exists no more, and leaves every answer at once; its key is free

	// Of graphs with keyed relations. Replace is for those relations.
	Replace Op = "replace" // Account has exactly Edges in Relation
	Hide    Op = "hide"    // Account is left out of Accounts.Shown, and stays what it is
	Show    Op = "show"    // it is in there again
)

// Changes are written as one, all or none.
type Changes struct {
	List []Change

	// Position says how far the stream of events has come. It becomes durable with the events, and
	// [Graph.Position] returns it: who goes on from there after a restart misses none and repeats
	// none. Stream names the stream; empty: there is none. The name is kept as a record of the
	// index beside the accounts.
	Stream   string
	Position int64
}

// Write commits changes in one atomic and durable batch, and returns its sequence number. They
// apply in their order.
//
// The error is a *ChangeError, an *InvalidAccountError of the stream's name, ErrInvalidChange,
// ctx's, or the database's; after the first three nothing was written.
func (g *Graph) Write(ctx context.Context, c Changes) (sequence uint64, err error) {
	if g.needsKeys(c.List) {
		return g.writeKeyed(ctx, c, nil)
	}
	var b uproar.Batch
	for i, change := range c.List {
		if err := change.add(&b); err != nil {
			return 0, &ChangeError{i, err}
		}
	}
	if c.Stream != "" {
		if err := CheckAccount(c.Stream); err != nil {
			return 0, err
		}
		b.SetInt(PositionField, c.Stream, c.Position)
	}
	if b.Len() == 0 {
		return g.sequence(), nil
	}
	return g.index.Write(ctx, &b)
}

// add checks a change and adds it to a batch.
func (c Change) add(b *uproar.Batch) error {
	if err := CheckAccount(c.Account); err != nil {
		return err
	}
	if c.Key != "" || len(c.Edges) > 0 {
		return fmt.Errorf("%w: operation %s with a key or edges, want neither", ErrInvalidChange, shown(string(c.Op)))
	}
	if c.Op == Delete {
		if c.Relation != "" || c.Target != "" {
			return fmt.Errorf("%w: a deletion with relation %s and target %s, want neither", ErrInvalidChange,
				shown(string(c.Relation)), shown(c.Target))
		}
		b.DeleteRecord(c.Account)
		return nil
	}
	if c.Op != Set && c.Op != Clear {
		return fmt.Errorf("%w: operation %s, want %q, %q, %q, or with keyed relations %q, %q or %q", ErrInvalidChange,
			shown(string(c.Op)), Set, Clear, Delete, Replace, Hide, Show)
	}
	if inverses[c.Relation] == "" {
		return &RelationError{c.Relation}
	}
	if err := CheckAccount(c.Target); err != nil {
		return err
	}
	if c.Op == Set {
		b.Set(string(c.Relation), c.Account, c.Target)
	} else {
		b.Clear(string(c.Relation), c.Account, c.Target)
	}
	return nil
}

// Position returns how far a stream has come. It is what the last Changes written with its name
// said; ok is false if none were.
func (g *Graph) Position(stream string) (position int64, ok bool, err error) {
	if err := CheckAccount(stream); err != nil {
		return 0, false, err
	}
	s := g.index.Snapshot()
	defer s.Close()
	position, ok, err = s.Int(PositionField, stream)
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return 0, false, nil
	}
	return position, ok, err
}

// Lookup returns the record IDs of accounts, in their order, of one state. found is false for an
// account that does not exist, or that is no valid one.
func (g *Graph) Lookup(ctx context.Context, accounts ...string) (ids []uint64, found []bool, err error) {
	s := g.index.Snapshot().Under(ctx)
	defer s.Close()
	ids, found = make([]uint64, len(accounts)), make([]bool, len(accounts))
	for i, account := range accounts {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if CheckAccount(account) != nil {
			continue
		}
		ids[i], err = s.ID(account)
		switch {
		case err == nil:
			found[i] = true
		case !errors.Is(err, uproar.ErrUnknownRecord):
			return nil, nil, err
		}
	}
	return ids, found, nil
}

// LookupIDs returns the keys of accounts, in the order of ids. A key is empty if there is no such
// account.
func (g *Graph) LookupIDs(ctx context.Context, ids ...uint64) (accounts []string, err error) {
	s := g.index.Snapshot().Under(ctx)
	defer s.Close()
	accounts = make([]string, len(ids))
	for i, id := range ids {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		accounts[i], err = s.Key(id)
		if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
			return nil, err
		}
	}
	return accounts, nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
)

// Options say what a graph keeps beside who is related to whom.
type Options struct {
	// Keyed are the relations whose edges have records with keys, as a network has them: see
	// Change. An account can be hidden in a graph with such a relation. A relation gets keys when
	// it is made: those that an index has stay as they are.
	Keyed []Relation
}

// Records are the options of a graph that keeps keys in all relations that are records of their
// accounts in a network.
var Records = Options{Keyed: []Relation{Follows, Blocks, Members}}

// HiddenField has the accounts that are hidden, in its row [HiddenRow]. Graphs with a keyed
// relation have it.
const (
	HiddenField = "hidden"
	HiddenRow   = "hidden"
)

// RepeatedField is a relation from an account to targets of which it may have several records in a
// keyed relation: who is not in it has one. Graphs with a keyed relation have it.
const (
	RepeatedField   = "repeated"
	RepeatedByField = "repeated_by" // its inverse
)

// UnkeyedError says that a relation has no keys, and was made without.
type UnkeyedError struct{ Relation Relation }

// Error names the relation and what can be done.
func (e *UnkeyedError) Error() string {
	return fmt.Sprintf("graph: relation %q keeps no keys of records, want one that does, in a new graph that is made "+
		"with keys", e.Relation)
}

// Is reports whether target is ErrInvalidChange.
func (e *UnkeyedError) Is(target error) bool { return target == ErrInvalidChange }

// OpenWith is Open for a graph with options. Errors: as of Open, *RelationError, and *UnkeyedError
// for a relation that the graph has without keys.
func OpenWith(ctx context.Context, db *uproar.DB, opts Options) (*Graph, error) {
	for _, r := range opts.Keyed {
		if inverses[r] == "" {
			return nil, &RelationError{r}
		}
	}
	g, err := open(ctx, db, opts.Keyed)
	if err != nil {
		return nil, err
	}
	for _, r := range opts.Keyed {
		if !g.Keyed(r) {
			return nil, &UnkeyedError{r}
		}
	}
	return g, nil
}

// Keyed reports whether the edges of a relation have records with keys.
func (g *Graph) Keyed(r Relation) bool { return slices.Contains(g.keyed, r) }

// keyedOf returns the relations of accounts that have keys in an index. Others may be there beside
// them, such as those of likes.
func keyedOf(index *uproar.Index) (keyed []Relation) {
	for _, f := range index.Fields() {
		if r := Relation(f.Name); f.Column == uproar.KeyColumn && inverses[r] != "" {
			keyed = append(keyed, r)
		}
	}
	return keyed
}

// notesRepeated fails for an index with a keyed relation whose edges with several records are not
// noted, as it was for a while before the first release.
func notesRepeated(index *uproar.Index) error {
	notes := slices.ContainsFunc(index.Fields(), func(f uproar.Field) bool { return f.Name == RepeatedField })
	if !notes && len(keyedOf(index)) > 0 {
		return fmt.Errorf("%w: index %q has a relation with keys and no field %q, want both: make the graph anew",
			uproar.ErrInvalid, index.Name(), RepeatedField)
	}
	return nil
}

// fieldsFor returns the fields that a graph needs: with keys in the relations that are named, and
// in those where an index has them.
func fieldsFor(index *uproar.Index, keyed []Relation) []uproar.Field {
	wanted := slices.Clone(fields)
	hides := len(keyed) > 0
	for i := range wanted {
		f := &wanted[i]
		has := slices.Contains(keyed, Relation(f.Name))
		if index != nil {
			if at := slices.IndexFunc(index.Fields(), func(g uproar.Field) bool { return g.Name == f.Name }); at >= 0 {
				has = index.Fields()[at].Column == uproar.KeyColumn
			}
		}
		if has {
			f.Column, hides = uproar.KeyColumn, true
		}
	}
	if hides {
		wanted = append(wanted, uproar.Field{Name: HiddenField, Type: uproar.Set},
			uproar.Field{Name: RepeatedField, Type: uproar.Relation, Inverse: RepeatedByField})
	}
	return wanted
}

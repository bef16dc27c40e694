// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar"
)

// Follow is one follow: Account follows Target.
type Follow struct {
	Account, Target string
}

// check returns the *InvalidAccountError of a follow, if any, and which of the
// two it is about.
func (f Follow) check() (role string, err error) {
	if err := CheckAccount(f.Account); err != nil {
		return "account", err
	}
	return "target", CheckAccount(f.Target)
}

// InBatchError says which follow of a batch an error is about.
type InBatchError struct {
	Position int    // of the follow in the batch, from 0
	Role     string // "account" or "target"
	Err      error  // *InvalidAccountError or *UnknownAccountError
}

// Error returns the position, the role and the error.
func (e *InBatchError) Error() string {
	return fmt.Sprintf("%v (%s of follow %d, counted from 0)", e.Err, e.Role, e.Position)
}

// Unwrap returns the error that is about the account.
func (e *InBatchError) Unwrap() error { return e.Err }

// Follow makes accounts follow their targets, all in one atomic and durable batch. It returns the
// batch's sequence number. Nobody sees a part of it, and whoever asks after Follow has returned
// sees all of it. Follow creates accounts as needed. A follow that exists already stays one follow.
// Without follows it writes nothing, and returns the present sequence number.
//
// The error is an *InBatchError, ctx's, or the database's; after the first
// nothing was written.
func (g *Graph) Follow(ctx context.Context, follows ...Follow) (sequence uint64, err error) {
	if len(follows) == 0 {
		return g.sequence(), nil
	}
	var b uproar.Batch
	for i, f := range follows {
		if role, err := f.check(); err != nil {
			return 0, &InBatchError{i, role, err}
		}
		b.Set(FollowsField, f.Account, f.Target)
	}
	return g.index.Write(ctx, &b)
}

// Unfollow undoes follows, like Follow in one atomic and durable batch. A follow
// that does not exist is nothing to undo; an account that does not exist is an
// error, and is not created.
//
// The error is an *InBatchError, ctx's, or the database's; after the first
// nothing was written.
func (g *Graph) Unfollow(ctx context.Context, follows ...Follow) (sequence uint64, err error) {
	if len(follows) == 0 {
		return g.sequence(), nil
	}
	// An account that is deleted after this snapshot has nothing left to undo.
	s := g.index.Snapshot()
	defer s.Close()
	for i, f := range follows {
		if role, err := f.check(); err != nil {
			return 0, &InBatchError{i, role, err}
		}
		if _, err := s.ID(f.Account); err != nil {
			return 0, inBatch(i, "account", err)
		}
		if _, err := s.ID(f.Target); err != nil {
			return 0, inBatch(i, "target", err)
		}
	}
	return g.clearFollows(ctx, follows)
}

// UnfollowKnown is Unfollow for which an account that does not exist is nothing to undo either.
func (g *Graph) UnfollowKnown(ctx context.Context, follows ...Follow) (sequence uint64, err error) {
	for i, f := range follows {
		if role, err := f.check(); err != nil {
			return 0, &InBatchError{i, role, err}
		}
	}
	return g.clearFollows(ctx, follows)
}

// clearFollows undoes follows, with all their records.
func (g *Graph) clearFollows(ctx context.Context, follows []Follow) (sequence uint64, err error) {
	if g.Keyed(Follows) {
		var c Changes
		for _, f := range follows {
			c.List = append(c.List, Change{Op: Clear, Relation: Follows, Account: f.Account, Target: f.Target})
		}
		return g.Write(ctx, c)
	}
	var b uproar.Batch
	for _, f := range follows {
		b.Clear(FollowsField, f.Account, f.Target)
	}
	return g.index.Write(ctx, &b)
}

// inBatch places an unknown account; other errors are not about one follow.
func inBatch(position int, role string, err error) error {
	err = unknown(err)
	if _, ok := err.(*UnknownAccountError); ok {
		return &InBatchError{position, role, err}
	}
	return err
}

func (g *Graph) sequence() uint64 {
	s := g.index.Snapshot()
	defer s.Close()
	return s.Sequence()
}

// Follows reports whether an account follows target: one probe, nothing is
// listed. The errors are *InvalidAccountError, *UnknownAccountError, and the
// database's.
func (g *Graph) Follows(ctx context.Context, account, target string) (bool, error) {
	s, err := g.pair(ctx, account, target)
	if err != nil {
		return false, err
	}
	defer s.Close()
	follows, err := s.Has(FollowsField, account, target)
	return follows, unknown(err)
}

// AreMutuals reports whether two accounts follow each other: two probes of one state. Errors as of
// Follows.
func (g *Graph) AreMutuals(ctx context.Context, account, target string) (bool, error) {
	s, err := g.pair(ctx, account, target)
	if err != nil {
		return false, err
	}
	defer s.Close()
	follows, err := s.Has(FollowsField, account, target)
	if err == nil && follows {
		follows, err = s.Has(FollowsField, target, account)
	}
	return follows, unknown(err)
}

// pair checks two accounts and the context, and returns a state to ask about them, which the caller
// closes.
func (g *Graph) pair(ctx context.Context, account, target string) (uproar.Snapshot, error) {
	for _, key := range [...]string{account, target} {
		if err := CheckAccount(key); err != nil {
			return uproar.Snapshot{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return uproar.Snapshot{}, err
	}
	return g.index.Snapshot().Under(ctx), nil
}

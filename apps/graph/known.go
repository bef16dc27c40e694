// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// KnownFollowers asks one state about one viewer and any number of targets. The known followers of
// a target are those whom the viewer follows and who follow it. Who does not exist, or cannot, has
// none and is one of nobody's. Close lets go of the state. Safe for concurrent use.
type KnownFollowers struct {
	state  uproar.Snapshot
	viewer string
	order  *followOrder // of a keyed relation
}

// KnownFollowers returns the present state to ask for a viewer. ctx ends its questions.
func (g *Graph) KnownFollowers(ctx context.Context, viewer string) KnownFollowers {
	k := KnownFollowers{state: g.index.Snapshot().Under(ctx), viewer: viewer}
	if g.Keyed(Follows) {
		k.order = &followOrder{graph: g}
	}
	return k
}

// Close lets go of the state, once.
func (k KnownFollowers) Close() { k.state.Close() }

// Append appends the known followers of a target to dst in some form: at most limit of them, 0:
// all. Their order is that of first appearance in the graph; where follows have keys, that of the
// viewer's follows, the oldest first. Errors: ctx's, or the database's.
func (k KnownFollowers) Append(ctx context.Context, dst []byte, target string, limit int, form uproar.KeyForm) ([]byte,
	error) {
	of, ok := k.lists(target)
	if !ok {
		return dst, nil
	}
	if k.order != nil {
		ids, err := k.order.sorted(ctx, k.state, k.viewer, of)
		if err != nil {
			return dst, knownOnly(err)
		}
		if limit > 0 && len(ids) > limit {
			ids = ids[:limit]
		}
		return k.state.AppendKeysOf(ctx, dst, ids, form)
	}
	dst, _, _, err := k.state.AppendKeysAnd(ctx, dst, limit, form, of[:]...)
	return dst, knownOnly(err)
}

// Count returns how many known followers a target has. None is listed. Errors as of Append.
func (k KnownFollowers) Count(ctx context.Context, target string) (uint64, error) {
	of, ok := k.lists(target)
	if !ok {
		return 0, nil
	}
	n, err := k.state.CountAnd(ctx, of[:]...)
	return n, knownOnly(err)
}

// Follows reports whether the viewer follows a target. Errors: the database's.
func (k KnownFollowers) Follows(target string) (bool, error) {
	if _, ok := k.lists(target); !ok {
		return false, nil
	}
	follows, err := k.state.Has(FollowsField, k.viewer, target)
	return follows, knownOnly(err)
}

// lists returns the lists whose records in common are the known followers of a target. ok is false
// if viewer or target can be no account.
func (k KnownFollowers) lists(target string) (of [2]query.Related, ok bool) {
	if CheckAccount(k.viewer) != nil || CheckAccount(target) != nil {
		return of, false
	}
	return [2]query.Related{related(FollowsField, k.viewer), related(FollowersField, target)}, true
}

// Followed reports whether anybody follows anybody. It reads pages past the cache, up to the first
// follow. Errors: ctx's, or the database's.
func (g *Graph) Followed(ctx context.Context) (bool, error) {
	s := g.index.Snapshot()
	defer s.Close()
	for _, err := range s.Rows(ctx, FollowsField) {
		return err == nil, err
	}
	return false, nil
}

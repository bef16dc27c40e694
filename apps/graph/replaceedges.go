// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"maps"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// replace makes edges all that there are.
func (e *sourceEdges) replace(ctx context.Context, edges []Edge) error {
	wanted, plain := make(map[string]string, len(edges)), make(map[string]bool)
	for _, edge := range edges {
		if edge.Key == "" {
			plain[edge.Target] = true
		} else {
			wanted[edge.Key] = edge.Target
		}
	}
	if err := e.readAll(); err != nil {
		return err
	}
	for _, k := range e.stored {
		if _, removed := e.removed[k.Key]; removed {
			continue
		}
		text, err := e.keys.AppendText(nil, k.Key)
		if err != nil {
			return err
		}
		target, err := e.writer.name(k.Target)
		if err != nil {
			return err
		}
		if wanted[string(text)] != target {
			e.remove(k.Key, k.Target)
			e.touched[target] = true
		}
	}
	for key, target := range e.added {
		if wanted[key] != target {
			delete(e.added, key)
			e.touched[target] = true
		}
	}
	for _, targets := range []map[string]bool{e.plain, plain} {
		for target := range targets {
			e.touched[target] = true
		}
	}
	e.plain = plain
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		if err := e.set(key, wanted[key]); err != nil {
			return err
		}
	}
	return e.touchUnkeyed(ctx)
}

// touchUnkeyed has edges looked at that have no record: what is left of them goes.
func (e *sourceEdges) touchUnkeyed(ctx context.Context) error {
	if !e.known {
		return nil
	}
	of := query.Related{Field: e.relation, Key: e.account}
	targets, err := e.writer.snapshot.IDs(ctx, of, uproar.Page{})
	if err != nil {
		return err
	}
	keyed := make(map[uint64]bool, len(e.stored))
	for _, k := range e.stored {
		keyed[k.Target] = true
	}
	for _, id := range targets.IDs {
		if keyed[id] || e.writer.isDead(id) {
			continue
		}
		target, err := e.writer.snapshot.Key(id)
		if err != nil {
			return err
		}
		e.touched[target] = true
	}
	return nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package follow

import (
	"context"
	"errors"
	"net/http"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/client"
)

// Bounds of a write in one request. Servers take 4 MiB if nothing else is said, and may take less.
const (
	mostBytes  = 3 << 20
	leastBytes = 8 << 10 // a record may need more
)

// isTooLarge reports whether a server refused a request because of its size.
func isTooLarge(err error) bool {
	refused, ok := errors.AsType[*client.Error](err)
	return ok && refused.Status == http.StatusRequestEntityTooLarge
}

// writeParts writes changes in as many requests as their size wants, mostly one. The position goes
// with the last: who is interrupted before makes all of them once more.
func (r *remote) writeParts(ctx context.Context, c graph.Changes) (sequence uint64, err error) {
	p := &parts{remote: r}
	for _, change := range c.List {
		if change.Op == graph.Replace && sizeOf(change) > r.most {
			err = p.replace(ctx, change)
		} else {
			err = p.add(ctx, change)
		}
		if err != nil {
			return 0, err
		}
	}
	c.List = p.list
	return r.write(ctx, c)
}

// parts gathers changes until they fill a request.
type parts struct {
	remote *remote
	list   []graph.Change
	bytes  int
}

// add adds changes that are to be made at once.
func (p *parts) add(ctx context.Context, changes ...graph.Change) error {
	bytes := 0
	for _, c := range changes {
		bytes += sizeOf(c)
	}
	if p.bytes+bytes > p.remote.most {
		if err := p.end(ctx); err != nil {
			return err
		}
	}
	p.list, p.bytes = append(p.list, changes...), p.bytes+bytes
	return nil
}

// end writes what was gathered.
func (p *parts) end(ctx context.Context) error {
	if len(p.list) == 0 {
		return nil
	}
	_, err := p.remote.write(ctx, graph.Changes{List: p.list})
	p.list, p.bytes = nil, 0
	return err
}

// replace makes what an account has in a relation what a change says, target by target. A target's
// former records go with the first new one: an edge with a record that stays is never missing.
func (p *parts) replace(ctx context.Context, c graph.Change) error {
	if err := p.end(ctx); err != nil { // the server is asked for what it has
		return err
	}
	had, err := p.remote.Targets(ctx, c.Relation, c.Account, 0)
	if err != nil {
		return err
	}
	old := make(map[string]bool, len(had))
	for _, target := range had {
		old[target] = true
	}
	keys := make(map[string][]string, len(c.Edges))
	for _, e := range c.Edges {
		keys[e.Target] = append(keys[e.Target], e.Key)
	}
	change := func(op graph.Op, target, key string) graph.Change {
		return graph.Change{Op: op, Relation: c.Relation, Account: c.Account, Target: target, Key: key}
	}
	for _, e := range c.Edges {
		of := keys[e.Target]
		delete(keys, e.Target)
		for i, key := range of {
			changes := []graph.Change{change(graph.Set, e.Target, key)}
			if i == 0 && old[e.Target] { // with records that may be no more
				changes = []graph.Change{change(graph.Clear, e.Target, ""), changes[0]}
				delete(old, e.Target)
			}
			if err := p.add(ctx, changes...); err != nil {
				return err
			}
		}
	}
	for _, target := range had {
		if old[target] {
			if err := p.add(ctx, change(graph.Clear, target, "")); err != nil {
				return err
			}
		}
	}
	return nil
}

// needOf returns about how many bytes the largest changes have that are made at once.
func needOf(list []graph.Change) (most int) {
	for _, c := range list {
		if c.Op != graph.Replace {
			most = max(most, sizeOf(c))
		}
		for _, e := range c.Edges { // a target is cleared, and gets a record
			c.Target, c.Key, c.Edges = e.Target, e.Key, nil
			most = max(most, 2*sizeOf(c))
		}
	}
	return most
}

// sizeOf returns about how many bytes a change has as JSON.
func sizeOf(c graph.Change) int {
	n := 80 + len(c.Account) + len(c.Target) + len(c.Key)
	for _, e := range c.Edges {
		n += 24 + len(e.Target) + len(e.Key)
	}
	return n
}

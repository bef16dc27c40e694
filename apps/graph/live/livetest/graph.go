// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package livetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/uproar-db/uproar/apps/graph"
)

// ErrKilled is the error of a write in which the process ends.
var ErrKilled = errors.New("livetest: killed")

// Graph is a graph that is a map, and can end in the middle of a write. Safe for concurrent use.
type Graph struct {
	mu        sync.Mutex
	records   map[string]string // "follows did:plc:a 3k…" to the target
	positions map[string]int64
	writes    int

	// Kill says whether a write, counted from 1, ends the process, before or after it is durable.
	Kill func(write int) (before, after bool)

	// Committed is called after each write, with what is in the graph, which it must not keep.
	Committed func(c graph.Changes, records map[string]string)
}

// NewGraph returns an empty graph.
func NewGraph() *Graph {
	return &Graph{records: make(map[string]string), positions: make(map[string]int64)}
}

// Write applies changes in their order.
func (g *Graph) Write(ctx context.Context, c graph.Changes) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writes++
	before, after := false, false
	if g.Kill != nil {
		before, after = g.Kill(g.writes)
	}
	if before {
		return 0, ErrKilled
	}
	for _, change := range c.List {
		if err := g.apply(change); err != nil {
			return 0, err
		}
	}
	if c.Stream != "" {
		g.positions[c.Stream] = c.Position
	}
	if g.Committed != nil {
		g.Committed(c, g.records)
	}
	if after {
		return 0, ErrKilled
	}
	return uint64(g.writes), nil
}

// apply applies one change.
func (g *Graph) apply(c graph.Change) error {
	if err := graph.CheckAccount(c.Account); err != nil {
		return err
	}
	row := string(c.Relation) + " " + c.Account + " "
	switch c.Op {
	case graph.Set:
		if err := graph.CheckAccount(c.Target); err != nil {
			return err
		}
		if c.Key == "" {
			g.records[row+"="+c.Target] = c.Target
			return nil
		}
		g.records[row+c.Key] = c.Target
	case graph.Clear:
		delete(g.records, row+c.Key)
		if c.Key == "" {
			maps.DeleteFunc(g.records, func(k, target string) bool {
				return strings.HasPrefix(k, row) && target == c.Target
			})
		}
	case graph.Replace:
		maps.DeleteFunc(g.records, func(k, _ string) bool { return strings.HasPrefix(k, row) })
		for _, e := range c.Edges {
			g.records[row+e.Key] = e.Target
		}
	case graph.Hide:
		if strings.HasPrefix(c.Account, "did:") { // lists of the follower's own are of no network
			g.records["hidden "+c.Account] = "yes"
		}
	case graph.Show:
		delete(g.records, "hidden "+c.Account)
	default:
		return fmt.Errorf("livetest: operation %q, want one of a live source", c.Op)
	}
	return nil
}

// Position returns the position of a stream.
func (g *Graph) Position(stream string) (int64, bool, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	position, ok := g.positions[stream]
	return position, ok, nil
}

// Targets returns the targets of an account.
func (g *Graph) Targets(_ context.Context, r graph.Relation, account string, limit int) (targets []string, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for k, target := range g.records {
		if strings.HasPrefix(k, string(r)+" "+account+" ") {
			targets = append(targets, target)
		}
	}
	slices.Sort(targets)
	targets = slices.Compact(targets)
	if limit > 0 && len(targets) > limit {
		targets = targets[:limit]
	}
	return targets, nil
}

// Members returns members of a list, in the order of their names.
func (g *Graph) Members(ctx context.Context, list, cursor string, limit int) (members []string, next string,
	err error) {
	all, err := g.Targets(ctx, graph.Members, list, 0)
	members = slices.DeleteFunc(all, func(member string) bool { return member <= cursor })
	if len(members) > limit {
		members = members[:limit]
		next = members[limit-1]
	}
	return members, next, err
}

// Find returns the target of a record.
func (g *Graph) Find(_ context.Context, r graph.Relation, account, key string) (target string, ok bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	target, ok = g.records[string(r)+" "+account+" "+key]
	return target, ok, nil
}

// Records returns what is in the graph.
func (g *Graph) Records() map[string]string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.records)
}

// Difference says in which records two graphs differ, some of them; "" for none.
func Difference(got, want map[string]string) string {
	var lines []string
	for k := range want {
		if got[k] != want[k] {
			lines = append(lines, fmt.Sprintf("%s: got %q, want %q", k, got[k], want[k]))
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			lines = append(lines, fmt.Sprintf("%s: got %q, want none", k, got[k]))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines[:min(len(lines), 8)], "\n")
}

// Edges returns the edges of a graph, without the keys of their records, and who is hidden.
func Edges(records map[string]string) map[string]string {
	edges := make(map[string]string)
	for k, target := range records {
		words := strings.Split(k, " ")
		if len(words) == 2 {
			edges[k] = target
			continue
		}
		edges[words[0]+" "+words[1]+" "+target] = "yes"
	}
	return edges
}

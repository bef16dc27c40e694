// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"errors"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
)

// Sink takes changes: a graph, or a model of one.
type Sink interface {
	// Write commits changes in their order, all or none, with the position of a stream. They are
	// durable when it returns. Changes that were made before change nothing.
	Write(ctx context.Context, c graph.Changes) (sequence uint64, err error)

	// Position returns what the last Changes with the name of the stream said.
	Position(stream string) (position int64, ok bool, err error)

	// Targets returns up to limit targets of an account in a relation; limit 0: all.
	Targets(ctx context.Context, r graph.Relation, account string, limit int) ([]string, error)

	// Members returns up to limit members of a list, from a cursor of an earlier call on; "" is the
	// first's. next is "" after the last. Members that stay are seen, whatever is written between.
	Members(ctx context.Context, list, cursor string, limit int) (members []string, next string, err error)
}

// Finder is a Sink that finds a record by its key.
type Finder interface {
	// Find returns the target of an account's record in a relation; ok is false if there is none.
	Find(ctx context.Context, r graph.Relation, account, key string) (target string, ok bool, err error)
}

// Keyed are the relations that a graph must keep with the keys of records to be a sink.
var Keyed = []graph.Relation{graph.Follows, graph.Blocks, graph.Members}

// graphSink is a graph as a sink.
type graphSink struct{ of *graph.Graph }

// Graph returns a graph as a sink. It is opened with the relations of Keyed.
func Graph(g *graph.Graph) Sink { return graphSink{g} }

// Write commits changes.
func (s graphSink) Write(ctx context.Context, c graph.Changes) (sequence uint64, err error) {
	return s.of.Write(ctx, c)
}

// Position returns the position of a stream.
func (s graphSink) Position(stream string) (position int64, ok bool, err error) {
	return s.of.Position(stream)
}

// Find returns the target of a record. It costs a page, however many records the account has.
func (s graphSink) Find(ctx context.Context, r graph.Relation, account, key string) (target string, ok bool,
	err error) {
	state := s.of.Index().Snapshot().Under(ctx)
	defer state.Close()
	keys, err := state.EdgeKeys(string(r))
	if err != nil {
		return "", false, err
	}
	id, err := state.ID(account)
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	number, ok, err := keys.Number(key)
	if err != nil || !ok {
		return "", false, err
	}
	last, err := keys.Append(nil, id, number+1, 1)
	if err != nil || len(last) == 0 || last[0].Key != number {
		return "", false, err
	}
	target, err = state.Key(last[0].Target)
	return target, err == nil, err
}

// Targets returns targets of an account.
func (s graphSink) Targets(ctx context.Context, r graph.Relation, account string, limit int) ([]string, error) {
	var targets []string
	for target, err := range s.of.Targets(r, account).All(ctx) {
		if errors.Is(err, uproar.ErrUnknownRecord) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if targets = append(targets, target); len(targets) == limit {
			break
		}
	}
	return targets, nil
}

// Members returns members of a list.
func (s graphSink) Members(ctx context.Context, list, cursor string, limit int) (members []string, next string,
	err error) {
	page := uproar.Page{Limit: limit}
	if cursor != "" {
		if page.From, err = strconv.ParseUint(cursor, 10, 64); err != nil {
			return nil, "", err
		}
	}
	keys, err := s.of.Targets(graph.Members, list).Page(ctx, page)
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return nil, "", nil
	}
	if err == nil && keys.More {
		next = strconv.FormatUint(keys.Next, 10)
	}
	return keys.Keys, next, err
}

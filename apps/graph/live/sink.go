// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"errors"

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
}

// Keyed are the relations that a graph must keep with the keys of records to be a sink.
var Keyed = []graph.Relation{graph.Follows, graph.Blocks, graph.Members}

// graphSink is a graph as a sink.
type graphSink struct{ *graph.Graph }

// Graph returns a graph as a sink. It is opened with the relations of Keyed.
func Graph(g *graph.Graph) Sink { return graphSink{g} }

// Targets returns targets of an account.
func (s graphSink) Targets(ctx context.Context, r graph.Relation, account string, limit int) ([]string, error) {
	var targets []string
	for target, err := range s.Graph.Targets(r, account).All(ctx) {
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

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package live

import "context"

// Sink takes changes: a graph, or a model of one.
type Sink interface {
	// Write commits changes in their order, all or none, with the position of a stream. They are
	// durable when it returns. Changes that were made before change nothing.
	Write(ctx context.Context, c Changes) (sequence uint64, err error)

	// Position returns what the last Changes with the name of the stream said.
	Position(stream string) (position int64, ok bool, err error)

	// Targets returns up to limit targets of an account in a relation; limit 0: all.
	Targets(ctx context.Context, r Relation, account string, limit int) ([]string, error)
}

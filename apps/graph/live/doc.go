// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package live writes what happens in a network to a graph: follows, blocks and list items, each
// known by its record key, and which accounts are shown.
//
//	f := live.New(sink, source, live.Options{})
//	err := f.Run(ctx)
//
// A [Source] delivers events, a [Sink] takes changes. Between them stand the rules:
//
//   - A record is known by its actor, collection and key. Events may come twice.
//   - A record that cannot be read, or is not ours, takes away what its key said before. It
//     is counted.
//   - The position of a source is committed with the changes of all events up to it.
//   - A source without positions is told of each event after its commit ([Stream.Ack]).
//   - After a #sync, or a resync that may have lost deletions, an account's records are replaced in
//     one commit, when all have come. Until then its old records are seen.
//   - That they are still to come, or to be fetched, stands in the graph: the position goes on, and
//     another process goes on with them.
//
// Package wire has the sources.
package live

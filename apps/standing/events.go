// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package standing

import (
	"context"
	"fmt"
	"iter"
	"strconv"

	"github.com/uproar-db/uproar"
)

// Event is what one commit has changed in a standing query.
type Event struct {
	Position uint64   // to go on behind this event
	AsOf     uint64   // the commit of the index whose records these are
	Entered  []string // keys of records
	Left     []string
}

// Members returns the index with the results of an index's standing queries, to wait for. Errors:
// uproar.ErrUnknownIndex before there are any.
func Members(ctx context.Context, db *uproar.DB, index string) (*uproar.Index, error) {
	return open(ctx, db, membersOf(index), memberFields, false)
}

// Events returns what entered and left a standing query behind a position, up to now; 0 begins with
// the first record that entered. An event of a round with more changes than one commit holds comes
// in parts, of which the last has AsOf. The sequence ends with the first error:
// uproar.ErrSequenceTrimmed for a position whose successors are no longer kept, ctx's, or those of
// reading.
func Events(ctx context.Context, members *uproar.Index, name string, after uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for c, err := range members.Changes(ctx, after) {
			e := Event{Position: c.Sequence}
			if err != nil {
				yield(e, err)
				return
			}
			for _, x := range c.Changes {
				switch {
				case x.Field == asOfField && x.Kind == uproar.ChangeSet:
					n, err := strconv.ParseUint(x.Value, 10, 64)
					if err != nil {
						yield(e, err)
						return
					}
					e.AsOf = n
				case x.Field != inField || x.Value != name:
				case x.Record == "": // deleted, and so trimmed since the log was read
					yield(e, fmt.Errorf("standing: position %d: %w", e.Position, uproar.ErrSequenceTrimmed))
					return
				case x.Kind == uproar.ChangeSet:
					e.Entered = append(e.Entered, x.Record)
				case x.Kind == uproar.ChangeClear:
					e.Left = append(e.Left, x.Record)
				}
			}
			if len(e.Entered)+len(e.Left) > 0 && !yield(e, nil) {
				return
			}
		}
	}
}

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
	Error    string // why the query could not be asked: its records stay those as of AsOf (0: none)
}

// Members returns the index with the results of an index's standing queries, to wait for. Errors:
// uproar.ErrUnknownIndex before there are any.
func Members(ctx context.Context, db *uproar.DB, index string) (*uproar.Index, error) {
	return open(ctx, db, membersOf(index), memberFields, false)
}

// Events returns what entered and left a standing query behind a position, up to now; 0 begins with
// the first record that entered. An event of a round with more changes than one commit holds comes
// in parts, of which the last has AsOf. One with an Error is whole. When a query that could not be
// asked can be asked again, an event says so, also if nothing has entered or left.
//
// The sequence ends with the first error, which comes with the position to go on behind: all events
// up to there have come. Errors: uproar.ErrSequenceTrimmed for a position whose successors are no
// longer kept, ctx's, or those of reading.
func Events(ctx context.Context, members *uproar.Index, name string, after uint64) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		read := after
		for c, err := range members.Changes(ctx, after) {
			var e Event
			tells := false
			if err == nil {
				e, tells, err = eventOf(c, name)
			}
			if err != nil {
				yield(Event{Position: read}, err)
				return
			}
			if tells && !yield(e, nil) {
				return
			}
			read = c.Sequence
			if err := ctx.Err(); err != nil { // which the log asks for now and then only
				yield(Event{Position: read}, err)
				return
			}
		}
	}
}

// eventOf returns what a commit of the results tells of a query, if it tells anything.
func eventOf(c uproar.Commit, name string) (e Event, tells bool, err error) {
	e.Position = c.Sequence
	var right uint64
	number := func(text string, n *uint64) {
		if err == nil {
			*n, err = strconv.ParseUint(text, 10, 64)
		}
	}
	for _, x := range c.Changes {
		switch {
		case x.Field == asOfField && x.Kind == uproar.ChangeSet:
			number(x.Value, &e.AsOf)
		case x.Field == errorField && x.Record == name:
			e.Error, tells = x.Value, true
		case x.Field == rightField && x.Record == name && x.Kind == uproar.ChangeSet:
			number(x.Value, &right)
		case x.Field != inField || x.Value != name:
		case x.Record == "": // deleted, and so trimmed since the log was read
			return e, false, fmt.Errorf("standing: position %d: %w", c.Sequence, uproar.ErrSequenceTrimmed)
		case x.Kind == uproar.ChangeSet:
			e.Entered = append(e.Entered, x.Record)
		case x.Kind == uproar.ChangeClear:
			e.Left = append(e.Left, x.Record)
		}
	}
	if e.Error != "" {
		e.AsOf = right
	}
	return e, tells || len(e.Entered)+len(e.Left) > 0, err
}

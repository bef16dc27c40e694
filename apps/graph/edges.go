// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
)

// EdgesPage says which part of a list of edges is wanted.
type EdgesPage struct {
	Oldest bool   // first the oldest; else the newest
	Cursor string // that came with the page before; "" begins
	Limit  int    // how many at most, at least 1
	Hidden bool   // with hidden accounts
}

// CursorError says that a cursor was not made by [Graph.Edges].
type CursorError struct{ Cursor string }

// Error shows the cursor.
func (e *CursorError) Error() string {
	return fmt.Sprintf("graph: cursor %s, want one of the page before, such as 1764100801250__3m6i4wtqkuf2l",
		shown(e.Cursor))
}

// Edges returns a page of what an account has in a keyed relation, in the order of its records: by
// the time of a TID, and before all TIDs other keys, by first appearance. An edge stands where its
// first record is, and has its key; one without a record is in no page. cursor is that of the next
// page, "" if there is none: it stays good whatever is written meanwhile. Cost: that of the page's
// keys, in either order; where an account of the page has several records, a pass over all of them.
//
// Errors: *RelationError, *UnkeyedError, *InvalidAccountError, *UnknownAccountError, *CursorError,
// uproar.ErrInvalid (a limit below 1), ctx's, or the database's.
func (g *Graph) Edges(ctx context.Context, r Relation, account string, p EdgesPage) (edges []Edge, cursor string,
	err error) {
	if p.Limit < 1 {
		return nil, "", fmt.Errorf("%w: edges: got a limit of %d, want 1 or more", uproar.ErrInvalid, p.Limit)
	}
	if err := g.checkEdges(r, account); err != nil {
		return nil, "", err
	}
	s := g.index.Snapshot().Under(ctx)
	defer s.Close()
	l, err := newEdgeLister(s, r, account, p)
	if err != nil {
		return nil, "", unknown(err)
	}
	var page []uproar.EdgeKey
	for more := true; more && cursor == ""; {
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		var records []uproar.EdgeKey
		if records, more, err = l.next(p.Limit + 1 - len(page)); err != nil {
			return nil, "", err
		}
		for _, k := range records {
			listed, err := l.lists(ctx, k)
			switch {
			case err != nil:
				return nil, "", err
			case !listed:
			case len(page) < p.Limit:
				page = append(page, k)
			default:
				if cursor, err = cursorOf(l.keys, page[p.Limit-1].Key); err != nil {
					return nil, "", err
				}
			}
		}
	}
	edges, err = l.edges(page)
	return edges, cursor, err
}

// checkEdges fails for a question about edges that cannot be.
func (g *Graph) checkEdges(r Relation, account string) error {
	switch {
	case inverses[r] == "":
		return &RelationError{r}
	case !g.Keyed(r):
		return &UnkeyedError{r}
	}
	return CheckAccount(account)
}

// cursorOf returns the cursor of a page that ends with a record: its time in milliseconds and its
// key, or of a key that is no TID its number in base 36.
func cursorOf(keys uproar.EdgeKeys, number uint64) (string, error) {
	ms := (uproar.EdgeKey{Key: number}).Micros() / 1000
	if ms == 0 {
		return "0__" + strconv.FormatUint(number, 36), nil
	}
	text, err := keys.AppendText(append(strconv.AppendInt(nil, ms, 10), "__"...), number)
	return string(text), err
}

// parseCursor returns the number of the key of a cursor.
func parseCursor(keys uproar.EdgeKeys, cursor string) (number uint64, err error) {
	if cursor == "" {
		return 0, nil
	}
	ms, text, _ := strings.Cut(cursor, "__")
	ok := true
	if ms == "0" {
		number, err = strconv.ParseUint(text, 36, 40)
		ok = err == nil
	} else if number, ok, err = keys.Number(text); err != nil {
		return 0, err
	}
	if ok {
		again, err := cursorOf(keys, number)
		if err == nil && again == cursor {
			return number, nil
		}
	}
	return 0, &CursorError{cursor}
}

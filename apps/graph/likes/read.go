// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
)

// Like is a record of an account.
type Like struct{ Account, Key string }

// Page says which part of a subject's likes is wanted.
type Page struct {
	Cursor string // that came with the page before; "" begins
	Limit  int    // how many at most, at least 1
	Hidden bool   // with hidden accounts
}

// How many records are read at a time: the least for a page, and the most.
const (
	leastChunk = 64
	mostChunk  = 8192
)

// newest yields the records of a subject, the newest first, from below a place on: by the number of
// the key, then by the account. It reads them in chunks.
func (r *reader) newest(ctx context.Context, subject uint64, below uproar.EdgeKey, chunk int,
	yield func(uproar.EdgeKey) (bool, error)) error {
	to := below.Key
	if to != everyKey {
		to++
	}
	for most := chunk; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		keys, err := r.likers.Append(nil, subject, to, most)
		if err != nil || len(keys) == 0 {
			return err
		}
		from := 0
		if len(keys) == most { // the first key may have more accounts
			for from < len(keys) && keys[from].Key == keys[0].Key {
				from++
			}
			if from == len(keys) && keys[0].Key+1 == to {
				most = min(8*most, allKeys)
				continue
			}
		}
		for i := len(keys) - 1; i >= from; i-- {
			if keys[i].Compare(below) >= 0 {
				continue
			}
			if more, err := yield(keys[i]); !more || err != nil {
				return err
			}
		}
		if from == 0 {
			return nil
		}
		to, most = keys[0].Key+1, chunk
	}
}

// Likers returns a page of the records that like a subject, the newest first, by the time of a TID;
// behind all TIDs other keys, by first appearance. Of one time the account that appeared last comes
// first. cursor is that of the next page, "" if there is none: it stays good whatever is written
// meanwhile. What is not known has no likes. Cost: 0.1 ms, however many there are.
//
// Errors: *InvalidError, *CursorError, ctx's, or the database's.
func (l *Likes) Likers(ctx context.Context, subject string, p Page) (list []Like, cursor string, err error) {
	if p.Limit < 1 {
		return nil, "", fmt.Errorf("%w: likes: got a limit of %d, want 1 or more", uproar.ErrInvalid, p.Limit)
	}
	below, err := parseCursor(p.Cursor)
	if err != nil {
		return nil, "", err
	}
	if err := CheckSubject(subject); err != nil {
		return nil, "", err
	}
	s := l.index.Snapshot().Under(ctx)
	defer s.Close()
	r, err := l.reader(s)
	if err != nil {
		return nil, "", err
	}
	of, err := lookUp(s, subject)
	if err != nil || !of.exists {
		return nil, "", err
	}
	hides := noRow
	if !p.Hidden {
		if hides, err = r.hidden(); err != nil {
			return nil, "", err
		}
	}
	var last uproar.EdgeKey
	chunk := min(max(p.Limit+1, leastChunk), mostChunk)
	err = r.newest(ctx, of.id, below, chunk, func(k uproar.EdgeKey) (bool, error) {
		if hidden, err := hides(k.Target); hidden || err != nil {
			return err == nil, err
		}
		if len(list) == p.Limit {
			cursor = cursorOf(last)
			return false, nil
		}
		actor, err := r.s.Key(k.Target)
		if err != nil {
			return false, err
		}
		key, err := r.likers.AppendText(nil, k.Key)
		list, last = append(list, Like{actor, string(key)}), k
		return true, err
	})
	return list, cursor, err
}

// noRow is in no row.
func noRow(uint64) (bool, error) { return false, nil }

// hidden returns what says whether an account is hidden.
func (r *reader) hidden() (func(account uint64) (bool, error), error) {
	row, ok, err := r.s.RowID(graph.HiddenField, graph.HiddenRow)
	if errors.Is(err, uproar.ErrUnknownField) { // in a graph without keys nobody is
		return noRow, nil
	}
	if err != nil || !ok {
		return noRow, err
	}
	return func(account uint64) (bool, error) { return r.s.HasRow(row, account) }, nil
}

// Subjects returns a page of what an account likes, in the order of first appearance. next is where
// the next page begins, 0 if there is none. Errors:
// *graph.InvalidAccountError, *graph.UnknownAccountError, ctx's, or the database's.
func (l *Likes) Subjects(ctx context.Context, account string, p uproar.Page) (subjects []string, next uint64,
	err error) {
	if err := graph.CheckAccount(account); err != nil {
		return nil, 0, err
	}
	s := l.index.Snapshot().Under(ctx)
	defer s.Close()
	if _, err := s.ID(account); errors.Is(err, uproar.ErrUnknownRecord) {
		return nil, 0, &graph.UnknownAccountError{Account: account}
	}
	page, err := s.Keys(ctx, query.Related{Field: LikesField, Key: account}, p)
	if err != nil {
		return nil, 0, err
	}
	for _, key := range page.Keys {
		subject, ok, err := subjectOf(s, key)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			subjects = append(subjects, subject)
		}
	}
	if page.More {
		next = page.Next
	}
	return subjects, next, nil
}

// cursorOf returns the cursor of a page that ends with a record: milliseconds, then the key and the
// account in base 32.
func cursorOf(k uproar.EdgeKey) string {
	return strconv.FormatInt(k.Micros()/1000, 10) + "__" + strconv.FormatUint(k.Key, cursorBase) + "_" +
		strconv.FormatUint(k.Target, cursorBase)
}

const cursorBase = 32

// CursorError says that a cursor is of no page of likes.
type CursorError struct{ Cursor string }

// Error shows the cursor.
func (e *CursorError) Error() string {
	return "likes: cursor " + shown(e.Cursor) + ", want one of the page before"
}

// parseCursor returns the record of a cursor, which is above all for "".
func parseCursor(cursor string) (k uproar.EdgeKey, err error) {
	if cursor == "" {
		return uproar.EdgeKey{Key: everyKey}, nil
	}
	_, rest, _ := strings.Cut(cursor, "__")
	key, target, _ := strings.Cut(rest, "_")
	k.Key, err = strconv.ParseUint(key, cursorBase, 64)
	if err == nil {
		k.Target, err = strconv.ParseUint(target, cursorBase, 31)
	}
	if err != nil || cursorOf(k) != cursor {
		return k, &CursorError{cursor}
	}
	return k, nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package keyspace

import (
	"context"
	"errors"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/expiry"
	"github.com/uproar-db/uproar/server/resp/names"
)

// mostFollowed is how many changes of others are read one by one.
const mostFollowed = 1 << 16

// errAnew says that the feed does not tell what has changed.
var errAnew = errors.New("keyspace: what is known must be read anew")

// changes is what others have written.
type changes struct {
	names   map[string]bool // of keys
	any     bool            // any key may have changed
	times   []expiry.Time
	timed   bool     // some key or member got a time, or a key a type
	revived []string // records that got a value
	removed int      // members that were taken out of sets, about
	emptied bool     // some set lost all of its members
}

// changesOf reads the commits after number after up to number last, but those that skip names, and
// loads of known sets, so many of them. Errors: errAnew, or as of Index.Changes.
func changesOf(ctx context.Context, ix *uproar.Index, after, last uint64, skip map[uint64]bool, loads int) (*changes,
	error) {
	c := &changes{names: make(map[string]bool)}
	n, seen := 0, after
	for commit, err := range ix.Changes(ctx, after) {
		if err != nil {
			return nil, err
		}
		if commit.Sequence > last {
			break
		}
		if seen = commit.Sequence; skip[seen] {
			continue
		}
		if commit.Loaded {
			loads--
		}
		if n += len(commit.Changes); loads < 0 || n > mostFollowed {
			return nil, errAnew
		}
		for _, x := range commit.Changes {
			if err := c.note(x); err != nil {
				return nil, err
			}
		}
	}
	if seen != last {
		return nil, errAnew // it is not in the feed yet
	}
	return c, nil
}

// note adds one change.
func (c *changes) note(x uproar.Change) error {
	switch x.Kind {
	case uproar.ChangeDeleteRecord:
		c.any = true // the feed does not say which sets had it
		c.times = append(c.times, expiry.Time{At: 0, Record: x.Record})
		return nil
	case uproar.ChangeSet, uproar.ChangeAddRecord:
		c.revived = append(c.revived, x.Record)
	}
	key, _, _, ours := names.Parse(x.Record)
	switch x.Field {
	case memberField:
		c.names[x.Value] = true
		switch x.Kind {
		case uproar.ChangeClear:
			c.removed++
		case uproar.ChangeDeleteRow:
			c.emptied = true
		}
	case typeField:
		c.timed = true
		if ours {
			c.names[key] = true
		}
	case expiresField:
		if !ours {
			break
		}
		c.names[key] = true
		if x.Kind == uproar.ChangeUnset {
			c.times = append(c.times, expiry.Time{At: 0, Record: x.Record})
			c.removed++
			break
		}
		at, err := strconv.ParseInt(x.Value, 10, 64)
		if err != nil {
			return errAnew
		}
		c.times, c.timed = append(c.times, expiry.Time{At: at, Record: x.Record}), true
	}
	return nil
}

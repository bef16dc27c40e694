// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

import (
	"fmt"
	"math"
	"testing"

	"github.com/uproar-db/uproar/internal/golden"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

func TestGoldenLogKeys(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 8)
	value := encodeAll(key, &Entry{Time: 1_790_000_000_000, Keys: []KeyRun{{Space: 1, First: 5,
		Keys: []string{"person1", "person2", "did:plc:ewvi7nxzyoun6zhxrhs64oiz", "did:plc:ewvi7nxzyoun6zhxrhs64oia"}}}})
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	golden.Entry(t, "log-keys", "commit 8: four new keys, of each what it adds to the one before", key, value,
		golden.Text(commits[0].Keys))
}

// TestGoldenLog and TestGoldenLogDeletions have entries of version 1, which are no longer written.
func TestGoldenLog(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 1<<16+2)
	entry := Entry{Time: 1_790_000_000_000, Keys: []KeyRun{{Space: 1, First: 5,
		Keys: []string{"alice", "bob"}}},
		Edits: []model.Edit{{Field: 4, Set: true, Row: 5, Record: 6}, {Field: 4, Set: true, Row: 5, Record: 900},
			{Field: 4, Row: 5, Record: 7}, {Field: 0, Set: true, Record: 5}},
		Installed: 17}
	value := encodeFirst(&entry, key)
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	back := commits[0]
	golden.Entry(t, "log-entry",
		"entry 65538: two new keys, three edits of one list, one of the universe, and a manifest installed", key, value,
		fmt.Sprintf("{time:%d keys:%s edits:%s installed:%d}", back.Time, golden.Text(back.Keys),
			golden.Text(back.Edits),
			back.Installed))
}

func TestGoldenLogDeletions(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 7)
	entry := Entry{Time: 1_790_000_000_000, Emptied: []model.RowName{{Field: 12, Row: 3}, {Field: 4, Row: 9}},
		Deleted: []Deletion{{Record: 5, Key: "alice"}, {Record: 300}, {Record: 301, Key: "bob"}},
		Values: []model.ValueEdit{{Field: 16, Record: 1, Word: 0}, {Field: 16, Record: 2, Word: 4},
			{Field: 20, Record: 1, Word: model.IntegerWord(-3)}, model.AssignInt(20, 2, math.MinInt64)}}
	value := encodeFirst(&entry, key)
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	back := commits[0]
	golden.Entry(t, "log-removals", "entry 7: two lists emptied, three records deleted, a value taken, row 3 given, "+
		"the integer -3 given, the least int64 given", key, value,
		fmt.Sprintf("emptied %s\ndeleted %s\nforward %s", golden.Text(back.Emptied), golden.Text(back.Deleted),
			golden.Text(back.Values)))
}

func TestGoldenLogGroup(t *testing.T) {
	key := format.AppendLogKey(nil, 1, 1<<16+2)
	value := encodeAll(key,
		&Entry{Time: 1_790_000_000_000, Keys: []KeyRun{{Space: 1, First: 5, Keys: []string{"alice", "bob"}}},
			Edits: []model.Edit{{Field: 4, Set: true, Row: 5, Record: 6}, {Field: 4, Set: true, Row: 5, Record: 900},
				{Field: 4, Row: 5, Record: 7}, {Field: 0, Set: true, Record: 5}}},
		&Entry{Time: 1_790_000_000_003, Emptied: []model.RowName{{Field: 12, Row: 3}, {Field: 4, Row: 9}},
			Deleted: []Deletion{{Record: 5, Key: "alice"}, {Record: 300}, {Record: 301, Key: "bob"}},
			Values: []model.ValueEdit{{Field: 16, Record: 1, Word: 0}, {Field: 16, Record: 2, Word: 4},
				{Field: 20, Record: 1, Word: model.IntegerWord(-3)}}},
		&Entry{Time: 1_789_999_999_999, Installed: 17})
	commits, err := decodeAll(key, value)
	if err != nil {
		t.Fatal(err)
	}
	back := ""
	for _, l := range commits {
		back += golden.Text(
			fmt.Sprintf("{time:%d keys:%+v edits:%+v emptied:%+v deleted:%+v forward:%+v installed:%d}\n",
				l.Time,
				l.Keys, l.Edits, l.Emptied, l.Deleted, l.Values, l.Installed))
	}
	golden.Entry(t, "log-group", "commits 65536 to 65538: new keys and edits; lists emptied, records deleted and "+
		"values, 3 ms later; a manifest installed, 4 ms before that by the clock", key, value, back)
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar/bench/socialgraph"
)

// TestMakeDatabase: both layouts have every follow of the network in both directions, and no other.
func TestMakeDatabase(t *testing.T) {
	network := socialgraph.Network{Accounts: 300, Follows: 2000, Seed: 1}
	if err := network.Check(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := makeDatabase(dir, network); err != nil {
		t.Fatal(err)
	}
	want := map[[2]uint32]int{}
	for a, b := range network.All() {
		want[[2]uint32{a, b}] = 1
	}
	for _, c := range []struct {
		file, query string
		flipped     bool
	}{
		{"actors_0.db", "SELECT uid, following FROM actors", false},
		{"actors_0.db", "SELECT uid, followers FROM actors", true},
		{"db/following/shard_0.db", "SELECT uid, compressed_bitmap FROM entities", false},
		{"db/followers/shard_0.db", "SELECT uid, compressed_bitmap FROM entities", true},
	} {
		got := 0
		each(t, filepath.Join(dir, c.file), c.query, func(rows *sql.Rows) {
			var uid uint32
			var bytes []byte
			if err := rows.Scan(&uid, &bytes); err != nil {
				t.Fatal(err)
			}
			list := roaring.New()
			if _, err := list.FromBuffer(bytes); err != nil {
				t.Fatal(err)
			}
			for _, other := range list.ToArray() {
				pair := [2]uint32{uid, other}
				if c.flipped {
					pair = [2]uint32{other, uid}
				}
				if want[pair] == 0 {
					t.Fatalf("%s: got that %d follows %d, which the network has not", c.query, pair[0], pair[1])
				}
				got++
			}
		})
		if got != len(want) {
			t.Errorf("%s: got %d follows, want %d", c.query, got, len(want))
		}
	}
	for file, query := range map[string]string{
		"meta.db": "SELECT uid, did FROM actor_map", "db/following/meta.db": "SELECT uid, string_id FROM entity_map",
		"db/followers/meta.db": "SELECT uid, string_id FROM entity_map",
		"actors_0.db":          "SELECT uid, did FROM actors",
	} {
		n := 0
		each(t, filepath.Join(dir, file), query, func(rows *sql.Rows) {
			var uid uint32
			var did string
			if err := rows.Scan(&uid, &did); err != nil || did != network.Key(uid) {
				t.Fatalf("%s: account %d: got %q and %v, want %q", file, uid, did, err, network.Key(uid))
			}
			n++
		})
		if n != network.Accounts {
			t.Errorf("%s: got %d accounts, want %d", file, n, network.Accounts)
		}
	}
}

// each passes on the rows of a query.
func each(t *testing.T, file, query string, do func(*sql.Rows)) {
	t.Helper()
	db, err := sql.Open("sqlite3", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		do(rows)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

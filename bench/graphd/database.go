// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graphd

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	_ "github.com/mattn/go-sqlite3"

	"github.com/uproar-db/uproar/bench/socialgraph"
)

// partition is the number of accounts in each of GraphD's files.
const partition = 100_000

// table is one of GraphD's SQLite files: a table of n accounts, from the one numbered from on.
type table struct {
	file    string
	create  []string // statements
	insert  string
	from, n int
	row     func(account int) ([]any, error)
}

// makeDatabase writes the database that GraphD would have after it has loaded the network, in a
// folder. It writes that of its version of April 2024 and that of October 2024, which have no file
// in common. It takes far less time and memory than loading by GraphD. Memory: 8 bytes a follow and
// 8 an account.
func makeDatabase(dir string, network socialgraph.Network) error {
	var following, followers adjacency
	var both sync.WaitGroup
	both.Go(func() { following = newAdjacency(&network, false) })
	both.Go(func() { followers = newAdjacency(&network, true) })
	both.Wait()
	for _, folder := range []string{"db", "db/following", "db/followers"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			return err
		}
	}
	key := func(account int) ([]any, error) { return []any{account, network.Key(uint32(account))}, nil }
	tables := []table{
		{"meta.db", []string{"CREATE TABLE actor_map (uid INTEGER PRIMARY KEY, did TEXT NOT NULL)",
			"CREATE INDEX did_index ON actor_map (did)"}, "INSERT INTO actor_map VALUES (?, ?)", 0, network.Accounts,
			key},
		{"db/following/meta.db", []string{"CREATE TABLE entity_map (uid INTEGER PRIMARY KEY, string_id TEXT NOT NULL)"},
			"INSERT INTO entity_map VALUES (?, ?)", 0, network.Accounts, key},
		{"db/followers/meta.db", []string{"CREATE TABLE entity_map (uid INTEGER PRIMARY KEY, string_id TEXT NOT NULL)"},
			"INSERT INTO entity_map VALUES (?, ?)", 0, network.Accounts, key},
	}
	for part := 0; part*partition < network.Accounts; part++ {
		from := part * partition
		n := min(partition, network.Accounts-from)
		tables = append(tables, table{
			fmt.Sprintf("actors_%d.db", part),
			[]string{"CREATE TABLE actors (uid INTEGER PRIMARY KEY, did TEXT NOT NULL, following BLOB NOT NULL, " +
				"followers BLOB NOT NULL)"}, "INSERT INTO actors VALUES (?, ?, ?, ?)", from, n,
			func(account int) ([]any, error) {
				out, err := following.bitmap(account)
				in, err2 := followers.bitmap(account)
				return []any{account, network.Key(uint32(account)), out, in}, errors.Join(err, err2)
			},
		})
		for group, lists := range map[string]*adjacency{"following": &following, "followers": &followers} {
			tables = append(tables, table{
				fmt.Sprintf("db/%s/shard_%d.db", group, part),
				[]string{"CREATE TABLE entities (uid INTEGER PRIMARY KEY, compressed_bitmap BLOB NOT NULL)"},
				"INSERT INTO entities VALUES (?, ?)", from, n,
				func(account int) ([]any, error) {
					bytes, err := lists.bitmap(account)
					return []any{account, bytes}, err
				},
			})
		}
	}
	return writeTables(dir, tables)
}

// writeTables writes as many tables at a time as there are processors.
func writeTables(dir string, tables []table) error {
	var workers sync.WaitGroup
	next := make(chan *table)
	errs := make([]error, runtime.GOMAXPROCS(0))
	for i := range errs {
		workers.Go(func() {
			for t := range next {
				if errs[i] == nil {
					errs[i] = t.write(dir)
				}
			}
		})
	}
	for i := range tables {
		next <- &tables[i]
	}
	close(next)
	workers.Wait()
	return errors.Join(errs...)
}

// write writes a table in one transaction. There is no journal, as a folder that was not finished
// is not used.
func (t *table) write(dir string) (err error) {
	db, err := sql.Open("sqlite3", filepath.Join(dir, t.file)+"?_journal=OFF&_sync=OFF")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, statement := range t.create {
		if _, err := db.Exec(statement); err != nil {
			return fmt.Errorf("%s: %s: %w", t.file, statement, err)
		}
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	insert, err := tx.Prepare(t.insert)
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	for account := t.from; account < t.from+t.n; account++ {
		row, err := t.row(account)
		if err == nil {
			_, err = insert.Exec(row...)
		}
		if err != nil {
			return fmt.Errorf("%s: account %d: %w", t.file, account, errors.Join(err, tx.Rollback()))
		}
	}
	return tx.Commit()
}

// adjacency is one direction of the network: the list of each account, ascending, one behind the
// other.
type adjacency struct {
	end   []uint32 // of each account's list
	lists []uint32
}

func newAdjacency(network *socialgraph.Network, followers bool) adjacency {
	all := func(yield func(account, other uint32)) {
		for account, other := range network.All() {
			if followers {
				account, other = other, account
			}
			yield(account, other)
		}
	}
	end := make([]uint32, network.Accounts+1) // first where each list begins, one place further on
	total := 0
	all(func(account, _ uint32) {
		end[account+1]++
		total++
	})
	for i := 1; i < len(end); i++ {
		end[i] += end[i-1]
	}
	a := adjacency{end, make([]uint32, total)}
	all(func(account, other uint32) {
		a.lists[end[account]] = other
		end[account]++
	})
	for account := range network.Accounts {
		slices.Sort(a.of(account))
	}
	return a
}

func (a *adjacency) of(account int) []uint32 {
	from := uint32(0)
	if account > 0 {
		from = a.end[account-1]
	}
	return a.lists[from:a.end[account]]
}

// bitmap returns the list of an account as GraphD keeps it.
func (a *adjacency) bitmap(account int) ([]byte, error) {
	return roaring.BitmapOf(a.of(account)...).ToBytes()
}

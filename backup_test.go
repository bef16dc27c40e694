// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/bboltstore"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/pebblestore"
)

// newShop makes an index with a field of each type.
func newShop(t testing.TB, db *uproar.DB, name string) *uproar.Index {
	t.Helper()
	ix, err := db.CreateIndex(t.Context(), name, uproar.Field{Name: "follows", Type: uproar.Relation,
		Inverse: "followers"},
		uproar.Field{Name: "country", Type: uproar.Set}, uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "age", Type: uproar.Integer})
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// writeShop writes and deletes at random.
func writeShop(t testing.TB, ix *uproar.Index, rng *rand.Rand, n int) {
	t.Helper()
	record := func() string { return fmt.Sprint("r", rng.IntN(200)) }
	for range n {
		writeAll(t, ix, func(b *uproar.Batch) {
			for range 20 {
				switch rng.IntN(12) {
				case 0:
					b.Clear("follows", record(), record())
				case 1:
					b.DeleteRecord(record())
				case 2, 3:
					b.Set("country", record(), fmt.Sprint("c", rng.IntN(10)))
				case 4, 5:
					b.Set("city", record(), fmt.Sprint("t", rng.IntN(30)))
				case 6:
					b.SetInt("age", record(), int64(rng.IntN(100)-10))
				default:
					b.Set("follows", record(), record())
				}
			}
		})
	}
}

// dump returns all that a database says, as text.
func dump(t testing.TB, db *uproar.DB) string {
	t.Helper()
	var out strings.Builder
	for _, name := range db.Indexes() {
		ix, err := db.Index(name)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Fields(ask(t, ix, "all"))
		fmt.Fprintf(&out, "index %s: %q\n", name, all)
		for _, record := range all {
			fmt.Fprintf(&out, "%s follows %s; followed by %s\n", record, ask(t, ix, fmt.Sprintf("follows(%s)", record)),
				ask(t, ix, fmt.Sprintf("followers(%s)", record)))
		}
		for i := range 30 {
			fmt.Fprintf(&out, "c%d: %s; t%d: %s\n", i, ask(t, ix, fmt.Sprintf("country = c%d", i)), i,
				ask(t, ix, fmt.Sprintf("city = t%d", i)))
		}
		snap := ix.Snapshot()
		for _, record := range all {
			n, ok, err := snap.Int("age", record)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&out, record, n, ok)
		}
		snap.Close()
	}
	return out.String()
}

func backup(t testing.TB, db *uproar.DB, since *uproar.BackupInfo) ([]byte, *uproar.BackupInfo) {
	t.Helper()
	var b bytes.Buffer
	info, err := db.Backup(t.Context(), &b, &uproar.BackupOptions{Since: since})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), info
}

func restoreAll(s store.Store, backups ...[]byte) (*uproar.BackupInfo, error) {
	var readers []io.Reader
	for _, b := range backups {
		readers = append(readers, bytes.NewReader(b))
	}
	return uproar.Restore(context.Background(), s, readers...)
}

// mustRestore restores into a store, and returns the database in it, which has been verified.
func mustRestore(t testing.TB, s store.Store, backups ...[]byte) *uproar.DB {
	t.Helper()
	if _, err := restoreAll(s, backups...); err != nil {
		t.Fatal(err)
	}
	db := openDB(t, s, nil)
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, uproar.ErrClosed) {
			t.Error(err)
		}
	})
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return db
}

// TestBackupChain backs up a changing database, in full and in increments. It restores every prefix
// of the chain, on every engine.
func TestBackupChain(t *testing.T) {
	stores := map[string]func(dir string) (store.Store, error){
		"memory": func(string) (store.Store, error) { return memstore.New(), nil },
		"bbolt":  func(dir string) (store.Store, error) { return bboltstore.Open(dir, nil) },
		"pebble": func(dir string) (store.Store, error) { return pebblestore.Open(dir, nil) },
	}
	for from, to := range map[string]string{"memory": "memory", "bbolt": "pebble", "pebble": "bbolt"} {
		t.Run(from+" to "+to, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, 2))
			s, err := stores[from](t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			db := openDB(t, s, &uproar.Options{DeltaBytes: 50_000, LogEntries: 3})
			defer db.Close()
			var files [][]byte
			var want []string
			var last *uproar.BackupInfo
			for i := range 4 {
				switch i {
				case 0:
					newShop(t, db, "shop")
				case 2:
					newShop(t, db, "another")
				}
				for _, name := range db.Indexes() {
					ix, _ := db.Index(name)
					writeShop(t, ix, rng, 30)
					if i == 1 {
						loadShop(t, ix)
					}
					if i != 3 {
						if err := ix.Flush(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					writeShop(t, ix, rng, 5)
				}
				var file []byte
				file, last = backup(t, db, last)
				if read, err := uproar.ReadBackup(bytes.NewReader(file)); err != nil || read.ID != last.ID ||
					read.Base != last.Base || !slices.Equal(read.Indexes, last.Indexes) {
					t.Fatalf("ReadBackup: got %+v, %v, want %+v", read, err, last)
				} else {
					last = read // what was written is enough to go on from
				}
				files, want = append(files, file), append(want, dump(t, db))
				target, err := stores[to](t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				restored := mustRestore(t, target, files...)
				if got := dump(t, restored); got != want[i] {
					t.Fatalf("after %d backups: got\n%s\nwant\n%s", i+1, got, want[i])
				}
				// It goes on from there like any other.
				for _, name := range restored.Indexes() {
					ix, _ := restored.Index(name)
					writeShop(t, ix, rng, 10)
					if err := ix.Flush(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if err := restored.Verify(t.Context(), nil); err != nil {
					t.Error(err)
				}
				if _, err := restored.Backup(t.Context(), io.Discard,
					&uproar.BackupOptions{Since: last}); !errors.Is(err, uproar.ErrBackupBase) {
					t.Errorf("an increment of the restored database: got %v, want %v", err, uproar.ErrBackupBase)
				}
				if err := restored.Close(); err != nil {
					t.Error(err)
				}
			}
			for _, name := range db.Indexes() { // or a flush that began by itself would bring pages
				ix, _ := db.Index(name)
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			_, last = backup(t, db, last)
			if _, info := backup(t, db, last); info.Indexes[0].Pages != 0 || info.Indexes[1].Pages != 0 {
				t.Errorf("an increment without changes has pages: %+v", info.Indexes)
			}
		})
	}
}

// loadShop loads enough values at once to split lists into pieces.
func loadShop(t testing.TB, ix *uproar.Index) {
	t.Helper()
	l, err := ix.Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Abort()
	for i := range 3000 {
		if err := l.Set("follows", fmt.Sprint("r", i%190), fmt.Sprint("r", i*7%180)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Commit(); err != nil {
		t.Fatal(err)
	}
}

// flushedMeanwhile is a writer whose first Write waits for three flushes. So pages are replaced,
// and the log is trimmed, when a backup has only begun.
type flushedMeanwhile struct {
	bytes.Buffer
	ix *uproar.Index
}

func (w *flushedMeanwhile) Write(p []byte) (int, error) {
	if w.Len() == 0 {
		stats, err := w.ix.Stats()
		for target := stats.Flushes + 3; stats.Flushes < target && err == nil; stats, err = w.ix.Stats() {
			time.Sleep(time.Millisecond)
		}
		if err != nil {
			return 0, err
		}
	}
	return w.Buffer.Write(p)
}

// TestBackupWhileWriting takes backups while writers, flushes and loads are at work: what is
// restored is the database as of one sequence number.
func TestBackupWhileWriting(t *testing.T) {
	s := memstore.New()
	db := openDB(t, s, &uproar.Options{DeltaBytes: 20_000, LogEntries: 1, LogBytes: 1})
	defer db.Close()
	ix := newAccounts(t, db)
	var at sync.Map // sequence number → number of the commit
	var stop atomic.Bool
	var workers sync.WaitGroup
	ctx := t.Context()
	for w := range 3 {
		workers.Go(func() {
			for n := 0; !stop.Load(); n++ {
				var b uproar.Batch
				name := fmt.Sprintf("w%d-%d", w, n)
				b.Set("follows", name, fmt.Sprintf("hub%d", w))
				b.Set("country", name, "de")
				sequence, err := ix.Write(ctx, &b)
				if err != nil {
					t.Error(err)
					return
				}
				at.Store(sequence, name)
			}
		})
	}
	workers.Go(func() {
		for n := 0; !stop.Load(); n++ {
			l, err := ix.Load(ctx, nil)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 50 {
				if err := l.Set("follows", fmt.Sprintf("l%d-%d", n, i), "loaded"); err != nil {
					t.Error(err)
				}
			}
			if err := l.Commit(); err != nil {
				t.Error(err)
			}
		}
	})
	var files [][]byte
	var last *uproar.BackupInfo
	restored := []*uproar.DB{}
	if err := ix.Wait(ctx, 50); err != nil { // there is something to back up
		t.Fatal(err)
	}
	for range 4 {
		var file flushedMeanwhile
		file.ix = ix
		info, err := db.Backup(ctx, &file, &uproar.BackupOptions{Since: last})
		if err != nil {
			t.Fatal(err)
		}
		last, files = info, append(files, file.Bytes())
		restored = append(restored, mustRestore(t, memstore.New(), files...))
		if got, err := restored[len(restored)-1].Index("accounts"); err != nil {
			t.Fatal(err)
		} else if snap := got.Snapshot(); snap.Sequence() != info.Indexes[0].Sequence {
			t.Errorf("restored up to commit %d, want %d", snap.Sequence(), info.Indexes[0].Sequence)
		} else {
			snap.Close()
		}
	}
	stop.Store(true)
	workers.Wait()
	for i, db := range restored {
		ix, _ := db.Index("accounts")
		snap := ix.Snapshot()
		missing, early, n := 0, 0, 0
		there := map[string]bool{}
		for _, key := range strings.Fields(ask(t, ix, "country = de")) {
			there[key] = true
		}
		at.Range(func(sequence, name any) bool {
			n++
			switch {
			case sequence.(uint64) <= snap.Sequence() && !there[name.(string)]:
				missing++
			case sequence.(uint64) > snap.Sequence() && there[name.(string)]:
				early++
			}
			return true
		})
		if missing > 0 || early > 0 || len(there) == 0 {
			t.Errorf("backup %d: of %d commits %d are missing, and %d are there that came later; %d are there", i, n,
				missing, early, len(there))
		}
		q, _ := query.Parse("followers(loaded)")
		if loaded, err := snap.Count(ctx, q); err == nil && loaded%50 != 0 {
			t.Errorf("backup %d: a load is there in part: %d records", i, loaded)
		}
		snap.Close()
	}
}

// chain returns a database, a full backup and two increments of it, in small.
func chain(t testing.TB) (db *uproar.DB, files [][]byte, infos []*uproar.BackupInfo) {
	t.Helper()
	db = openDB(t, memstore.New(), nil)
	t.Cleanup(func() { db.Close() })
	ix := newShop(t, db, "shop")
	rng := rand.New(rand.NewPCG(3, 4))
	var last *uproar.BackupInfo
	for range 3 {
		writeShop(t, ix, rng, 2)
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		writeShop(t, ix, rng, 1)
		var file []byte
		file, last = backup(t, db, last)
		files, infos = append(files, file), append(infos, last)
	}
	return db, files, infos
}

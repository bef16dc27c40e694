// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pebblestore

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/storetest"
)

const (
	damagedKeys  = 2000
	damagedValue = 300
)

func damagedEntry(i int) (key, value []byte) {
	return fmt.Appendf(nil, "key%05d", i), bytes.Repeat([]byte{byte(i), byte(i >> 8), 1}, damagedValue/3)
}

// fill makes a store of some thousand entries and closes it, or copies it as a kill leaves it.
func fill(t *testing.T, dir string, kill bool) {
	t.Helper()
	made := dir
	if kill {
		made = t.TempDir()
	}
	s, err := Open(made, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < damagedKeys; i += 100 {
		b := new(store.Batch)
		for j := range 100 {
			b.Put(damagedEntry(i + j))
		}
		if err := s.Apply(b, true); err != nil {
			t.Fatal(err)
		}
	}
	if kill {
		err = os.CopyFS(dir, os.DirFS(made))
	}
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// check opens a damaged store and looks for every entry: it returns how many are right, and the
// first error. A wrong or missing entry without an error fails the test.
func check(t *testing.T, dir, what string) (right int, err error) {
	t.Helper()
	s, err := Open(dir, nil)
	if err != nil {
		return 0, err
	}
	for i := range damagedKeys {
		key, want := damagedEntry(i)
		getErr := s.Get(key, func(got []byte) error {
			if !bytes.Equal(got, want) {
				t.Errorf("%s: entry %d: a silent wrong answer", what, i)
			}
			right++
			return nil
		})
		if errors.Is(getErr, store.ErrNotFound) {
			t.Errorf("%s: entry %d: silently missing", what, i)
		} else if err == nil {
			err = getErr
		}
	}
	scanned := 0
	scanErr := s.Scan(nil, nil, func(_, _ []byte) error { scanned++; return nil })
	if scanErr == nil && scanned != damagedKeys {
		t.Errorf("%s: a scan of %d entries and no error, want %d", what, scanned, damagedKeys)
	}
	if err := s.Apply(one("more", 10), true); err != nil {
		t.Errorf("%s: Apply: %v", what, err)
	}
	if compactErr := s.Compact(t.Context()); err == nil && compactErr != nil {
		err = compactErr
	}
	if err := closeInTime(t, s); err != nil {
		t.Errorf("%s: Close: %v", what, err)
	}
	return right, err
}

func filesOf(t *testing.T, dir, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) == 0 {
		t.Fatalf("no file is called %s: %v", pattern, err)
	}
	return found
}

// TestFlips flips bits of tables: an error that names the table, and that costs its own block only,
// or none at all.
func TestFlips(t *testing.T) {
	whole := t.TempDir()
	fill(t, whole, false)
	flips := storetest.Times(t, "UPROAR_FLIPS", 2, 15, 200)
	noticed := 0
	for range flips {
		dir := filepath.Join(t.TempDir(), "db")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		table := filesOf(t, dir, "*.sst")[0]
		content, err := os.ReadFile(table)
		if err != nil {
			t.Fatal(err)
		}
		at, bit := rand.IntN(len(content)), rand.IntN(8)
		content[at] ^= 1 << bit
		if err := os.WriteFile(table, content, 0o600); err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("bit %d of byte %d of %d", bit, at, len(content))
		right, err := check(t, dir, what)
		if err == nil {
			if right != damagedKeys {
				t.Errorf("%s: %d entries and no error, want %d", what, right, damagedKeys)
			}
			continue
		}
		noticed++
		name := strings.TrimSuffix(filepath.Base(table), ".sst")
		if text := err.Error(); !errors.Is(err, store.ErrCorrupt) || !strings.Contains(text, name) ||
			strings.Contains(text, "\n") {
			t.Errorf("%s: got %v, want %v and the name %s", what, err, store.ErrCorrupt, name)
		}
		if at < 9*len(content)/10 && right < damagedKeys-100 { // else it may be in the index
			t.Errorf("%s: %d entries are readable, want all but one block of %d", what, right, damagedKeys)
		}
	}
	if noticed < flips/2 {
		t.Errorf("%d of %d flips were noticed", noticed, flips)
	}
}

// TestFilesDamaged has files missing, cut or replaced: opening refuses the store and names the
// file, or nothing is missing.
func TestFilesDamaged(t *testing.T) {
	for what, c := range map[string]struct {
		kill    bool
		pattern string
		damage  func(name string) error
		want    string // part of the error; "": all is there
	}{
		"table missing": {false, "*.sst", os.Remove, "0000"},
		"table cut":     {false, "*.sst", func(name string) error { return os.Truncate(name, 1000) }, ".sst"},
		"manifest gone": {false, "MANIFEST-*", os.Remove, "MANIFEST"},
		"options garbled": {false, "OPTIONS-*",
			func(name string) error { return os.WriteFile(name, []byte("x"), 0o600) }, ""},
		"options missing": {false, "OPTIONS-*", os.Remove, ""},
		"log missing":     {true, "*.log", os.Remove, "log"},
	} {
		dir := filepath.Join(t.TempDir(), "db")
		fill(t, dir, c.kill)
		for _, name := range filesOf(t, dir, c.pattern) {
			if err := c.damage(name); err != nil {
				t.Fatal(err)
			}
		}
		_, err := os.Stat(dir)
		if err == nil {
			var s *Store
			if s, err = Open(dir, nil); err == nil {
				n := 0
				err = s.Keys(nil, nil, func([]byte) error { n++; return nil })
				if err == nil && n != damagedKeys {
					t.Errorf("%s: %d entries and no error, want %d", what, n, damagedKeys)
				}
				_ = s.Close()
			}
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", what, err)
		case c.want != "" && (!errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %v and %s", what, err, store.ErrCorrupt, c.want)
		}
	}
}

// TestTableLost has a table vanish from under an open store: an error, not the end of the process.
func TestTableLost(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, false)
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range filesOf(t, dir, "*.sst") {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(10 * time.Millisecond)
	key, _ := damagedEntry(1)
	if err := s.Get(key, func([]byte) error { return nil }); err != nil && !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("got %v, want %v, or the entry where the table was open", err, store.ErrCorrupt)
	}
	_ = closeInTime(t, s)
}

// damage has a copy of a store changed, and returns its folder.
func damage(t *testing.T, whole, pattern string, change func(name string, content []byte) error) (dir, newest string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "db")
	if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
		t.Fatal(err)
	}
	files := filesOf(t, dir, pattern)
	newest = files[len(files)-1]
	content, err := os.ReadFile(newest)
	if err == nil {
		err = change(newest, content)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, newest
}

// TestLogDamaged flips bits of the newest log of a killed store, cuts it and removes it: the store
// is refused with the name of the log, for reading too and again and again, and opens with an older
// state, of whole batches, when the mark is emptied.
func TestLogDamaged(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "db")
	fill(t, whole, true)
	rounds := 20
	if testing.Short() {
		rounds = 4
	}
	for round := range rounds {
		what := ""
		dir, newest := damage(t, whole, "*.log", func(name string, content []byte) error {
			at := rand.IntN(len(content) - 100)
			switch {
			case round == 0:
				what = "missing"
				return os.Remove(name)
			case round%4 == 1:
				what = fmt.Sprintf("cut at byte %d of %d", at, len(content))
				return os.Truncate(name, int64(at))
			}
			what = fmt.Sprintf("byte %d of %d", at, len(content))
			content[at] ^= 1 << rand.IntN(8)
			return os.WriteFile(name, content, 0o600)
		})
		for i := range 3 {
			_, err := Open(dir, &Options{ReadOnly: i == 1})
			if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), filepath.Base(newest)) ||
				!strings.Contains(err.Error(), "Try:") {
				t.Fatalf("%s: got %v, want %v, the name %s and advice", what, err, store.ErrCorrupt, newest)
			}
		}
		if err := os.Truncate(filepath.Join(dir, FileName), 0); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir, nil)
		if errors.Is(err, store.ErrCorrupt) { // the engine has found it too
			if err = os.Remove(newest); err == nil {
				s, err = Open(dir, nil)
			}
		}
		if err != nil {
			t.Fatalf("%s: without the mark: %v", what, err)
		}
		n := 0
		_ = s.Keys(nil, nil, func([]byte) error { n++; return nil })
		if n%100 != 0 || n >= damagedKeys {
			t.Errorf("%s: without the mark: %d entries, want some hundreds", what, n)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestFlipsEverywhere flips a bit of any file of stores that were closed or killed: all entries are
// right or an error, without a panic and in bounded time.
func TestFlipsEverywhere(t *testing.T) {
	stores := []string{filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "db")}
	fill(t, stores[0], false)
	fill(t, stores[1], true)
	flips := storetest.Times(t, "UPROAR_FLIPS", 8, 20, 1000)
	found := map[string]int{}
	for i := range flips {
		files, err := os.ReadDir(stores[i%2])
		if err != nil {
			t.Fatal(err)
		}
		name, what := files[rand.IntN(len(files))].Name(), ""
		dir, _ := damage(t, stores[i%2], name, func(path string, content []byte) error {
			if len(content) == 0 {
				return nil
			}
			at, bit := rand.IntN(len(content)), rand.IntN(8)
			what = fmt.Sprintf("%s of %s, bit %d of byte %d of %d", name, []string{"closed", "killed"}[i%2], bit, at,
				len(content))
			content[at] ^= 1 << bit
			return os.WriteFile(path, content, 0o600)
		})
		began := time.Now()
		right, err := check(t, dir, what)
		kind := []string{"closed ", "killed "}[i%2] + strings.Trim(name, "0123456789-")
		switch {
		case err == nil && right == damagedKeys:
			found[kind+": right"]++
		case err == nil:
			t.Errorf("%s: %d entries and no error, want %d", what, right, damagedKeys)
		case !errors.Is(err, store.ErrCorrupt):
			t.Errorf("%s: got %v, want %v", what, err, store.ErrCorrupt)
		case right == 0:
			found[kind+": refused"]++
		default:
			found[kind+": some entries are errors"]++
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: took %v", what, took)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	t.Log(found)
}

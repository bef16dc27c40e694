// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/uproar-db/uproar/store"
)

const damagedKeys = 2000

// damagedEntry has a large value among small ones.
func damagedEntry(i int) (key, value []byte) {
	n := 100
	if i%20 == 0 {
		n = 3000
	}
	return fmt.Appendf(nil, "key%05d", i), bytes.Repeat([]byte{byte(i), byte(i >> 8), 1}, n)
}

// damagedStore makes a store of some thousand entries, and of pages that were used before. It
// closes it, or copies it as a kill leaves it.
func damagedStore(t *testing.T, dir string, kill bool) {
	t.Helper()
	made := dir
	if kill {
		made = t.TempDir()
	}
	s, err := Open(made, nil)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		for i := 0; i < damagedKeys; i += 100 {
			b := new(store.Batch)
			for j := i; j < i+100; j++ {
				if key, value := damagedEntry(j); round == 1 {
					b.Put(key, value)
				} else if j%3 == 0 {
					b.Put(key, []byte("old"))
				}
			}
			if err := s.Apply(b, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	if kill {
		err = os.CopyFS(dir, os.DirFS(made))
	}
	if err = errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// checkDamaged opens a damaged store and looks for every entry: it returns how many are right, and
// the first error. A wrong or missing entry without an error fails the test.
func checkDamaged(t *testing.T, dir, what string) (right int, err error) {
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
	verifyErr := s.Verify(t.Context())
	if scanErr == nil && scanned != damagedKeys || err != nil && (scanErr == nil || verifyErr == nil) {
		t.Errorf("%s: a scan of %d entries, %v, want %d; Verify: %v; Get: %v", what, scanned, scanErr, damagedKeys, verifyErr,
			err)
	}
	if err == nil {
		err = verifyErr
	}
	for i := 0; i < damagedKeys; i += 149 { // written and deleted beside the damage, which is not hidden by it
		b := new(store.Batch)
		key, value := damagedEntry(i)
		b.Put(append(key, 'x'), nil)
		if i%2 == 0 {
			b.Delete(key)
		}
		applyErr := s.Apply(b, true)
		if applyErr != nil && (err == nil || !errors.Is(applyErr, store.ErrCorrupt)) {
			t.Errorf("%s: Apply: %v; before: %v", what, applyErr, err)
		}
		b.Reset()
		b.Delete(append(key, 'x'))
		b.Put(key, value)
		if applyErr == nil && s.Apply(b, true) != nil && err == nil {
			t.Errorf("%s: Apply: no error, and then one", what)
		}
	}
	if after := s.Verify(t.Context()); err == nil && after != nil {
		t.Errorf("%s: Verify after writing: %v, before: %v", what, after, err)
	}
	if compactErr := s.Compact(t.Context()); (compactErr == nil) != (s.Verify(t.Context()) == nil) {
		t.Errorf("%s: Compact: got %v, want what Verify says", what, compactErr)
	}
	if err := closeInTime(t, s); err != nil {
		t.Errorf("%s: Close: %v", what, err)
	}
	return right, err
}

func mustOpenFile(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// flipAt changes a byte of a file.
func flipAt(t *testing.T, path string, at int64) {
	t.Helper()
	flipBit(t, path, at, 0x10)
}

func flipBit(t *testing.T, path string, at int64, mask byte) {
	t.Helper()
	f, b := mustOpenFile(t, path), make([]byte, 1)
	_, err := f.ReadAt(b, at)
	b[0] ^= mask
	if _, writeErr := f.WriteAt(b, at); errors.Join(err, writeErr) != nil {
		t.Fatal(err, writeErr)
	}
}

// TestScanBehindDamage damages one leaf: a scan ends there with an error that names a key, and goes
// on behind it.
func TestScanBehindDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	damagedStore(t, dir, false)
	path := filepath.Join(dir, FileName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	place := bytes.LastIndex(content, []byte("\x01key01001"))
	for ; place >= 0; place = bytes.LastIndex(content[:place], []byte("\x01key01001")) {
		flipAt(t, path, int64(place)+5) // in old copies too, and in branches
	}
	s, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before, behind := 0, 0
	err = s.Scan(nil, nil, func(_, _ []byte) error { before++; return nil })
	if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "key") || before < 900 || before > 1001 {
		t.Errorf("got %d entries and %v, want about 1000 and %v with a key", before, err, store.ErrCorrupt)
	}
	err = s.Scan(nil, []byte("key01100"), func(_, _ []byte) error { behind++; return nil })
	if err != nil || behind != 900 {
		t.Errorf("behind the damage: got %d entries and %v, want 900", behind, err)
	}
	key, _ := damagedEntry(1001)
	if err := s.Get(key, func([]byte) error { return nil }); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("the key itself: got %v, want %v", err, store.ErrCorrupt)
	}
	if err := s.Verify(t.Context()); !errors.Is(err, store.ErrCorrupt) {
		t.Errorf("Verify: got %v, want %v", err, store.ErrCorrupt)
	}
}

// TestRootDamaged damages either root. Of a store that was closed, or when the older one is
// damaged, everything is there. Otherwise opening is refused until the mark is removed; the lost
// number is not given again.
func TestRootDamaged(t *testing.T) {
	for _, kill := range []bool{false, true} {
		for slot := range uint64(2) {
			what := fmt.Sprintf("killed %v, root %d", kill, slot)
			dir := filepath.Join(t.TempDir(), "db")
			damagedStore(t, dir, kill)
			path := filepath.Join(dir, FileName)
			roots, err := readMetas(mustOpenFile(t, path))
			if err != nil || len(roots) != 2 || (roots[0].txid == roots[1].txid) == kill {
				t.Fatalf("%s: %d roots, want 2, alike if closed: %v", what, len(roots), err)
			}
			latest := roots[0].txid
			flipAt(t, path, int64(slot)*pageSize+50)
			s, err := Open(dir, &Options{ReadOnly: true})
			if err == nil {
				_ = s.Close()
			}
			if lost := kill && slot == roots[0].slot; lost {
				for range 2 {
					if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "Try:") {
						t.Errorf("%s: got %v, want %v and advice", what, err, store.ErrCorrupt)
					}
					_, err = Open(dir, nil)
				}
				if err := os.Remove(path + markSuffix); err != nil {
					t.Fatal(err)
				}
			}
			if s, err = Open(dir, nil); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			roots, err = readMetas(mustOpenFile(t, path))
			if err != nil || len(roots) != 2 || roots[1].txid <= latest {
				t.Errorf("%s: opened: roots %v, %v, want two numbers above %d", what, roots, err, latest)
			}
			if err := errors.Join(s.Verify(t.Context()), s.Apply(one("more", 1), true), s.Close()); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// TestVerifyMissing takes an entry away behind the store's back: Verify and Compact miss it.
func TestVerifyMissing(t *testing.T) {
	s := mustOpen(t)
	compactPut(t, s, "a", 100, 100)
	if err := s.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	err := s.engine.Load().db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(entries).Delete(storedKey(nil, []byte("a00050")))
	})
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{"Verify": s.Verify(t.Context()), "Compact": s.Compact(t.Context())} {
		if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "99 entries") {
			t.Errorf("%s: got %v, want %v and how many there are", what, err, store.ErrCorrupt)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Verify(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("Verify, cancelled: got %v, want %v", err, context.Canceled)
	}
}

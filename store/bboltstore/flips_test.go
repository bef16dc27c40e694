// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bboltstore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/storetest"
)

// TestFlipsEverywhere flips a bit of any file of stores that were closed or killed: all entries are
// right or an error, without a panic and in bounded time.
func TestFlipsEverywhere(t *testing.T) {
	stores := []string{filepath.Join(t.TempDir(), "db"), filepath.Join(t.TempDir(), "db")}
	damagedStore(t, stores[0], false)
	damagedStore(t, stores[1], true)
	flips := storetest.Times(t, "UPROAR_FLIPS", 4, 20, 1000)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	found := map[string]int{}
	for i := range flips {
		name, kind := FileName, []string{"closed ", "killed "}[i%2]
		dir := filepath.Join(t.TempDir(), "db")
		if err := os.CopyFS(dir, os.DirFS(stores[i%2])); err != nil {
			t.Fatal(err)
		}
		if i%20 < 2 {
			name += markSuffix
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		roots, err := readMetas(mustOpenFile(t, filepath.Join(dir, FileName)))
		if err != nil {
			t.Fatal(err)
		}
		at := rng.IntN(len(content))
		if name == FileName { // what lies behind the last page is never read
			at = rng.IntN(int(roots[0].pages) * pageSize)
			switch i / 2 % 4 {
			case 1: // the roots, and the beginnings of pages: headers, elements, keys
				at = rng.IntN(2)*pageSize + rng.IntN(pageHeader+metaSize)
			case 2, 3:
				at = at/pageSize*pageSize + rng.IntN(160)
			}
		}
		bit := rng.IntN(8)
		content[at] ^= 1 << bit
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("%s of %s, bit %d of byte %d of %d", name, kind, bit, at, len(content))
		began := time.Now()
		right, err := checkDamaged(t, dir, what)
		if kind += name; name == FileName {
			kind += ", " + whatIsAt(content, at)
		}
		switch {
		case err == nil && right == damagedKeys:
			found[kind+": right"]++
		case err == nil:
			t.Errorf("%s: %d entries and no error, want %d", what, right, damagedKeys)
		case !errors.Is(err, store.ErrCorrupt):
			t.Errorf("%s: got %v, want %v", what, err, store.ErrCorrupt)
		case right == 0:
			found[kind+": refused"]++
		case right == damagedKeys:
			found[kind+": right, and an error of Verify"]++
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
	for kind, n := range found {
		t.Logf("%4d %s", n, kind)
	}
}

// whatIsAt names what a page says that it is.
func whatIsAt(content []byte, at int) string {
	b := content[at/pageSize*pageSize:]
	if id := order.Uint64(b); id != uint64(at/pageSize) {
		return "a page that follows or is free"
	}
	names := map[uint16]string{branchKind: "a branch", leafKind: "a leaf", metaKind: "a root",
		freelistKind: "the free list"}
	return names[order.Uint16(b[8:])] + " in use or free"
}

// TestBranchKeys changes the keys of branches: no entry vanishes without an error.
func TestBranchKeys(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	damagedStore(t, dir, false)
	path := filepath.Join(dir, FileName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flips, noticed := 0, 0
	for at := 2 * pageSize; at < len(content); at += pageSize {
		p, err := pageAt(content[at:], uint64(at/pageSize))
		if err != nil || p.leaf {
			continue
		}
		for i := range p.count {
			if flips++; testing.Short() && flips%29 > 0 || len(p.key(i)) < 9 {
				continue
			}
			key := p.key(i)
			position := int64(len(content) - cap(key) + 4 + i%5) // of one of its digits
			flipBit(t, path, position, 1<<(i%4))
			if s, err := Open(dir, &Options{ReadOnly: true}); err == nil {
				wrong := 0
				for j := range damagedKeys {
					key, _ := damagedEntry(j)
					if err := s.Get(key, func([]byte) error { return nil }); errors.Is(err, store.ErrCorrupt) {
						wrong++
					} else if err != nil {
						t.Errorf("page %d, key %d, %q: entry %d: %v", at/pageSize, i, p.key(i), j, err)
					}
				}
				noticed += min(wrong, 1)
				_ = s.Close()
			}
			flipBit(t, path, position, 1<<(i%4))
		}
	}
	if noticed == 0 {
		t.Errorf("%d keys in branches, none was noticed", flips)
	}
}

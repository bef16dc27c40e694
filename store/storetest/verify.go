// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store"
)

// Times returns how often a test does something: a number from the environment, or one for the form
// that is asked for.
func Times(t *testing.T, variable string, short, usual, many int) int {
	t.Helper()
	switch text := os.Getenv(variable); {
	case text != "":
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("%s: got %q, want a number above 0", variable, text)
		}
		return n
	case testing.Short():
		return short
	case long:
		return many
	}
	return usual
}

// RunVerify flips bits of the files of an open store. Where Verify finds nothing, the files as they
// are then open, and have everything: so it reads all that a reader may meet.
func RunVerify(t *testing.T, open Opener) {
	dir := filepath.Join(t.TempDir(), "db")
	l := mustOpen(t, open, dir)
	verifier, ok := l.store.(store.Verifier)
	if !ok {
		t.Skip("the store has no Verify")
	}
	want := model{}
	fill := func(from, to int) {
		for i := from; i < to; i += 20 {
			b := new(store.Batch)
			for j := i; j < i+20; j++ {
				b.Put(fmt.Appendf(nil, "key%05d", j), []byte(strings.Repeat(strconv.Itoa(j), 30+j%20*40)))
			}
			want.apply(b)
			if err := l.store.Apply(b, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill(0, 400)
	if compacter, ok := l.store.(store.Compacter); ok {
		if err := compacter.Compact(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	fill(300, 600)
	if err := verifier.Verify(t.Context()); err != nil {
		t.Fatalf("a whole store: %v", err)
	}
	var names []string
	for _, name := range filesIn(t, dir) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Size() > 0 {
			names = append(names, name)
		}
	}
	rng, found := newRand(t), map[string]int{}
	for i := range Times(t, "UPROAR_FLIPS", 3*len(names), 30*len(names), 1000) {
		name := names[i%len(names)]
		undo := flip(t, rng, filepath.Join(dir, name))
		err := verifier.Verify(t.Context())
		copied := filepath.Join(t.TempDir(), "db")
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if undo(); err != nil {
			if !errors.Is(err, store.ErrCorrupt) {
				t.Errorf("%s: got %v, want %v", name, err, store.ErrCorrupt)
			}
			found[name]++
			continue
		}
		s, err := open(copied)
		if err != nil {
			t.Errorf("%s: Verify found nothing, opening it: %v", name, err)
			continue
		}
		want.check(t, s)
		if err := errors.Join(s.Close(), os.RemoveAll(copied)); err != nil {
			t.Error(err)
		}
	}
	t.Log(found)
	if len(found) < 2 {
		t.Errorf("damage was found in %v, want it in two files at least", found)
	}
	if err := errors.Join(verifier.Verify(t.Context()), l.store.Close()); err != nil {
		t.Error(err)
	}
}

func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// flip flips a bit of a file, in its place, and returns what flips it back.
func flip(t *testing.T, rng *rand.Rand, path string) (undo func()) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at, mask := rng.Int64N(int64(len(content))), byte(1)<<rng.IntN(8)
	for range 1000 { // a place where something stands
		if content[at] == 0 {
			at = rng.Int64N(int64(len(content)))
		}
	}
	undo = func() {
		t.Helper()
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 1)
		_, err = f.ReadAt(b, at)
		b[0] ^= mask
		_, writeErr := f.WriteAt(b, at)
		if err := errors.Join(err, writeErr, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	undo()
	return undo
}

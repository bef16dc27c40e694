// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar/store/memstore"
)

// appendTestDID appends a DID of random digits.
func appendTestDID(dst []byte, rng *rand.Rand) []byte {
	dst = append(dst, didPrefix...)
	for range didDigits {
		dst = append(dst, base32[rng.IntN(len(base32))])
	}
	return dst
}

// TestAppendAll: the keys of many IDs are those of each alone, whether pages hold DIDs only, other keys or both, or a delta holds them, in whatever order they are
// asked for; and reading ends where an ID has no key.
func TestAppendAll(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	rng := rand.New(rand.NewPCG(41, 42))
	const each = 12_000 // some pages of DIDs only, then some that are mixed
	var names []string
	commit := func() {
		t.Helper()
		var b Batch
		for i := range each {
			name := string(appendTestDID(nil, rng))
			if i > each/2 && i%3 == 0 {
				name = fmt.Sprintf("record %d", len(names))
			}
			names = append(names, name)
			b.Set(Exists, ID(0), b.Key(RecordSpace, name))
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
	}
	flush := func() {
		t.Helper()
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(dst, key []byte) []byte { return append(append(dst, key...), '\n') }
	compare := func() {
		t.Helper()
		snap := ix.Snapshot()
		defer snap.Close()
		for _, n := range []int{0, 1, keyGroup, keyGroup + 1, 1000, len(names)} {
			for _, ascending := range []bool{true, false} {
				ids := make([]uint64, n)
				for i := range ids {
					if ids[i] = rng.Uint64N(uint64(len(names))); i%50 == 49 && n == 1000 {
						ids[i] = uint64(len(names)) + rng.Uint64N(2) // none has it
					}
				}
				if ascending {
					slices.Sort(ids)
				}
				var want []byte
				one, wanted := snap.Keys(RecordSpace), 0
				for _, id := range ids {
					key, ok, err := one.Key(id)
					if err != nil {
						t.Fatal(err)
					}
					if !ok {
						break
					}
					if string(key) != names[id] {
						t.Fatalf("ID %d: got %q, want %q", id, key, names[id])
					}
					want = lines(want, key)
					wanted++
				}
				r := snap.Keys(RecordSpace)
				for range 2 { // what the reader remembers of the first time changes nothing
					got, done, err := r.AppendAll([]byte("before\n"), ids, lines)
					if err != nil || done != wanted || !bytes.Equal(got, append([]byte("before\n"), want...)) {
						t.Fatalf("%d IDs, ascending %v: got %d keys, %v, want %d, or another text", n, ascending, done, err, wanted)
					}
				}
			}
		}
	}
	commit()
	compare()
	flush()
	compare()
	refs, sized := ix.state.Load().version.fields[RecordSpace], 0
	for i := range refs {
		if p, err := ix.page(&refs[i]); err != nil || p.each == 1+didBytes {
			sized++
		}
	}
	if sized == 0 || sized == len(refs) {
		t.Errorf("got %d of %d pages with keys of one length only, want some", sized, len(refs))
	}
	commit()
	compare()
	var b Batch
	for i := range 100 {
		b.Delete(ID(uint64(200 * i)))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	flush()
	snap := ix.Snapshot()
	defer snap.Close()
	all := make([]uint64, len(names))
	for i := range all {
		all[i] = uint64(i)
	}
	r := snap.Keys(RecordSpace)
	if _, done, err := r.AppendAll(nil, all[5001:], lines); done != 199 || err != nil {
		t.Errorf("up to a key that was taken away: got %d keys, %v, want 199", done, err)
	}
	ix.Close()
	if _, _, err := r.AppendAll(nil, all[1:2], lines); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: got %v, want %v", err, ErrClosed)
	}
}

// TestDigits: every digit stands for its five bits at every place of a DID.
func TestDigits(t *testing.T) {
	for place := range didDigits {
		for i := range len(base32) {
			key := []byte(didPrefix + "aaaaaaaaaaaaaaaaaaaaaaaa")
			key[len(didPrefix)+place] = base32[i]
			code := appendKey(nil, string(key))
			if len(code) != 1+didBytes {
				t.Fatalf("%s: got a code of %d bytes", key, len(code))
			}
			if got, ok := appendKeyText([]byte("x"), code); !ok || string(got) != "x"+string(key) {
				t.Errorf("got %s, %v, want %s", got, ok, key)
			}
		}
	}
}

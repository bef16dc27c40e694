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

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/store/memstore"
)

// appendTestDID appends a DID of random digits.
func appendTestDID(dst []byte, rng *rand.Rand) []byte {
	dst = append(dst, format.DIDPrefix...)
	for range format.DidDigits {
		dst = append(dst, format.Base32[rng.IntN(len(format.Base32))])
	}
	return dst
}

// doubled appends a key with its quotes doubled.
func doubled(dst, key []byte) []byte {
	return append(dst, bytes.ReplaceAll(key, []byte{'"'}, []byte{'"', '"'})...)
}

// testForms are forms of keys, with less and more around them than goes into a word.
var testForms = []reader.KeyForm{
	{}, {After: "\n"}, {Before: "> "}, {Between: "\n"}, {Escape: doubled},
	{Before: `"`, After: `"`, Between: ",", Escape: doubled},
	{Before: "<p>", After: "</p>", Between: "\n"}, {Before: "<p>", After: "</p>", Between: "\r\n", Escape: doubled},
	{Before: "<li class=account>", After: "</li>", Between: "\n<!-- and the next: -->\n", Escape: doubled},
}

// awkwardKeys are keys that nearly are DIDs of the PLC method, match packed DIDs in length, or need
// escapes.
var awkwardKeys = []string{
	`a "quoted" key`, `""`, "did:plc:aaaaaaaaaaaaaaaaaaaaaaa\"", "did:plc:AAAAAAAAAAAAAAAAAAAAAAAA",
	"did:plc:aaaaaaaaaaaaaaaaaaaaaaa1", "did:plc:aaaaaaaaaaaaaaaaaaaaaaa", "did:plc:aaaaaaaaaaaaaaaaaaaaaaaaa",
	"did:web:example.org", "\x01fifteen bytes\"", "fifteen \"bytes\"", "\x00", "k",
}

// TestAppendAll: the keys of many IDs are those of each alone, in all forms, whether pages hold
// DIDs only, other keys or both, or a delta holds them, in whatever order they are asked for; and
// reading ends where an ID has no key.
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
			switch {
			case i < len(awkwardKeys) && len(names) == i+each:
				name = awkwardKeys[i]
			case i > each/2 && i%3 == 0:
				name = fmt.Sprintf("record \"%d\"", len(names))
			case i < each/4 && i%100 == 7: // as long as a DID in pages
				name = fmt.Sprintf("record \"%06d\"", len(names))
			}
			names = append(names, name)
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, name))
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
	compare := func() {
		t.Helper()
		snap := ix.Snapshot()
		defer snap.Close()
		for _, n := range []int{0, 1, reader.KeyGroup, reader.KeyGroup + 1, 1000, len(names)} {
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
				one, wanted := snap.Keys(model.RecordSpace), 0
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
					wanted++
				}
				r := snap.Keys(model.RecordSpace)
				for i, form := range testForms { // what the reader remembers of one changes nothing in the next
					want := []byte("before")
					for j, id := range ids[:wanted] {
						if j > 0 {
							want = append(want, form.Between...)
						}
						text := names[id]
						if form.Escape != nil {
							text = string(doubled(nil, []byte(text)))
						}
						want = fmt.Appendf(want, "%s%s%s", form.Before, text, form.After)
					}
					got, done, err := r.AppendAll([]byte("before"), ids, form)
					if err != nil || done != wanted || !bytes.Equal(got, want) {
						t.Fatalf("%d IDs, ascending %v, form %d: got %d keys, %v, want %d, or another text", n,
							ascending, i, done, err, wanted)
					}
				}
			}
		}
	}
	commit()
	compare()
	flush()
	compare()
	refs, sized := ix.source.State.Load().Version.Fields[model.RecordSpace].Refs, 0
	for i := range refs {
		if p, err := ix.source.Page(&refs[i]); err != nil || p.Each == 1+format.DidBytes {
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
		b.Delete(model.ID(uint64(200 * i)))
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
	r := snap.Keys(model.RecordSpace)
	if _, done, err := r.AppendAll(nil, all[5001:], reader.KeyForm{}); done != 199 || err != nil {
		t.Errorf("up to a key that was taken away: got %d keys, %v, want 199", done, err)
	}
	ix.Close()
	if _, _, err := r.AppendAll(nil, all[1:2], reader.KeyForm{}); !errors.Is(err, model.ErrClosed) {
		t.Errorf("after Close: got %v, want %v", err, model.ErrClosed)
	}
}

// TestAppendAllSparse: on pages that have lost most of their keys, an ID has its own key or none.
func TestAppendAllSparse(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 1<<20))
	rng := rand.New(rand.NewPCG(45, 46))
	var b, taken Batch
	var left []uint64
	var want []byte
	for i := range uint64(1000) {
		name := appendTestDID(nil, rng)
		b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, string(name)))
		if i%7 != 0 {
			taken.Delete(model.ID(i))
			continue
		}
		left, want = append(left, i), append(append(want, name...), '\n')
	}
	for _, commit := range []*Batch{&b, &taken} {
		if _, err := ix.Commit(t.Context(), commit); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	p, err := ix.source.Page(&ix.source.State.Load().Version.Fields[model.RecordSpace].Refs[0])
	if err != nil || !p.Sparse() || p.Each != 1+format.DidBytes {
		t.Fatalf("got a page that has slots for all, or keys of several lengths, %v", err)
	}
	snap := ix.Snapshot()
	defer snap.Close()
	r := snap.Keys(model.RecordSpace)
	got, done, err := r.AppendAll(nil, left, reader.KeyForm{After: "\n"})
	if err != nil || done != len(left) || !bytes.Equal(got, want) {
		t.Errorf("got %d keys, %v, want %d, or another text", done, err, len(left))
	}
	if _, done, err = r.AppendAll(nil, []uint64{0, 7, 8}, reader.KeyForm{}); err != nil || done != 2 {
		t.Errorf("up to a key that was taken away: got %d keys, %v, want 2", done, err)
	}
}

// TestStrangeCodec: a key in a codec that is none ends a list with an error, after the keys before
// it.
func TestStrangeCodec(t *testing.T) {
	for _, size := range []int{15, 16} { // as long as a DID of the PLC method in pages, and not
		ix := open(t, memstore.New(), testConfig(t, 1<<20))
		var b Batch
		rng := rand.New(rand.NewPCG(43, 44))
		ids := make([]uint64, 300)
		for i := range ids {
			name := string(appendTestDID(nil, rng))
			if i >= 200 {
				name = fmt.Sprintf("%0*d", size, i)
			}
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, name))
			ids[i] = uint64(i)
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{250, 100, 1, 0} {
			p, err := ix.source.Page(&ix.source.State.Load().Version.Fields[model.RecordSpace].Refs[0])
			if err != nil {
				t.Fatal(err)
			}
			p.Row(uint64(at))[0] = format.CodecDID + 1
			snap := ix.Snapshot()
			r := snap.Keys(model.RecordSpace)
			got, done, err := r.AppendAll([]byte("x"), ids, reader.KeyForm{After: "\n"})
			if !errors.Is(err, model.ErrCorrupt) || done != at || bytes.Count(got, []byte("\n")) != at {
				t.Errorf("key %d of %d bytes: got %d keys, %v, and %q, want %d and %v", at, size, done, err, got, at,
					model.ErrCorrupt)
			}
			snap.Close()
		}
	}
}

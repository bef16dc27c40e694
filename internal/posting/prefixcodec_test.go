// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestSuccessor: the number at the end of a key goes on, also from nines.
func TestSuccessor(t *testing.T) {
	for key, want := range map[string]string{"0": "1", "9": "10", "99": "100", "p9": "p10", "p09": "p10",
		"p199": "p200", "a9b9": "a9b10", "1.99": "1.100", "p0": "p1"} {
		if got := format.Successor([]byte(key)); string(got) != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
}

// TestNearPages: pages of keys with gaps between them come back as pages with slots, and are only
// written where they are much smaller.
func TestNearPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 31))
	for round := range 300 {
		var rows []format.Row
		key, at := fmt.Sprint("k", rng.IntN(1000)), 0
		for range 1 + rng.IntN(200) {
			rows = append(rows, format.Row{Offset: uint16(at), Values: 1, Body: format.AppendKey(nil, key)})
			if at++; rng.IntN(10) == 0 {
				at += rng.IntN(300)
			}
			if rng.IntN(1+round%8) > 0 || !format.IsDigit(key[len(key)-1]) {
				key = key[:rng.IntN(len(key))] + strings.Repeat(string("x09"[rng.IntN(3)]), 1+rng.IntN(30))
			} else {
				key = string(format.Successor([]byte(key)))
			}
		}
		want := format.AppendSlots(format.Keys, rows)
		near := format.PrefixPage(rows, 1<<30)
		if near == nil {
			t.Fatalf("round %d: got no page", round)
		}
		if got, ok := format.Spelt(near); !ok || !bytes.Equal(got, want) {
			t.Fatalf("round %d: got %x, %v, want %x", round, got, ok, want)
		}
		if got, small := format.AppendPage(format.Keys, rows),
			len(near)*format.PrefixPart <= len(want); small != (got[1] == format.PageVersion) || len(got) > len(want) {
			t.Fatalf("round %d: got version %d for %d bytes, %d with slots", round, got[1], len(near), len(want))
		}
		r := format.Ref{Field: 1, Generation: 1}
		pageKey := format.AppendPageKey(nil, 1, &r)
		for cut := range 3 {
			short := bytes.Clone(near[:len(near)-1-cut])
			if len(short) < format.PageHeadLen {
				continue
			}
			if seal.Write(pageKey, short); cut == 0 {
				if _, err := format.OpenPage(&r, pageKey, short); !errors.Is(err, model.ErrCorrupt) {
					t.Fatalf("round %d: got %v for a page that is cut off, want ErrCorrupt", round, err)
				}
			}
		}
	}
	// A page that begins before its first key, as its ref does not.
	late := append([]byte{format.MagicPage, format.PageVersion, format.Keys, 0, 0, 0, 0, 0, 3, 0, 0, 0},
		format.NearNone, 1, 0x01, 'a')
	if got, ok := format.Spelt(late); ok {
		t.Errorf("got %x of a page that begins with IDs that have no key, want none", got)
	}
	packed := []format.Row{{Offset: 0, Values: 1, Body: format.AppendKey(nil, "did:plc:ewvi7nxzyoun6zhxrhs64oiz")}}
	if format.PrefixPage(packed, 1<<30) != nil {
		t.Error("got a page of near keys of a packed one")
	}
}

// TestNumberedKeys: keys that are numbered take next to nothing in pages and log, are found both
// ways, and are gone when their records are.
func TestNumberedKeys(t *testing.T) {
	ix := open(t, memstore.New(), testConfig(t, 64<<20))
	const keys = 20_000
	for from := 0; from < keys; from += 5000 {
		var b Batch
		for i := range 5000 {
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, fmt.Sprint("person", from+i)))
		}
		if _, err := ix.Commit(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	size := func() (bytes, pages int) {
		for _, r := range ix.State.Load().Version.Fields[model.RecordSpace].Refs {
			bytes, pages = bytes+int(r.Bytes), pages+1
		}
		return bytes, pages
	}
	if got, pages := size(); got > 60*pages || pages > 15 {
		t.Errorf("got %d bytes of keys in %d pages", got, pages)
	}
	check := func(gone map[int]bool) {
		t.Helper()
		snap := ix.Snapshot()
		defer snap.Close()
		for i := range keys {
			want := fmt.Sprint("person", i)
			id, ok, err := snap.Lookup(model.RecordSpace, want)
			if err != nil || ok == gone[i] {
				t.Fatalf("%s: got %v, %v, want %v", want, ok, err, !gone[i])
			}
			if !ok {
				continue
			}
			if text, ok, err := snap.AppendKey(nil, model.RecordSpace, id); err != nil || !ok || string(text) != want {
				t.Fatalf("%s: got %q, %v, %v", want, text, ok, err)
			}
		}
	}
	check(nil)
	gone := map[int]bool{}
	var b Batch
	for i := 100; i < keys; i += 700 {
		gone[i] = true
		b.Delete(model.ID(uint64(i)))
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(gone)
	if err := ix.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

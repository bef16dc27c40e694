// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/roaring/pack"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestVerifyFindsWithinPages makes pages whose checksums are right and whose entries are not where
// they belong.
func TestVerifyFindsWithinPages(t *testing.T) {
	s := memstore.New()
	ix := open(t, s, testConfig(t, 16<<20))
	defer ix.Close()
	commitNumbered(t, ix, 0, 20)
	var b Batch
	for i := range uint64(60_000) {
		b.Set(country, model.ID(1<<20), model.ID(i*i<<4)) // a list of several pieces, of records that do not exist
	}
	if _, err := ix.Commit(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	rewritten := func(r *format.Ref, change func(p *format.Page) []byte) error {
		key := format.AppendPageKey(nil, ix.source.ID, r)
		p, err := ix.source.Read(r)
		if err != nil {
			t.Fatal(err)
		}
		put := func(data []byte) {
			seal.Write(key, data)
			var b store.Batch
			b.Put(key, data)
			if err := s.Apply(&b, false); err != nil {
				t.Fatal(err)
			}
		}
		whole := bytes.Clone(p.Data)
		put(change(p))
		err = ix.Verify(t.Context(), nil)
		put(whole)
		return err
	}
	var pieces, hashes []format.Ref
	snap := ix.Snapshot()
	defer snap.Close()
	snap.St.Version.All(func(r *format.Ref) {
		switch {
		case r.Field == country && r.Piece > 0:
			pieces = append(pieces, *r)
		case format.KindOf(r.Field) == format.Hashes && r.Rows > 2:
			hashes = append(hashes, *r)
		}
	})
	if len(pieces) < 3 || len(hashes) == 0 {
		t.Fatalf("got %d pieces and %d pages of hashes, want 3 and 1 at least", len(pieces), len(hashes))
	}
	// behind the range of the first piece, and before those of others
	for at, moved := range []uint64{1<<40 - 1, 0, 0} {
		err := rewritten(&pieces[at], func(p *format.Page) []byte {
			list, err := view.OpenBody(p.Row(0))
			if err != nil {
				t.Fatal(err)
			}
			values := list.AppendTo(nil)
			if moved == 0 {
				values[0] = 0
			} else {
				values[len(values)-1] = moved
			}
			return format.AppendPage(format.Postings, []format.Row{{Body: pack.AppendBody(nil, values)}})
		})
		if !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(), "want container keys from") ||
			!strings.Contains(err.Error(), pieces[at].String()) {
			t.Errorf("a value of another piece than %v: got %v", &pieces[at], err)
		}
	}
	err := rewritten(&hashes[0], func(p *format.Page) []byte {
		data, w := bytes.Clone(p.Data), p.HashWidth()
		first := bytes.Clone(data[format.HashHeaderLen : format.HashHeaderLen+w])
		copy(data[format.HashHeaderLen:], data[format.HashHeaderLen+w:format.HashHeaderLen+2*w])
		copy(data[format.HashHeaderLen+w:], first)
		return data
	})
	if !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(),
		"entry 1 does not come after the one before") {
		t.Errorf("two hashes that changed places: got %v", err)
	}
}

// counting counts how often each entry of a store is asked for.
type counting struct {
	store.Store
	asked map[string]int
}

func (s *counting) Get(key []byte, fn func(value []byte) error) error {
	s.asked[string(key)]++
	return s.Store.Get(key, fn)
}

// TestVerifyReadsDamageOnce damages each page in turn. It is not read again for each value of other
// pages that leads to it.
func TestVerifyReadsDamageOnce(t *testing.T) {
	s := &counting{Store: memstore.New(), asked: map[string]int{}}
	ix := open(t, s, testConfig(t, 16<<20))
	commitNumbered(t, ix, 0, 60)
	if err := errors.Join(ix.Flush(t.Context()), ix.Close()); err != nil {
		t.Fatal(err)
	}
	whole := entries(t, s.Store)
	for _, op := range whole {
		if op.Key[0] != format.KindPage {
			continue
		}
		bad := bytes.Clone(op.Value)
		bad[len(bad)-1] ^= 4
		s.Store = restore(t, append(whole[:len(whole):len(whole)], store.Op{Key: op.Key, Value: bad}))
		ix := open(t, s, testConfig(t, 16<<20)) // the cache of which has nothing
		s.asked = map[string]int{}
		if err := ix.Verify(t.Context(), nil); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%x: got %v, want ErrCorrupt", op.Key, err)
		}
		if n := s.asked[string(op.Key)]; n > 8 {
			t.Errorf("%x: read %d times, want one for each page at most", op.Key, n)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

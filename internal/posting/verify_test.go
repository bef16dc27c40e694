// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// TestVerifyFinds makes pages that are well-formed and say different things, and wants each to be
// found.
func TestVerifyFinds(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(ix *Index)
		want  string
	}{
		"one direction only": {func(ix *Index) {
			ix.writer.active.Put(model.Edit{Field: follows, Set: true, Row: 1, Record: 2})
		}, "field 8 has not row 2 with record 1"},
		"a list without its word": {func(ix *Index) {
			ix.writer.active.Put(model.Edit{Field: city, Set: true, Row: 3, Record: 9})
		},
			"values of field 16, and those that its value column stands for"},
		"an integer row too many": {func(ix *Index) {
			ix.writer.active.Put(model.Edit{Field: age, Set: true, Row: model.IntegerRow(3), Record: 9})
		}, "values of field 20, and those"},
		"a record that does not exist": {func(ix *Index) {
			ix.writer.active.Put(model.Edit{Field: country, Set: true, Row: 3, Record: 1 << 30})
		},
			"row 3 has 1 records that do not exist"},
		"a record without a key": {func(ix *Index) {
			ix.writer.active.Put(model.Edit{Field: model.Exists, Set: true, Record: 1 << 30})
		}, "record 1073741824 exists and has no key"},
		"a value without a key": {func(ix *Index) {
			ix.writer.active.Put(model.Edit{Field: country, Set: true, Row: 1 << 30, Record: 9})
		}, "row 1073741824 has no key"},
		"a word without its list": {func(ix *Index) {
			ix.writer.active.Assign(model.ValueEdit{Field: city, Record: 9, Word: 4})
		}, "row 3 has not the record"},
		"an integer without its row": {func(ix *Index) {
			ix.writer.active.Assign(model.ValueEdit{Field: age, Record: 9, Word: model.IntegerWord(6)})
		}, "has not the record"},
		"a key without an ID": {func(ix *Index) {
			k := ix.writer.active.Spaces[model.RecordSpace]
			k.Keys = append(k.Keys, k.Keys[0]) // two IDs of one key
		}, "by its hash"},
	} {
		t.Run(name, func(t *testing.T) {
			ix := open(t, memstore.New(), testConfig(t, 1<<20))
			defer ix.Close()
			commitNumbered(t, ix, 0, 20)
			if err := errors.Join(ix.Flush(t.Context()), ix.Verify(t.Context(), nil)); err != nil {
				t.Fatal(err)
			}
			var b Batch
			b.Set(model.Exists, model.ID(0), b.Key(model.RecordSpace, "one more"))
			if _, err := ix.Commit(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			ix.writer.mu.Lock()
			c.spoil(ix)
			ix.writer.publish(ix.source.State.Load().Version, nil)
			ix.writer.mu.Unlock()
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := ix.Verify(t.Context(), nil); !errors.Is(err, model.ErrCorrupt) ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want one that says %q", err, c.want)
			}
		})
	}
}

// TestVerifyReads flips a byte of each page and log entry in turn: it is found, although the cache
// has the page as it was.
func TestVerifyReads(t *testing.T) {
	s := memstore.New()
	ix := open(t, s, testConfig(t, 1<<20))
	defer ix.Close()
	commitNumbered(t, ix, 0, 20)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, op := range entries(t, s) {
		switch op.Key[0] {
		case format.KindPage:
			pages++
		case format.KindLog: // kept for followers
		default:
			continue
		}
		write := func(value []byte) {
			var b store.Batch
			b.Put(op.Key, value)
			if err := s.Apply(&b, false); err != nil {
				t.Fatal(err)
			}
		}
		bad := append([]byte(nil), op.Value...)
		bad[len(bad)-1] ^= 4
		write(bad)
		if err := ix.Verify(t.Context(), nil); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("entry %x: got %v, want ErrCorrupt", op.Key, err)
		}
		write(op.Value)
	}
	done := 0
	if err := ix.Verify(t.Context(), func(n, total int) {
		if done++; n != done || total != pages {
			t.Errorf("got page %d of %d, want %d of %d", n, total, done, pages)
		}
	}); err != nil || done != pages || pages < 4 {
		t.Errorf("got %v after %d pages, want %d", err, done, pages)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ix.Verify(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestVerifyTellsOnce damages a page of one direction of a relation, to which values of many rows
// lead: it is told once, and what else is wrong is told beside it.
func TestVerifyTellsOnce(t *testing.T) {
	s := memstore.New()
	ix := open(t, s, testConfig(t, 1<<20))
	defer ix.Close()
	commitNumbered(t, ix, 0, 200)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	damaged := map[uint32]*format.Ref{}
	snap := ix.Snapshot()
	defer snap.Close()
	snap.St.Version.All(func(r *format.Ref) {
		if r.Field == followers || r.Field == country {
			damaged[r.Field] = r
		}
	})
	for _, op := range entries(t, s) {
		for _, r := range damaged {
			if string(op.Key) == string(format.AppendPageKey(nil, ix.source.ID, r)) {
				var b store.Batch
				value := append([]byte(nil), op.Value...)
				value[len(value)-1] ^= 4
				b.Put(op.Key, value)
				if err := s.Apply(&b, false); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, r := range damaged {
		ix.source.Cache.Drop(ix.source.ID, r.Generation)
	}
	err := ix.Verify(t.Context(), nil)
	if err == nil || len(damaged) != 2 {
		t.Fatalf("got %v of %d damaged pages, want problems of 2", err, len(damaged))
	}
	for _, r := range damaged {
		if n := strings.Count(err.Error(), r.String()); n != 1 {
			t.Errorf("%v is told %d times, want once:\n%v", r, n, err)
		}
	}
}

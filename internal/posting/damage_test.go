// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/wal"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// entries returns all entries of a store.
func entries(t *testing.T, s store.Store) (ops []store.Op) {
	t.Helper()
	err := s.Scan(nil, nil, func(key, value []byte) error {
		ops = append(ops, store.Op{Key: bytes.Clone(key), Value: bytes.Clone(value)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ops
}

// restore returns a store with these entries.
func restore(t *testing.T, ops []store.Op) store.Store {
	t.Helper()
	s := memstore.New()
	var b store.Batch
	for _, op := range ops {
		b.Put(op.Key, op.Value)
	}
	if err := s.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	return s
}

// readAll opens an index and reads every list and key of it.
func readAll(t *testing.T, s store.Store, rows int) error {
	t.Helper()
	ix, err := Open(s, testConfig(t, 1<<20))
	if err != nil {
		return err
	}
	defer ix.Close()
	snap := ix.Snapshot()
	defer snap.Close()
	var l overlay.List
	for n := range rows {
		row, ok, err := snap.Lookup(model.KeySpace(country), fmt.Sprintf("row%d", n))
		if err == nil && !ok {
			err = fmt.Errorf("row%d is gone", n)
		}
		if err == nil {
			_, _, err = snap.AppendKey(nil, model.KeySpace(country), row)
		}
		if err == nil {
			err = snap.List(country, row, &l)
		}
		if err != nil {
			return err
		}
		for i := range batchRows {
			id, ok, err := snap.Lookup(model.RecordSpace, fmt.Sprintf("r%d-%d", n, i))
			if err != nil {
				return err
			}
			if !ok {
				return fmt.Errorf("record r%d-%d is gone", n, i)
			}
			if _, _, err := snap.AppendKey(nil, model.RecordSpace, id); err != nil {
				return err
			}
			for _, field := range []uint32{follows, followers, country} {
				if err := snap.List(field, id, &l); err != nil {
					return err
				}
			}
		}
	}
	return snap.List(model.Exists, 0, &l)
}

// TestDamage flips a bit in, shortens, removes, and swaps each entry of an index in turn: opening
// or reading it says which one is wrong, and never answers as if nothing had happened.
func TestDamage(t *testing.T) {
	const batches = 60
	s := memstore.New()
	ix := open(t, s, testConfig(t, 1<<20))
	for n := range batches {
		if _, err := ix.Commit(t.Context(), numbered(n)); err != nil {
			t.Fatal(err)
		}
		if n == batches/2 {
			if err := ix.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	var universe Batch
	universe.Set(model.Exists, model.ID(0), model.ID(0))
	if _, err := ix.Commit(t.Context(), &universe); err != nil {
		t.Fatal(err)
	}
	flushed := ix.Snapshot().St.Version.Flushed
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := readAll(t, s, batches); err != nil {
		t.Fatal(err)
	}
	whole := entries(t, s)
	rng := rand.New(rand.NewPCG(9, 9))
	for i, op := range whole {
		if op.Key[0] == format.KindLog && format.NumberOfKey(op.Key) <= flushed {
			continue // kept for readers of changes; opening does not read it
		}
		if op.Key[0] == format.KindSession {
			continue // costs only a look for orphans: see TestSessionDamaged
		}
		what := fmt.Sprintf("entry %x", op.Key)
		damaged := func(how string, change func(ops []store.Op) []store.Op) {
			ops := change(slices.Clone(whole))
			err := readAll(t, restore(t, ops), batches)
			if err == nil {
				t.Errorf("%s, %s: got no error, want one", what, how)
				return
			}
			if !errors.Is(err, model.ErrCorrupt) && !errors.Is(err, model.ErrVersion) {
				t.Errorf("%s, %s: got %v, want ErrCorrupt or ErrVersion", what, how, err)
			}
		}
		for range 8 {
			bit := rng.IntN(8 * len(op.Value))
			damaged(fmt.Sprintf("bit %d flipped", bit), func(ops []store.Op) []store.Op {
				v := bytes.Clone(op.Value)
				v[bit/8] ^= 1 << (bit % 8)
				ops[i].Value = v
				return ops
			})
		}
		damaged("shortened", func(ops []store.Op) []store.Op {
			ops[i].Value = op.Value[:rng.IntN(len(op.Value))]
			return ops
		})
		last := op.Key[0] == format.KindLog && format.NumberOfKey(op.Key) == batches+1
		if !last && i+1 < len(whole) { // without the last entry of the log there is no telling that there was one
			damaged("removed", func(ops []store.Op) []store.Op { return slices.Delete(ops, i, i+1) })
		}
		if other := (i + 1) % len(whole); whole[other].Key[0] == op.Key[0] {
			damaged("swapped with the next", func(ops []store.Op) []store.Op {
				ops[i].Value, ops[other].Value = whole[other].Value, op.Value
				return ops
			})
		}
	}
}

// TestDamageNamesThePage checks that the error names the page and the field.
func TestDamageNamesThePage(t *testing.T) {
	s := memstore.New()
	ix := open(t, s, testConfig(t, 1<<20))
	if _, err := ix.Commit(t.Context(), numbered(0)); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	ix.Close()
	ops := entries(t, s)
	for i, op := range ops {
		if op.Key[0] == format.KindPage && op.Key[8] == followers {
			ops[i].Value = append(bytes.Clone(op.Value), 0)
		}
	}
	ix = open(t, restore(t, ops), testConfig(t, 1<<20))
	defer ix.Close()
	snap := ix.Snapshot()
	defer snap.Close()
	var l overlay.List
	if err := snap.List(follows, 0, &l); err != nil {
		t.Fatal(err)
	}
	err := snap.List(followers, 0, &l)
	if !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(), "field 8") {
		t.Errorf("got %v, want ErrCorrupt that names field 8", err)
	}
}

// FuzzEntries reads arbitrary bytes, under a right checksum, as a page and as a manifest record: an
// error or a value, never a panic. FuzzLog does it with the log.
func FuzzEntries(f *testing.F) {
	r := format.Ref{Field: 4, First: 10, Generation: 99, Rows: 3}
	page := format.AppendPage(format.Postings, []format.Row{{Offset: 0, Values: 1, Body: []byte{0xF9, 7}},
		{Offset: 2, Values: 3, Body: []byte{0x30, 2, 0x15, 0x0A, 0xB0, 0x04}}})
	f.Add(page)
	f.Add(format.AppendHashPage([]format.HashEntry{{Hash: 77, ID: 3}}, 10, 1<<40))
	valuePage, _ := format.AppendValuePage([]uint64{3, 0, 1 << 40, math.MaxUint64})
	f.Add(valuePage)
	narrowPage, _ := format.AppendValuePage([]uint64{3, 0, 1, 5})
	f.Add(narrowPage)
	f.Add(format.PrefixPage([]format.Row{{Offset: 0, Values: 1, Body: []byte("\x00p1")},
		{Offset: 1, Values: 1, Body: []byte("\x00p2")}, {Offset: 5, Values: 1, Body: []byte("\x00p30")}}, 1<<20))
	var alike []format.Row
	for i := range 100 {
		key := fmt.Appendf(nil, "\x00p%03d", i*71%997)
		alike = append(alike, format.Row{Offset: uint16(2 * i), Values: 1, Body: key})
	}
	f.Add(format.AppendPage(format.Keys, alike)) // packed
	f.Add((&format.ManifestRecord{Kind: format.RecordChange, Parts: 1, Next: map[uint32]uint64{1: 2},
		Added: []format.Ref{r}}).Encode(format.AppendManifestKey(nil, 1, 1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < format.HeaderLen {
			return
		}
		data := bytes.Clone(b)
		if data[0] = format.MagicPage; data[1] != format.FormatVersion {
			data[1] = format.PageVersion + data[1]&1
		}
		// Pages of words begin at a multiple of forwardRows only.
		for _, where := range []format.Ref{r, {Field: 23, First: format.ValueRows, Generation: 99}} {
			key := format.AppendPageKey(nil, 1, &where)
			seal.Write(key, data)
			if p, err := format.OpenPage(&where, key, bytes.Clone(data)); err == nil {
				readPage(p, where.First)
			}
		}
		key := format.AppendManifestKey(nil, 1, 1)
		data = bytes.Clone(b)
		data[0], data[1] = format.MagicManifest, format.FormatVersion
		seal.Write(key, data)
		if m, err := format.DecodeManifestRecord(key, data); err == nil {
			back, err := format.DecodeManifestRecord(key, m.Encode(key))
			if err != nil || fmt.Sprint(back) != fmt.Sprint(m) {
				t.Fatalf("got %v, %v, want %v", back, err, m)
			}
			_, _ = format.EmptyManifest().Apply(&format.ManifestChange{Next: m.Next, Dropped: m.Dropped,
				Added: m.Added},
				m.Generation)
		}
	})
}

// readPage reads what a page that begins at a row has, in every way that its kind is read.
func readPage(p *format.Page, first uint64) {
	words := p.Kind == format.Values && p.Width == 0
	for i := range min(p.Count, 1000) {
		switch {
		case p.Kind == format.Hashes:
			p.Candidates(first, p.StoredHash(i), func(uint64) bool { return true })
		case words:
			if w := p.Word(uint64(i)); w != 0 {
				model.AppendChange(nil, model.Integers, model.ValueEdit{Word: w}, p.Word(uint64(i)/2))
			}
		case p.Kind == format.Values: // any number of rows for each record
			p.AppendRows(nil, uint64(i))
		default:
			format.AppendKeyText(nil, p.Slot(i))
		}
	}
	if words {
		lows := []uint16{0, uint16(p.Count / 2), uint16(p.Count - 1)}
		p.Read(make([]uint16, len(lows)), lows, 0)
		t := format.Tally{Page: p}
		t.Words(lows)
		for lows = lows[:0]; len(lows) < min(p.Count, 2*format.NarrowsFrom); {
			lows = append(lows, uint16(len(lows)))
		}
		t.Words(lows)
	}
}

// TestStrangeValues opens logs whose entries assign to what is no field that takes assignments: an
// error, whatever pages have the number.
func TestStrangeValues(t *testing.T) {
	for _, field := range []uint32{0, 1, 2, 3, country - 3, follows, country, city + 1, city + 3, 1 << 30, 1<<32 - 2,
		1<<32 - 1} {
		s := memstore.New()
		ix := open(t, s, testConfig(t, 1<<20))
		var wide Batch // a list of some 200 bytes, and small ones: read as words, the page would end too early
		for i := range uint64(100) {
			wide.Set(country, model.ID(0), model.ID(i*1000))
			wide.Set(country, model.ID(i), model.ID(i))
		}
		if _, err := ix.Commit(t.Context(), &wide); err != nil {
			t.Fatal(err)
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		sequence := ix.writer.sequence
		ix.Close()
		key := format.AppendLogKey(nil, 7, sequence+1)
		var b store.Batch
		b.Put(key, encode((&wal.Entry{Values: []model.ValueEdit{{Field: field, Record: 3, Word: 5},
			{Field: field, Record: 90, Word: 1}, {Field: field, Record: 1 << 20, Word: 1}}}), key))
		if err := s.Apply(&b, true); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(s, testConfig(t, 1<<20)); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("field %d: got %v, want ErrCorrupt", field, err)
		}
	}
}

// TestStrangeEntries opens logs with entries that no commit can have made, well sealed: key spaces
// of no field, assigned fields in lists, records named twice. They are refused, and not carried
// into pages.
func TestStrangeEntries(t *testing.T) {
	run := func(space uint32) *wal.Entry {
		return &wal.Entry{Keys: []wal.KeyRun{{Space: space, Keys: []string{"a"}}}}
	}
	list := func(field uint32) *wal.Entry {
		return &wal.Entry{Edits: []model.Edit{{Field: field, Row: 3, Record: 5, Set: true}}}
	}
	for name, entry := range map[string]*wal.Entry{
		"space of lists":        run(country),
		"space of hashes":       run(model.RecordSpace + 1),
		"space of words":        run(country + 3),
		"space of no field":     run(model.KeySpace(1 << 20)),
		"space of an inverse":   run(model.KeySpace(followers)),
		"space 0":               run(0),
		"single values in list": list(city),
		"integers in a list":    list(age),
		"an inverse":            list(followers),
		"keys":                  list(model.KeySpace(country)),
		"two values": {Values: []model.ValueEdit{{Field: city, Record: 3, Word: 1},
			{Field: city, Record: 3, Word: 2}}},
		"fields back and forth": {Values: []model.ValueEdit{{Field: age, Record: 3, Word: 1},
			{Field: city, Record: 3, Word: 2}}},
	} {
		s := memstore.New()
		key := format.AppendLogKey(nil, 7, 1)
		var b store.Batch
		b.Put(key, encode(entry, key))
		if err := s.Apply(&b, true); err != nil {
			t.Fatal(err)
		}
		if ix, err := Open(s, testConfig(t, 1<<20)); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
			_ = ix.Close()
		}
	}
}

// TestLogGap removes each unflushed log entry in turn. Opening finds every gap except the last: no
// entry follows to show it.
func TestLogGap(t *testing.T) {
	s := memstore.New()
	config := testConfig(t, 1<<20)
	ix := open(t, s, config)
	commitNumbered(t, ix, 0, 3)
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 4 { // which change the same, so that nothing but the numbers tells that one is missing
		if _, err := ix.Commit(t.Context(), numbered(0)); err != nil {
			t.Fatal(err)
		}
	}
	killed := entries(t, s)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	for i, op := range killed {
		if op.Key[0] != format.KindLog || format.NumberOfKey(op.Key) <= 3 || format.NumberOfKey(op.Key) == 7 {
			continue
		}
		ix, err := Open(restore(t, append(append([]store.Op(nil), killed[:i]...), killed[i+1:]...)), config)
		if !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("without entry %d: got %v, want ErrCorrupt", format.NumberOfKey(op.Key), err)
		}
		if err == nil {
			_ = ix.Close()
		}
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/roaring/container"
	"github.com/uproar-db/uproar/internal/roaring/mutable"
	"github.com/uproar-db/uproar/internal/roaring/pair"
	"github.com/uproar-db/uproar/internal/roaring/view"
	"github.com/uproar-db/uproar/store/memstore"
)

const (
	tags  = 4 // with a fast column
	terms = 8 // with a small one
	zone  = 12
)

func columnConfig(t testing.TB) Config {
	t.Helper()
	memory, err := memory.New(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	return Config{ID: 7, Memory: memory, DeltaBytes: 1 << 20, Fields: []model.Field{{ID: tags,
		Column: model.FastColumn},
		{ID: terms, Column: model.SmallColumn}, {ID: zone, Kind: model.Rows}}}
}

// people writes random batches over records and rows that come and go.
type people struct {
	t       testing.TB
	rng     *rand.Rand
	ix      *Index
	records int
}

func (p *people) name(kind string, n int) string { return fmt.Sprintf("%s%d", kind, p.rng.IntN(n)) }

// row is skewed, so that some rows have most records.
func (p *people) row() string { return p.name("v", 1+p.rng.IntN(1+p.rng.IntN(3000))) }

// batch gathers writes; with deletions, also of records and rows as a whole.
func (p *people) batch(n int, deletions bool) *Batch {
	var b Batch
	for range n {
		record := b.Key(model.RecordSpace, p.name("r", p.records))
		b.Set(model.Exists, model.ID(0), record)
		field := []uint32{tags, terms, zone}[p.rng.IntN(3)]
		row := b.Key(model.KeySpace(field), p.row())
		switch {
		case field == zone && p.rng.IntN(8) == 0:
			b.Unassign(zone, record)
		case field == zone:
			b.Assign(zone, record, row)
		case p.rng.IntN(4) == 0:
			b.Clear(field, row, record)
		default:
			b.Set(field, row, record)
		}
	}
	for range p.rng.IntN(4) {
		if deletions {
			b.Delete(b.Key(model.RecordSpace, p.name("r", p.records)))
		}
	}
	if deletions && p.rng.IntN(2) == 0 {
		field := []uint32{tags, terms, zone}[p.rng.IntN(3)]
		b.Empty(field, b.Key(model.KeySpace(field), p.name("v", 20)))
	}
	return &b
}

func (p *people) commit(n int, deletions bool) {
	if _, err := p.ix.Commit(p.t.Context(), p.batch(n, deletions)); err != nil && !errors.Is(err, model.ErrDeleted) {
		p.t.Error(err)
	}
}

func (p *people) load(n int) {
	l, err := p.ix.Load(p.t.Context(), int64(20_000+p.rng.IntN(1<<20)), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	defer l.Abort()
	for range n {
		record, _ := l.Key(model.RecordSpace, p.name("r", p.records))
		field := []uint32{tags, terms}[p.rng.IntN(2)]
		row, _ := l.Key(model.KeySpace(field), p.row())
		z, _ := l.Key(model.KeySpace(zone), p.row())
		if err := errors.Join(l.Set(model.Exists, model.ID(0), record), l.Set(field, row, record),
			l.Assign(zone, record, z)); err != nil {
			p.t.Fatal(err)
		}
	}
	if _, err := l.Commit(); err != nil {
		p.t.Fatal(err)
	}
}

// checkColumns compares a column with the lists: its counts, and the rows of records.
func checkColumns(t testing.TB, snap reader.Snapshot, within *mutable.Bitmap) {
	t.Helper()
	for _, field := range []uint32{tags, terms, zone} {
		want := map[uint64]uint32{}
		rows := map[uint64][]uint64{}
		var cursor overlay.Cursor
		var records []uint64
		err := snap.Rows(t.Context(), field, 0, func(row uint64, l *overlay.List) error {
			records = records[:0]
			cursor.Reset(l)
			for ok := cursor.Seek(0); ok; ok = cursor.Next() {
				records = cursor.Block().AppendTo(records)
			}
			for _, record := range records {
				rows[record] = append(rows[record], row)
				if within.Contains(record) {
					want[row]++
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
			return
		}
		c, err := snap.RowCounter(t.Context(), field)
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		var scratch container.Scratch
		for cursor := within.View().Cursor(&scratch); cursor.Next(); {
			if err := c.Add(cursor.Block(), 0, math.MaxUint64); err != nil {
				t.Error(err)
				return
			}
		}
		counts, err := c.Counts()
		if err != nil {
			t.Error(err)
			return
		}
		for row, n := range counts {
			if n != want[uint64(row)] {
				t.Errorf("field %d, row %d: got %d records by the column, want %d as the list has", field, row, n,
					want[uint64(row)])
				return
			}
			delete(want, uint64(row))
		}
		if len(want) > 0 {
			t.Errorf("field %d: got no counts of rows %v", field, want)
		}
		for record := range within.View().All() {
			got, err := snap.AppendRows(nil, field, record)
			if err != nil || !slices.Equal(got, rows[record]) {
				t.Errorf("field %d, record %d: got rows %v, %v, want %v", field, record, got, err, rows[record])
				return
			}
		}
	}
}

// some returns a random set of records, of any density, and some that were never written.
func (p *people) some() *mutable.Bitmap {
	var b mutable.Bitmap
	share := p.rng.IntN(101)
	for i := range p.records + 50 {
		if p.rng.IntN(100) < share {
			b.Add(uint64(i))
		}
	}
	b.Add(1 << 40)
	return &b
}

// TestColumns: both directions of a field give the same answers, on random histories, with and
// without a delta pending.
func TestColumns(t *testing.T) {
	for seed := range paced(40, 4) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			s := memstore.New()
			defer s.Close()
			p := &people{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 9)), ix: open(t, s, columnConfig(t)),
				records: 40 << (seed % 4 * 2)}
			defer func() { p.ix.Close() }()
			for range 25 {
				switch p.rng.IntN(8) {
				case 0, 1:
					if err := errors.Join(p.ix.Flush(t.Context()), p.ix.Verify(t.Context(), nil)); err != nil {
						t.Fatal(err)
					}
				case 2:
					p.load(1 + p.rng.IntN(5_000))
				case 3:
					p.ix.Close()
					p.ix = open(t, s, columnConfig(t))
				default:
					p.commit(1+p.rng.IntN(500), p.rng.IntN(2) == 0)
				}
				if p.rng.IntN(2) == 0 {
					continue
				}
				snap := p.ix.Snapshot()
				checkColumns(t, snap, p.some())
				snap.Close()
				if t.Failed() {
					return
				}
			}
			if err := errors.Join(p.ix.Flush(t.Context()), p.ix.Verify(t.Context(), nil)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestColumnsWhileWriting: so they do while others write and flush.
func TestColumnsWhileWriting(t *testing.T) {
	config := columnConfig(t)
	config.DeltaBytes = 1 << 16 // flushes all the time
	ix := open(t, memstore.New(), config)
	defer ix.Close()
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			p := &people{t: t, rng: rand.New(rand.NewPCG(uint64(w), 10)), ix: ix, records: 500}
			for {
				select {
				case <-stop:
					return
				default:
					p.commit(200, true)
				}
			}
		})
	}
	p := &people{t: t, rng: rand.New(rand.NewPCG(3, 10)), ix: ix, records: 500}
	for range paced(300, 12) {
		snap := ix.Snapshot()
		checkColumns(t, snap, p.some())
		snap.Close()
	}
	close(stop)
	writers.Wait()
	if err := ix.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestColumnOfManyRows: a record with more rows than a page has room for is kept in pieces, and one
// that has lost most of them is not.
func TestColumnOfManyRows(t *testing.T) {
	for _, field := range []uint32{tags, terms} {
		t.Run(fmt.Sprint(field), func(t *testing.T) {
			ix := open(t, memstore.New(), columnConfig(t))
			defer ix.Close()
			rng := rand.New(rand.NewPCG(4, 4))
			want := map[uint64]bool{}
			check := func(pieces bool) {
				t.Helper()
				if err := ix.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				snap := ix.Snapshot()
				defer snap.Close()
				if n := len(snap.St.Version.Pages(model.ValueField(field), 7)); pieces != (n > 1) {
					t.Errorf("got %d pages of a record with %d rows", n, len(want))
				}
				got, err := snap.AppendRows(nil, field, 7)
				if err != nil || len(got) != len(want) {
					t.Fatalf("got %d rows, %v, want %d", len(got), err, len(want))
				}
				for _, row := range got {
					if !want[row] {
						t.Fatalf("got row %d, which the record has not", row)
					}
				}
				checkColumns(t, snap, pair.Of(6, 7, 8))
			}
			for range 6 {
				var b Batch
				for range 40_000 {
					row := rng.Uint64N(300_000)
					want[row] = true
					b.Set(field, model.ID(row), model.ID(7))
				}
				b.Set(field, model.ID(3), model.ID(6))
				b.Set(field, model.ID(3), model.ID(8))
				if _, err := ix.Commit(t.Context(), &b); err != nil {
					t.Fatal(err)
				}
			}
			check(true)
			for len(want) > 1000 {
				var b Batch
				for row := range want {
					if len(want) == 1000 || b.Len() == 70_000 {
						break
					}
					delete(want, row)
					b.Clear(field, model.ID(row), model.ID(7))
				}
				if _, err := ix.Commit(t.Context(), &b); err != nil {
					t.Fatal(err)
				}
			}
			check(false)
		})
	}
}

// TestCountDescending counts within a set that has an unsorted container, which nobody has
// validated. It gets an error, and no read goes beyond a page.
func TestCountDescending(t *testing.T) {
	p := &people{t: t, rng: rand.New(rand.NewPCG(5, 11)), ix: open(t, memstore.New(), columnConfig(t)), records: 2000}
	defer p.ix.Close()
	p.load(4000)
	snap := p.ix.Snapshot()
	defer snap.Close()
	var values []uint64
	for x := range uint64(300) {
		values = append(values, 5*x+x%3)
	}
	data := pair.Of(values...).Bytes()
	view, err := view.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	count := func() (err error) {
		for _, field := range []uint32{tags, terms, zone} {
			c, failed := snap.RowCounter(t.Context(), field)
			if failed != nil {
				t.Fatal(failed)
			}
			defer c.Close()
			var scratch container.Scratch
			for cursor := view.Cursor(&scratch); cursor.Next(); {
				err = errors.Join(err, c.Add(cursor.Block(), 0, math.MaxUint64))
			}
		}
		return err
	}
	if err := count(); err != nil {
		t.Fatalf("valid: %v", err)
	}
	n := len(data) // the last two values of an array stand at the end
	data[n-4], data[n-2] = data[n-2], data[n-4]
	if err := count(); !errors.Is(err, model.ErrCorrupt) {
		t.Errorf("got %v, want ErrCorrupt", err)
	}
}

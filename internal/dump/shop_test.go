// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/overlay"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// shop is a store with a catalog and its open indexes: all that a backup knows of a database.
type shop struct {
	t       testing.TB
	store   store.Store
	catalog *schema.Catalog
	origin  string
	lists   []*posting.Index // in the order of the catalog
	written int
}

// newShop makes a shop of one empty index.
func newShop(t testing.TB) *shop {
	t.Helper()
	s := &shop{t: t, store: memstore.New()}
	var err error
	if s.catalog, err = schema.Read(s.store, false); err != nil {
		t.Fatal(err)
	}
	s.add("shop")
	return s
}

// add makes one more index.
func (s *shop) add(name string) {
	s.t.Helper()
	fields, err := schema.Declare(nil, []schema.Field{{Name: "country", Type: schema.Set}})
	if err != nil {
		s.t.Fatal(err)
	}
	entry := schema.Index{ID: s.catalog.NextID(), Name: name, Secret: NewID().String(), Fields: fields}
	s.lists = append(s.lists, openIndex(s.t, s.store, &entry))
	s.catalog.Indexes = append(s.catalog.Indexes, entry)
}

// openIndex opens an index of a catalog.
func openIndex(t testing.TB, s store.Store, entry *schema.Index) *posting.Index {
	t.Helper()
	config := posting.Config{ID: entry.ID, DeltaBytes: 1 << 20}
	var err error
	if config.Memory, err = memory.New(64 << 20); err != nil {
		t.Fatal(err)
	}
	if config.Secret, config.Fields, err = entry.Posting(); err != nil {
		t.Fatal(err)
	}
	ix, err := posting.Open(s, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}

// write writes some records to every index, half of them to pages.
func (s *shop) write() {
	s.t.Helper()
	for _, ix := range s.lists {
		for half := range 2 {
			for range 3 {
				var b posting.Batch
				s.written++
				record := b.Key(model.RecordSpace, fmt.Sprint("r", s.written))
				b.Set(model.Exists, model.ID(0), record)
				b.Set(4, b.Key(model.KeySpace(4), fmt.Sprint("c", s.written%4)), record)
				if _, err := ix.Commit(s.t.Context(), &b); err != nil {
					s.t.Fatal(err)
				}
			}
			if half == 0 {
				if err := ix.Flush(s.t.Context()); err != nil {
					s.t.Fatal(err)
				}
			}
		}
	}
}

// export holds the state of every index. The exports are closed when the test ends.
func (s *shop) export() (exports []*posting.Export) {
	s.t.Helper()
	for _, ix := range s.lists {
		e, err := ix.Export()
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(e.Close)
		exports = append(exports, e)
	}
	return exports
}

// head returns the head of a new backup.
func (s *shop) head() *Head {
	return NewHead(time.Unix(1_790_000_000, 0).UTC(), s.origin, s.catalog.Clone())
}

// A made is a backup, and what it is known by.
type made struct {
	id   ID
	head *Head
	file []byte
}

// backup makes a backup that goes on from another; nil: a full one.
func (s *shop) backup(base *made) *made {
	s.t.Helper()
	exports, m := s.export(), &made{id: NewID(), head: s.head()}
	var id string
	var from *Head
	if base != nil {
		id, from = base.id.String(), base.head
	}
	if err := m.head.GoOn(id, from, exports); err != nil {
		s.t.Fatal(err)
	}
	var file bytes.Buffer
	if err := Write(s.t.Context(), &file, m.id, m.head, exports, func(int64) {}, nil); err != nil {
		s.t.Fatal(err)
	}
	m.file = file.Bytes()
	return m
}

// chain returns a shop with a full backup and two increments. The last has an index more.
func chain(t testing.TB) (s *shop, backups []*made) {
	t.Helper()
	s = newShop(t)
	var last *made
	for i := range 3 {
		if i == 2 {
			s.add("other")
		}
		s.write()
		last = s.backup(last)
		backups = append(backups, last)
	}
	return s, backups
}

func files(backups ...*made) (all [][]byte) {
	for _, m := range backups {
		all = append(all, m.file)
	}
	return all
}

// restore restores backups into a store.
func restore(ctx context.Context, s store.Store, files ...[]byte) (*Reader, error) {
	r, err := NewRestorer(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if err := r.Add(bytes.NewReader(file)); err != nil {
			return nil, err
		}
	}
	return r.End()
}

// step is the distance of the places at which backups are cut or damaged.
func step() int {
	if testing.Short() {
		return 7
	}
	return 1
}

// entries returns all that a store has but its origin, whose ID is random.
func entries(t testing.TB, s store.Store) string {
	t.Helper()
	var out strings.Builder
	if err := s.Scan(nil, nil, func(k, v []byte) error {
		if !schema.IsOrigin(k) {
			fmt.Fprintf(&out, "%x %x\n", k, v)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// says returns what the indexes of a store say, each country with its records.
func says(t testing.TB, s store.Store) string {
	t.Helper()
	c, err := schema.Read(s, true)
	if err != nil {
		t.Fatal(err)
	}
	var lists []*posting.Index
	for i := range c.Indexes {
		lists = append(lists, openIndex(t, s, &c.Indexes[i]))
	}
	return saysOf(t, lists)
}

func saysOf(t testing.TB, lists []*posting.Index) string {
	t.Helper()
	var all []string
	for i, ix := range lists {
		snap := ix.Snapshot()
		err := snap.Rows(t.Context(), 4, 0, func(row uint64, l *overlay.List) error {
			key, _, err := snap.AppendKey(nil, model.KeySpace(4), row)
			text := fmt.Sprintf("%d %s:", i, key)
			for _, id := range l.AppendTo(nil, new(overlay.Cursor)) {
				record, _, failed := snap.AppendKey(nil, model.RecordSpace, id)
				text, err = text+" "+string(record), errors.Join(err, failed)
			}
			all = append(all, text)
			return err
		})
		snap.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := ix.Verify(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// mustBeRestoring fails unless a store is refused as one that was not restored to the end.
func mustBeRestoring(t testing.TB, what string, s store.Store) {
	t.Helper()
	if _, err := schema.Read(s, false); !errors.Is(err, schema.ErrRestoring) {
		t.Errorf("%s: reading what is left: got %v, want %v", what, err, schema.ErrRestoring)
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/listing"
	"github.com/uproar-db/uproar/query"
)

// carrySorted sorts the people of a world in many small files. Each line is to carry 100 bytes.
// before, if not nil, is called with the place of each record that is read for that.
func carrySorted(t *testing.T, ctx context.Context, w *world, by []uproar.Order, before func(at int)) *uproar.Sorting {
	t.Helper()
	s := w.index.Snapshot()
	t.Cleanup(s.Close)
	all, err := s.Select(t.Context(), query.All{})
	if err != nil {
		t.Fatal(err)
	}
	sorting, err := all.Sort(ctx, by, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	sorting.Narrow(3<<10, 2)
	sorting.Carry(func(records []uint64, tell func(i int, of []byte) error) error {
		for i := range records {
			if before != nil {
				before(i)
			}
			if err := tell(i, []byte(strings.Repeat("x", 100))); err != nil {
				return err
			}
		}
		return nil
	})
	return sorting
}

// takeAll reads all records, and returns how many bytes their lines carried.
func takeAll(t *testing.T, sorting *uproar.Sorting) (records []uint64, carried int) {
	t.Helper()
	for {
		some, err := sorting.Next(nil, 30)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range sorting.Carried() {
			carried += len(of)
		}
		if records = append(records, some...); len(some) < 30 {
			return records, carried
		}
	}
}

func idsOf(people []*person) (ids []uint64) {
	for _, p := range people {
		ids = append(ids, p.id)
	}
	return ids
}

var byCity = []uproar.Order{{Field: "city", Descending: true}, {Field: "age"}}

// TestCarryWithinSpace: lines carry no more in all than they may, and the order is the same.
func TestCarryWithinSpace(t *testing.T) {
	w := newWorld(t, rand.New(rand.NewPCG(4, 4)), 300)
	for _, space := range []int64{1, 100, 4250, 1 << 30} {
		sorting := carrySorted(t, t.Context(), w, byCity, nil)
		sorting.NarrowCarried(space)
		got, carried := takeAll(t, sorting)
		if want := int(min(space/100, 300)) * 100; carried != want {
			t.Errorf("space for %d bytes: got %d that are carried, want %d", space, carried, want)
		}
		if !slices.Equal(got, idsOf(w.sorted(byCity))) {
			t.Errorf("space for %d bytes: records are in another order", space)
		}
		if err := sorting.Close(); err != nil {
			t.Error(err)
		}
	}
}

// mended is a context that is asked, once lines could not be written, before they are sorted again.
type mended struct {
	context.Context
	mend func()
}

func (m mended) Err() error {
	m.mend()
	return m.Context.Err()
}

// TestCarryOnFullDisk: if what lines carry finds no place, they are sorted again without.
func TestCarryOnFullDisk(t *testing.T) {
	w := newWorld(t, rand.New(rand.NewPCG(5, 5)), 300)
	good, broken := t.TempDir(), false
	t.Setenv("TMPDIR", good)
	ctx := mended{t.Context(), func() {
		if broken {
			os.Setenv("TMPDIR", good)
		}
	}}
	sorting := carrySorted(t, ctx, w, byCity, func(at int) {
		if at == 200 {
			broken = true
			os.Setenv("TMPDIR", filepath.Join(good, "missing"))
		}
	})
	sorting.NarrowCarried(1 << 30)
	got, carried := takeAll(t, sorting)
	if !broken || carried > 0 || !slices.Equal(got, idsOf(w.sorted(byCity))) {
		t.Errorf("got %d records in another order or %d bytes that are carried, want none of them", len(got), carried)
	}
	if err := sorting.Close(); err != nil || sorting.Files() != 0 {
		t.Errorf("got %d files and %v, want none", sorting.Files(), err)
	}
}

// TestSortingWithoutFiles: an error of files that are too many asks for no space on the disk.
func TestSortingWithoutFiles(t *testing.T) {
	err := listing.FilesError(&fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE})
	if text := err.Error(); !errors.Is(err, syscall.EMFILE) || !strings.Contains(text, "ulimit -n") ||
		strings.Contains(text, "space") {
		t.Errorf("got %v, want one that names the limit of open files", err)
	}
}

// TestSortingWithoutDisk: where no file can be made, the error says what to do. Nothing is left.
func TestSortingWithoutDisk(t *testing.T) {
	w := newWorld(t, rand.New(rand.NewPCG(6, 6)), 300)
	missing := filepath.Join(t.TempDir(), "missing")
	t.Setenv("TMPDIR", missing)
	sorting := carrySorted(t, t.Context(), w, byCity, nil)
	_, err := sorting.Next(nil, 30)
	if text := fmt.Sprint(err); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(text, "TMPDIR") ||
		!strings.Contains(text, missing) {
		t.Errorf("got %v, want one that names TMPDIR and %s", err, missing)
	}
	if err := sorting.Close(); err != nil || sorting.Files() != 0 {
		t.Errorf("got %d files and %v, want none", sorting.Files(), err)
	}
}

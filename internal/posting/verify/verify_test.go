// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/store/memstore"
)

// snapshotOf returns a snapshot whose manifest names some pages of some fields, none of which is in
// its store.
func snapshotOf(t *testing.T, fields []model.Field, pages ...format.Ref) reader.Snapshot {
	t.Helper()
	bound, err := memory.New(32 << 20)
	if err != nil {
		t.Fatal(err)
	}
	src := reader.NewSource(memstore.New(), 1, format.NewSecret(), bound)
	declared := map[uint32]model.Field{}
	for _, f := range fields {
		declared[f.ID] = f
	}
	src.Fields.Store(&declared)
	for i := range pages {
		pages[i].Generation = uint64(i + 1)
	}
	m, err := format.EmptyManifest().Apply(&format.ManifestChange{Added: pages, Next: map[uint32]uint64{}}, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return reader.Snapshot{St: &reader.State{Source: src, Version: &versions.Version{Manifest: m}}}
}

// TestTotalsThatDiffer: what must be equal in number is compared, and a problem says what differs;
// of a field that is dropped nothing is.
func TestTotalsThatDiffer(t *testing.T) {
	relation := []model.Field{{ID: 4, Inverse: 8}, {ID: 8, Inverse: 4, Derived: true}}
	page := func(field uint32, values uint64) format.Ref {
		return format.Ref{Field: field, Values: values, Rows: uint32(values)}
	}
	for _, c := range []struct {
		name    string
		fields  []model.Field
		pages   []format.Ref
		implied uint64 // values that the column of field 4 stands for
		want    []string
	}{
		{"nothing", nil, nil, 0, nil},
		{"relation", relation, []format.Ref{page(4, 5), page(8, 5)}, 0, nil},
		{"relation without one follow", relation, []format.Ref{page(4, 5), page(8, 4)}, 0,
			[]string{"values of the relations 4 and 8: got 5 and 4"}},
		{"column", []model.Field{{ID: 4, Column: model.FastColumn}}, []format.Ref{page(4, 7), page(7, 7)}, 0, nil},
		{"column with a row too many", []model.Field{{ID: 4, Column: model.SmallColumn}},
			[]format.Ref{page(4, 7), page(7, 8)}, 0, []string{"values of field 4 and of its column: got 7 and 8"}},
		{"integers", []model.Field{{ID: 4, Kind: model.Integers}}, []format.Ref{page(4, 9), page(7, 2)}, 9, nil},
		{"integers in a list too many", []model.Field{{ID: 4, Kind: model.Integers}},
			[]format.Ref{page(4, 10), page(7, 2)}, 9,
			[]string{"values of field 4, and those that its value column stands for: got 10 and 9"}},
		{"keys of rows", []model.Field{{ID: 4}}, []format.Ref{page(5, 3), page(6, 2)}, 0,
			[]string{"keys and hashes of field 4: got 3 and 2"}},
		{"keys of records", nil, []format.Ref{page(1, 3), page(2, 4)}, 0,
			[]string{"keys and hashes of the records: got 3 and 4"}},
		{"two at once", relation, []format.Ref{page(1, 3), page(4, 5)}, 0,
			[]string{"values of the relations 4 and 8: got 5 and 0", "keys and hashes of the records: got 3 and 0"}},
		{"dropped", []model.Field{{ID: 4, Inverse: 8, Dropped: true},
			{ID: 8, Inverse: 4, Derived: true, Dropped: true}},
			[]format.Ref{page(4, 5), page(5, 1)}, 0, nil},
	} {
		snap := snapshotOf(t, c.fields, c.pages...)
		v := verifier{src: snap.St.Source, snap: snap, ctx: t.Context(), told: map[string]bool{},
			implied: map[uint32]uint64{4: c.implied}}
		v.totals()
		if len(v.problems) != len(c.want) {
			t.Errorf("%s: got %v, want %d problems", c.name, v.problems, len(c.want))
			continue
		}
		for i, err := range v.problems {
			if !errors.Is(err, model.ErrCorrupt) || !strings.Contains(err.Error(), c.want[i]) {
				t.Errorf("%s: got %q, want %q", c.name, err, c.want[i])
			}
		}
	}
}

// TestProblemsAreToldOnce: a problem that is met again is no other one, and no error is none.
func TestProblemsAreToldOnce(t *testing.T) {
	v := verifier{told: map[string]bool{}}
	for range 3 {
		v.report(model.Corrupt("page 1", "got %d", 5))
		v.report(nil)
		v.report(model.Corrupt("page 2", "got %d", 5))
	}
	if len(v.problems) != 2 {
		t.Errorf("got %v, want 2 problems", v.problems)
	}
}

// TestAllTellsOfPagesAndLog: each page that is not there is a problem, progress comes once for each
// page, and what the log has wrong comes last.
func TestAllTellsOfPagesAndLog(t *testing.T) {
	if err := All(t.Context(), snapshotOf(t, nil), func() error { return nil }, nil); err != nil {
		t.Errorf("no pages, and a log that is well: got %v", err)
	}
	var steps []int
	broken := errors.New("the log is broken")
	err := All(t.Context(), snapshotOf(t, []model.Field{{ID: 4}}, format.Ref{Field: 4, Values: 2, Rows: 1},
		format.Ref{Field: 4, First: 9, Values: 2, Rows: 1}, format.Ref{Field: 12, Values: 2, Rows: 1}),
		func() error { return broken }, func(done, total int) { steps = append(steps, 10*done+total) })
	if !errors.Is(err, model.ErrCorrupt) || !errors.Is(err, broken) {
		t.Fatalf("got %v, want what the pages and the log have wrong", err)
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 4 || lines[3] != broken.Error() || !strings.Contains(lines[2], "not declared") {
		t.Errorf("got %q, want two pages, one of a field that is not declared, and the log", lines)
	}
	if len(steps) != 3 || steps[0] != 13 || steps[2] != 33 {
		t.Errorf("got the steps %d, want [13 23 33]", steps)
	}
}

// TestAllStops: who gives up, or closes the index, gets that as the error and no problems.
func TestAllStops(t *testing.T) {
	pages := []format.Ref{{Field: 4, Values: 2, Rows: 1}}
	well := func() error { return nil }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := All(ctx, snapshotOf(t, nil, pages...), well, nil); err != context.Canceled {
		t.Errorf("given up: got %v, want %v", err, context.Canceled)
	}
	snap := snapshotOf(t, nil, pages...)
	snap.St.Source.Closed.Store(true)
	if err := All(t.Context(), snap, well, nil); err != model.ErrClosed {
		t.Errorf("closed: got %v, want %v", err, model.ErrClosed)
	}
}

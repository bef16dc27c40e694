// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/internal/posting"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/memory"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// tries is how often each kind of entry is damaged, of a database of so many records.
var tries, damagedRecords = 1, 5_000

func init() {
	if os.Getenv("UPROAR_LONG") != "" {
		tries, damagedRecords = 20, 12_000
	}
}

// salvaged copies a store into a new one, verifies that, and returns all that is true of it.
func salvaged(t *testing.T, from store.Store) (*Report, map[fact]bool) {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	must(t, err)
	defer db.Close()
	report, err := Copy(t.Context(), from, db, Options{})
	must(t, err)
	if err := db.Verify(t.Context(), nil); err != nil {
		t.Fatalf("verify of the new database: got %v, want nil", err)
	}
	if report.Indexes[0].Failure != "" {
		t.Fatalf("got %q, want an index", report.Indexes[0].Failure)
	}
	return report, all(t, db)
}

// storeOf returns a store with some entries.
func storeOf(t *testing.T, ops []store.Op) store.Store {
	t.Helper()
	s := memstore.New()
	for _, op := range ops {
		var b store.Batch
		b.Put(op.Key, op.Value)
		must(t, s.Apply(&b, false))
	}
	return s
}

// kept is a store that a database does not close.
type kept struct{ store.Store }

func (kept) Close() error { return nil }

// makeOriginal makes a database in memory.
func makeOriginal(t *testing.T, records int, seed uint64) *original {
	t.Helper()
	s := memstore.New()
	return newOriginal(t, s, fill(t, kept{s}, records, seed))
}

func TestCopyWhole(t *testing.T) {
	o := makeOriginal(t, 3000, 1)
	report, got := salvaged(t, storeOf(t, o.ops))
	if report.Lost() || len(report.Indexes[0].Damage) > 0 {
		t.Errorf("a database that is whole: got %+v, want no damage", report.Indexes[0])
	}
	judge(t, o, report, got)
}

// TestCopyOnePage damages one entry at a time, of each kind.
func TestCopyOnePage(t *testing.T) {
	o := makeOriginal(t, damagedRecords, 2)
	rng := rand.New(rand.NewPCG(3, 3))
	kinds := kindsOf(o.ops)
	for i, kind := range slices.Sorted(maps.Keys(kinds)) {
		if testing.Short() && strings.HasPrefix(kind, "page") && i%6 != 0 {
			continue
		}
		at := kinds[kind]
		t.Run(kind, func(t *testing.T) {
			for range tries {
				i := at[rng.IntN(len(at))]
				report, got := salvaged(t, storeOf(t, flip(rng, o.ops, i)))
				if r := report.Indexes[0]; len(r.Damage)+len(r.Log)+len(r.Manifest) == 0 && kind != "log" {
					t.Errorf("entry %x: got a report without damage, want some", o.ops[i].Key)
				}
				judge(t, o, report, got)
			}
		})
	}
}

// judge compares what was salvaged with what was true: nothing is made up, and what is missing is
// where the report says that something is lost.
func judge(t *testing.T, o *original, report *Report, got map[fact]bool) {
	t.Helper()
	for f := range got {
		if !o.allowed[f] {
			t.Fatalf("got %+v, which was never there; report: %+v", f, report.Indexes[0])
		}
	}
	missing := 0
	for f := range o.truth {
		if !got[f] {
			if missing++; !o.explained(f, report.Indexes[0]) {
				t.Fatalf("%+v is missing, and not in the report: %+v", f, report.Indexes[0])
			}
		}
	}
	if missing > 0 && !report.Lost() {
		t.Fatalf("got %d facts less and a report that nothing is lost: %+v", missing, report.Indexes[0])
	}
}

// original is a database before it is damaged.
type original struct {
	truth   map[fact]bool
	allowed map[fact]bool // what may be found
	ever    map[fact]bool // what was true at any time
	ops     []store.Op
	records map[string]uint64
	rows    map[string]map[string]uint64 // by field
	numbers map[string]*schema.Bound
}

// newOriginal reads the numbers that a database has given to records and rows.
func newOriginal(t *testing.T, s store.Store, w *world) *original {
	t.Helper()
	o := &original{truth: w.facts, allowed: w.facts, ever: w.ever, ops: content(t, s), records: map[string]uint64{},
		rows:    map[string]map[string]uint64{},
		numbers: map[string]*schema.Bound{uproar.SavedField: {ID: schema.SavedID}}}
	c, err := schema.Read(s, true)
	must(t, err)
	secret, fields, err := c.Indexes[0].Posting()
	must(t, err)
	bound, err := memory.New(64 << 20)
	must(t, err)
	lists, err := posting.Open(s, posting.Config{ID: c.Indexes[0].ID, Secret: secret, Fields: fields, Memory: bound,
		DeltaBytes: 1 << 20, ReadOnly: true})
	must(t, err)
	snap := lists.Snapshot()
	for _, f := range schema.New(c.Indexes[0].Fields).Fields() {
		o.numbers[f.Name] = f
	}
	for f := range o.truth {
		o.records[f.record] = o.lookUp(t, snap, model.RecordSpace, f.record)
		if f.field == "" || f.field == "age" || f.field == "follows" {
			continue
		}
		if o.rows[f.field] == nil {
			o.rows[f.field] = map[string]uint64{}
		}
		o.rows[f.field][f.value] = o.lookUp(t, snap, model.KeySpace(o.numbers[f.field].ID), f.value)
	}
	snap.Close()
	must(t, lists.Close())
	return o
}

func (o *original) lookUp(t *testing.T, snap reader.Snapshot, space uint32, key string) uint64 {
	t.Helper()
	id, ok, err := snap.Lookup(space, key)
	must(t, err)
	if !ok {
		t.Fatalf("key %q: got no ID, want one", key)
	}
	return id
}

func within(spans []Span, id uint64) bool {
	for _, s := range spans {
		if s.First <= id && id <= s.Last {
			return true
		}
	}
	return false
}

// explained reports whether the report says that a fact may be lost.
func (o *original) explained(f fact, r *IndexReport) bool {
	if len(r.Log) > 0 {
		return true
	}
	row, record := o.rows[f.field][f.value], o.records[f.record]
	inverse := ""
	if f.field == "follows" {
		row, record, inverse = record, o.records[f.value], "followers"
	}
	for _, k := range r.Keyless {
		if k.Field == "" && (within(k.IDs, record) || f.field == "follows" && within(k.IDs, row)) ||
			f.field != "" && k.Field == f.field && within(k.IDs, row) {
			return true
		}
	}
	for _, d := range r.Damage {
		if d.MadeGood {
			continue
		}
		rows := []Span{d.Rows}
		switch {
		case d.Field == "_exists" && f.field == "",
			d.Field == f.field && d.Part == "lists" && (f.field == "age" || within(rows, row)),
			d.Field == f.field && d.Part == "values" && within(rows, record),
			d.Field == inverse && d.Part == "lists" && within(rows, record):
			return true
		}
	}
	return false
}

// kindsOf groups the entries of a store by what they are.
func kindsOf(ops []store.Op) map[string][]int {
	kinds := map[string][]int{}
	for i, op := range ops {
		kind := ""
		switch op.Key[0] {
		case format.KindManifest:
			kind = "manifest"
		case format.KindLog:
			kind = "log"
		case format.KindPage:
			kind = fmt.Sprintf("page of field %x", op.Key[5:9])
		default:
			continue
		}
		kinds[kind] = append(kinds[kind], i)
	}
	return kinds
}

// flip returns entries of which some have a bit flipped.
func flip(rng *rand.Rand, ops []store.Op, at ...int) []store.Op {
	out := append([]store.Op(nil), ops...)
	for _, i := range at {
		value := bytes.Clone(out[i].Value)
		value[rng.IntN(len(value))] ^= 1 << rng.IntN(8)
		out[i].Value = value
	}
	return out
}

// TestCopyCatalog damages the header, the catalog and its copy: one of the two last is enough.
func TestCopyCatalog(t *testing.T) {
	o := makeOriginal(t, 500, 6)
	rng := rand.New(rand.NewPCG(7, 7))
	at := map[byte]int{}
	for i, op := range o.ops {
		at[op.Key[0]] = i
	}
	const header, catalog, again = 0, 1, 6
	for name, c := range map[string]struct {
		damaged []byte // kinds of entries
		missing bool
		note    string
		err     string
	}{
		"header":           {[]byte{header}, false, "the header could not be read", ""},
		"header missing":   {[]byte{header}, true, "the header could not be read", ""},
		"catalog":          {[]byte{catalog}, false, "the catalog could not be read", ""},
		"catalog missing":  {[]byte{catalog}, true, "the catalog could not be read", ""},
		"both":             {[]byte{header, catalog}, false, "the catalog could not be read", ""},
		"copy":             {[]byte{again}, false, "", ""},
		"catalog and copy": {[]byte{catalog, again}, false, "", "without the catalog nothing can be told"},
	} {
		ops := append([]store.Op(nil), o.ops...)
		for _, kind := range c.damaged {
			i, ok := at[kind]
			if !ok {
				t.Fatalf("there is no entry of kind %d", kind)
			}
			if ops[i] = flip(rng, ops, i)[i]; c.missing {
				ops = append(ops[:i:i], ops[i+1:]...)
			}
		}
		if c.err != "" {
			db, err := uproar.Open(t.Context(), memstore.New(), nil)
			must(t, err)
			if _, err := Copy(t.Context(), storeOf(t, ops), db, Options{}); !errors.Is(err, store.ErrCorrupt) ||
				!strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "backup") {
				t.Errorf("%s: got %v, want %q", name, err, c.err)
			}
			must(t, db.Close())
			continue
		}
		report, got := salvaged(t, storeOf(t, ops))
		if notes := strings.Join(report.Notes, "|"); !strings.Contains(notes, c.note) ||
			(c.note == "") != (notes == "") {
			t.Errorf("%s: got notes %q, want %q", name, notes, c.note)
		}
		if len(got) != len(o.truth) {
			t.Errorf("%s: got %d facts, want %d", name, len(got), len(o.truth))
		}
		judge(t, o, report, got)
	}
}

// TestCopyPartsLost takes away or damages all entries of a kind, and several kinds together. That a
// log is gone without a trace only its engine can tell.
func TestCopyPartsLost(t *testing.T) {
	o := makeOriginal(t, 500, 8)
	rng := rand.New(rand.NewPCG(9, 9))
	kinds := kindsOf(o.ops)
	for name, c := range map[string]struct {
		kinds   []string
		missing bool
	}{
		"log":                   {[]string{"log"}, false},
		"log missing":           {[]string{"log"}, true},
		"manifest":              {[]string{"manifest"}, false},
		"manifest missing":      {[]string{"manifest"}, true},
		"manifest and log":      {[]string{"manifest", "log"}, false},
		"manifest and log gone": {[]string{"manifest", "log"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			lost := map[int]bool{}
			for _, kind := range c.kinds {
				for _, i := range kinds[kind] {
					lost[i] = true
				}
			}
			var ops []store.Op
			for i, op := range o.ops {
				switch {
				case lost[i] && c.missing:
				case lost[i]:
					ops = append(ops, flip(rng, o.ops, i)[i])
				default:
					ops = append(ops, op)
				}
			}
			report, got := salvaged(t, storeOf(t, ops))
			r := report.Indexes[0]
			for f := range got {
				if !o.ever[f] {
					t.Fatalf("got %+v, which was never there; report: %+v", f, r)
				}
			}
			t.Logf("%d of %d facts; log %v, manifest %v", len(got), len(o.truth), r.Log, r.Manifest)
			if len(got) < len(o.truth)/3 {
				t.Errorf("got %d facts, want a third of %d", len(got), len(o.truth))
			}
			missing := 0
			for f := range o.truth {
				if !got[f] {
					missing++
				}
			}
			if missing > 0 && !report.Lost() && name != "log missing" {
				t.Errorf("%d facts are missing, and the report says that nothing is lost: %+v", missing, r)
			}
		})
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
	"github.com/uproar-db/uproar/store/storetest"
)

// storeOf returns a store with some entries.
func storeOf(t *testing.T, entries map[string][]byte) store.Store {
	t.Helper()
	s := memstore.New()
	var b store.Batch
	for key, value := range entries {
		b.Put([]byte(key), value)
	}
	if err := s.Apply(&b, true); err != nil {
		t.Fatal(err)
	}
	return s
}

// changed returns a copy of bytes with one of them changed.
func changed(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

// TestStoresThatAreNone: each store that is no database of this version is refused, and nothing is
// written to it.
func TestStoresThatAreNone(t *testing.T) {
	header := sealed(headerKey, headerVersion, nil)
	catalog := func(body string) []byte { return sealed(catalogKey, catalogTag, []byte(body)) }
	origin := func(body string) []byte { return sealed(originKey, originTag, []byte(body)) }
	h, c, o := string(headerKey), string(catalogKey), string(originKey)
	const good = `{"version":1,"indexes":[]}`
	for name, at := range map[string]struct {
		entries map[string][]byte
		want    error
		text    string
	}{
		"something else": {map[string][]byte{"mine": nil}, ErrNotDatabase, "begins with key 6d696e65"},
		"only a catalog": {map[string][]byte{c: catalog(good)}, ErrNotDatabase, "begins with key 01"},
		"no header":      {map[string][]byte{h: {}}, ErrNotDatabase, "header: got 0 bytes without its magic"},
		"another magic":  {map[string][]byte{h: changed(header, 0)}, ErrNotDatabase, "header: got 8 bytes"},
		"another version": {map[string][]byte{h: changed(header, 1)}, model.ErrVersion,
			"header: got 00 00 00, want 01"},
		"a reserved byte":       {map[string][]byte{h: changed(header, 2)}, model.ErrVersion, "header: got 01 01 00"},
		"a damaged header":      {map[string][]byte{h: changed(header, 5)}, model.ErrCorrupt, "header: got checksum"},
		"only a header":         {map[string][]byte{h: header}, model.ErrCorrupt, "got a header without it, want both"},
		"a catalog as a header": {map[string][]byte{h: catalog(good)}, model.ErrVersion, "header: got 02"},
		"a damaged catalog": {map[string][]byte{h: header, c: changed(catalog(good), 20)}, model.ErrCorrupt,
			"catalog: got checksum"},
		"a cut catalog": {map[string][]byte{h: header, c: catalog(good)[:20]}, model.ErrCorrupt,
			"catalog: got checksum"},
		"two catalogs": {map[string][]byte{h: header, c: catalog(good + good)}, model.ErrCorrupt,
			"more than one JSON object"},
		"a later catalog": {map[string][]byte{h: header, c: catalog(`{"version":2}`)}, model.ErrVersion,
			"catalog: got 2, want 1"},
		"a restore that ended early": {map[string][]byte{o: origin(`{"state":"restoring","id":"1"}`)}, ErrRestoring,
			"not restored to the end"},
		"an origin that is none": {map[string][]byte{o: origin(`{"state":"lost","id":"1"}`)}, model.ErrCorrupt,
			`origin: got state "lost" of "1", want "restoring" or "restored"`},
		"an origin without an ID": {map[string][]byte{o: origin(`{"state":"restored"}`)}, model.ErrCorrupt,
			"origin: got state"},
		"an origin without JSON": {map[string][]byte{o: origin(`{`)}, model.ErrCorrupt, "origin: "},
		"a damaged origin": {map[string][]byte{o: changed(origin(`{}`), 8)}, model.ErrCorrupt,
			"origin: got checksum"},
	} {
		s := storeOf(t, at.entries)
		if got, err := Read(s, false); !errors.Is(err, at.want) || !strings.Contains(err.Error(), at.text) {
			t.Errorf("%s: got %+v, %v, want %v: %s", name, got, err, at.want, at.text)
		}
		n := 0
		if err := s.Keys(nil, nil, func([]byte) error { n++; return nil }); err != nil || n != len(at.entries) {
			t.Errorf("%s: got %d entries, %v, want %d", name, n, err, len(at.entries))
		}
	}
}

// TestEmptyStore becomes a database once it is not only read, and has a header from then on.
func TestEmptyStore(t *testing.T) {
	s := memstore.New()
	if _, err := Read(s, true); !errors.Is(err, ErrNotDatabase) {
		t.Errorf("only read: got %v, want ErrNotDatabase", err)
	}
	for i, want := range []bool{false, true, true} {
		if got, err := HasHeader(s); err != nil || got != want {
			t.Errorf("%d: got a header %v, %v, want %v", i, got, err, want)
		}
		if c, err := Read(s, false); err != nil || c.Version != CatalogVersion || len(c.Indexes) != 0 {
			t.Errorf("%d: got %+v, %v, want an empty catalog", i, c, err)
		}
	}
}

// TestOrigin is written with and without a catalog, and read back.
func TestOrigin(t *testing.T) {
	s := memstore.New()
	if o, err := ReadOrigin(s); err != nil || o != (Origin{}) {
		t.Errorf("got %+v, %v, want none", o, err)
	}
	o := Origin{State: Restoring, ID: "12"}
	if err := o.Write(s, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(s, false); !errors.Is(err, ErrRestoring) {
		t.Errorf("got %v, want ErrRestoring", err)
	}
	o.State, o.Backup = Restored, "34"
	if err := o.Write(s, &Catalog{Version: CatalogVersion, LastID: 7}); err != nil {
		t.Fatal(err)
	}
	if c, err := Read(s, true); err != nil || c.LastID != 7 {
		t.Errorf("got %+v, %v, want the catalog that was written with it", c, err)
	}
	if back, err := ReadOrigin(s); err != nil || back != o {
		t.Errorf("got %+v, %v, want %+v", back, err, o)
	}
	if !IsOrigin([]byte{5}) || IsOrigin(headerKey) || IsOrigin(nil) {
		t.Error("got other keys than 05 as that of the origin")
	}
}

// TestCatalogNotWritten: an error that does not say that nothing has changed stops the writing.
func TestCatalogNotWritten(t *testing.T) {
	for _, c := range []struct {
		err    error
		failed bool
	}{{store.ErrFull, false}, {store.ErrReadOnly, false}, {store.ErrClosed, false}, {store.ErrTooLarge, false},
		{errors.New("the disk is gone"), true}} {
		s := storetest.NewFaulty(memstore.New())
		s.Inject(storetest.Fault{Call: storetest.Apply, Nth: 1, Err: c.err})
		err := (&Catalog{Version: CatalogVersion}).Write(s)
		if !errors.Is(err, c.err) || errors.Is(err, model.ErrFailed) != c.failed {
			t.Errorf("%v: got %v, want ErrFailed: %v", c.err, err, c.failed)
		}
	}
	for _, call := range []storetest.Call{storetest.Get, storetest.Scan} {
		s, gone := storetest.NewFaulty(memstore.New()), errors.New("the disk is gone")
		s.Inject(storetest.Fault{Call: call, Nth: 1, Err: gone})
		if c, err := Read(s, false); !errors.Is(err, gone) {
			t.Errorf("got %+v, %v, want %v", c, err, gone)
		}
	}
}

// TestCatalogsThatCannotBe: names and IDs are of one index or field each.
func TestCatalogsThatCannotBe(t *testing.T) {
	index := func(id uint32, name string) Index { return Index{ID: id, Name: name} }
	for name, c := range map[string]*Catalog{
		"one name twice":       {Indexes: []Index{index(1, "a"), index(2, "a")}},
		"one ID twice":         {Indexes: []Index{index(1, "a"), index(1, "b")}},
		"an ID being dropped":  {Indexes: []Index{index(1, "a")}, Dropping: []uint32{1}, LastID: 1},
		"dropping one to come": {Dropping: []uint32{2}, LastID: 1},
		"an alias of none":     {Aliases: map[string]string{"x": "a"}},
		"an alias of a loading": {Indexes: []Index{{ID: 1, Name: "a", Loading: true}},
			Aliases: map[string]string{"x": "a"}},
		"an alias and an index": {Indexes: []Index{index(1, "a"), index(2, "b")}, Aliases: map[string]string{"b": "a"}},
		"one field twice": {Indexes: []Index{{ID: 1, Name: "a", Fields: []StoredField{{ID: 4, Name: "x", Type: Set},
			{ID: 8, Name: "x", Type: Set}}}}},
	} {
		if err := c.Check(); !errors.Is(err, model.ErrCorrupt) {
			t.Errorf("%s: got %v, want ErrCorrupt", name, err)
		}
	}
	again := &Catalog{Aliases: map[string]string{"x": "a"}, LastID: 9, Dropping: []uint32{9}, Indexes: []Index{{ID: 1,
		Name: "a", Fields: []StoredField{{ID: 4, Name: "x", Type: Set, Dropped: true}, {ID: 8, Name: "x", Type: Set}}}}}
	if err := again.Check(); err != nil {
		t.Errorf("a name again, of a field that was dropped: %v", err)
	}
}

// TestSchemaByNamesAndNumbers finds fields, dropped ones and the saved sets, and says what each
// number is.
func TestSchemaByNamesAndNumbers(t *testing.T) {
	fields, err := Declare(nil, []Field{{Name: "gone", Type: Set}, {Name: "tag", Type: Set},
		{Name: "likes", Type: Relation, Inverse: "liked"}, {Name: "age", Type: Integer, Format: Date}})
	if err != nil {
		t.Fatal(err)
	}
	x := Index{Fields: fields}
	before := New(x.Fields)
	x.DropFields(4)
	s := New(x.Fields)
	if s.Version() <= before.Version() {
		t.Errorf("got version %d after %d, want a greater one", s.Version(), before.Version())
	}
	var names []string
	for _, f := range s.Fields() {
		names = append(names, f.Name)
		if s.Named(f.Name) != f || s.Numbered(f.ID) != f || s.Dropped(f.ID) != nil {
			t.Errorf("%s: got another field of its name or number", f.Name)
		}
	}
	if got := strings.Join(names, " "); got != "tag likes liked age" {
		t.Errorf("got fields %s, want tag likes liked age", got)
	}
	likes, liked, saved := s.Named("likes"), s.Named("liked"), s.Named(SavedName)
	if likes.Inverse != "liked" || likes.InverseID != liked.ID || liked.Inverse != "likes" || !liked.Derived ||
		likes.Derived {
		t.Errorf("got %+v and %+v, want that they are inverse", likes, liked)
	}
	if likes.Space() != model.RecordSpace || s.Named("tag").Space() != model.KeySpace(8) || saved.ID != SavedID ||
		s.Numbered(SavedID) != saved {
		t.Error("got other key spaces or another number of the saved sets")
	}
	if s.Named("gone") != nil || s.Numbered(4) != nil || s.Dropped(4).Name != "gone" || before.Named("gone") == nil {
		t.Error("got a dropped field by name, or none by number")
	}
	for name, want := range map[string]string{"tga": "tag", "like": "likes", "zebra": "", "gone": ""} {
		if got := s.Suggest(name); got != want {
			t.Errorf("%s: got the suggestion %q, want %q", name, got, want)
		}
	}
	if got, want := s.Numbers(), `0 to 3 is the records, 8 to 11 is "tag", 12 to 15 is "likes", 16 to 19 is "liked", `+
		`20 to 23 is "age"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for id, want := range map[uint32]string{0: "_exists universe", 1: "_keys keys", 2: "_hashes hashes",
		3: "_forward forward", 4: "gone dropped", 7: "gone dropped", 8: "tag set", 9: "tag.keys keys",
		10: "tag.hashes hashes", 11: "tag.forward forward", 12: "likes relation", 16: "liked inverse",
		20: "age integer", 41: "field 40.keys keys", SavedID: "_saved saved", SavedID + 1: "_saved.keys keys"} {
		name, kind := s.Describe(id)
		if got := fmt.Sprint(name, " ", kind); got != want {
			t.Errorf("number %d: got %s, want %s", id, got, want)
		}
	}
}

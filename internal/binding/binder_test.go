// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/sentinel"
)

// before is what the index says before each batch of TestBatches.
const before = "tag=x:a,b city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"

// writeBefore makes the index say that.
func writeBefore(p *people) {
	p.t.Helper()
	p.must(set("tag", "a", "x"), set("tag", "b", "x"), set("city", "a", "Rome"), set("follows", "a", "b"),
		integer("age", "a", 7), Write{Kind: Record, Record: "c"})
	if got := p.state(); got != before {
		p.t.Fatalf("got %s, want %s", got, before)
	}
}

// TestBatchesSayWhatTheyDo writes batches of every kind to fields of every type, onto values that
// are in the log only, and onto pages.
func TestBatchesSayWhatTheyDo(t *testing.T) {
	for name, c := range map[string]struct {
		batch []Write
		want  string
	}{
		"nothing": {nil, before},
		"a value more of a set": {[]Write{set("tag", "a", "y")},
			"tag=x:a,b tag=y:a city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"a new record": {[]Write{set("tag", "d", "x")},
			"tag=x:a,b,d city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c,d"},
		"another value of a single field": {[]Write{set("city", "a", "Bern")},
			"tag=x:a,b city=Bern:a follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"both ends of a relation are records": {[]Write{set("follows", "d", "e")},
			"tag=x:a,b city=Rome:a follows=a:b follows=d:e followers=b:a followers=e:d age(a)=7 all:a,b,c,d,e"},
		"a relation by its inverse": {[]Write{set("followers", "c", "a")},
			"tag=x:a,b city=Rome:a follows=a:b,c followers=b:a followers=c:a age(a)=7 all:a,b,c"},
		"a record that follows itself": {[]Write{set("follows", "d", "d")},
			"tag=x:a,b city=Rome:a follows=a:b follows=d:d followers=b:a followers=d:d age(a)=7 all:a,b,c,d"},
		"an integer as text": {[]Write{set("age", "b", "-40"), set("price", "b", "1.5"), set("born", "b", "2019-01-31"),
			set("seen", "b", "2026-01-31T12:00:00+02:00")},
			"tag=x:a,b city=Rome:a follows=a:b followers=b:a age(a)=7 age(b)=-40 price(b)=1.50 born(b)=2019-01-31 " +
				"seen(b)=2026-01-31T10:00:00Z all:a,b,c"},
		"the last integer counts": {[]Write{integer("age", "a", 8), set("age", "a", "9")},
			"tag=x:a,b city=Rome:a follows=a:b followers=b:a age(a)=9 all:a,b,c"},
		"a record": {[]Write{{Kind: Record, Record: "d"}, {Kind: Record, Record: "a"}},
			"tag=x:a,b city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c,d"},
		"records by their IDs": {[]Write{emptying("tag", "x"),
			{Kind: IDs, Field: "tag", Value: "x", IDs: []uint64{0, 2}},
			{Kind: IDs, Field: "tag", Value: "new", IDs: []uint64{1, 77}}},
			"tag=new:b tag=x:a,c city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"a value less of a set": {[]Write{clearing("tag", "a", "x")},
			"tag=x:b city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"a value less of a single field": {[]Write{clearing("city", "a", "Rome")},
			"tag=x:a,b follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"another value of a single field is not cleared": {[]Write{set("city", "c", "Bern"),
			clearing("city", "a", "Bern")},
			"tag=x:a,b city=Bern:c city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"a value less of a relation": {[]Write{clearing("follows", "a", "b")},
			"tag=x:a,b city=Rome:a age(a)=7 all:a,b,c"},
		"a value less by the inverse": {[]Write{clearing("followers", "b", "a")},
			"tag=x:a,b city=Rome:a age(a)=7 all:a,b,c"},
		"an integer less": {[]Write{clearing("age", "a", "7.0")},
			"tag=x:a,b city=Rome:a follows=a:b followers=b:a all:a,b,c"},
		"what is not there is not cleared": {[]Write{clearing("tag", "nobody", "x"), clearing("tag", "a", "none"),
			clearing("city", "a", "Bern"), clearing("city", "nobody", "Rome"), clearing("age", "a", "8"),
			clearing("age", "nobody", "7"), clearing("follows", "b", "a"), clearing("follows", "a", "nobody")}, before},
		"what the batch has made is cleared": {[]Write{set("tag", "d", "new"), clearing("tag", "d", "new")},
			"tag=x:a,b city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c,d"},
		"unset": {[]Write{unset("city", "a"), unset("age", "a"), unset("age", "nobody")},
			"tag=x:a,b follows=a:b followers=b:a all:a,b,c"},
		"a record deleted":   {[]Write{deletion("a"), deletion("nobody")}, "tag=x:b all:b,c"},
		"a record made anew": {[]Write{deletion("a"), set("tag", "a", "y")}, "tag=x:b tag=y:a all:a,b,c"},
		"a record deleted twice": {[]Write{deletion("a"), deletion("a"), set("city", "a", "Bern")},
			"tag=x:b city=Bern:a all:a,b,c"},
		"a record made and deleted": {[]Write{set("tag", "d", "x"), deletion("d")}, before},
		"values before a deletion go": {[]Write{set("tag", "a", "z"), deletion("a"), clearing("tag", "a", "x")},
			"tag=x:b all:b,c"},
		"a row emptied": {[]Write{emptying("tag", "x")},
			"city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"a row of a single field emptied": {[]Write{emptying("city", "Rome"), emptying("city", "Bern")},
			"tag=x:a,b follows=a:b followers=b:a age(a)=7 all:a,b,c"},
		"a row of a relation emptied": {[]Write{emptying("follows", "a"), emptying("follows", "nobody")},
			"tag=x:a,b city=Rome:a age(a)=7 all:a,b,c"},
		"a row of an inverse emptied": {[]Write{emptying("followers", "b")},
			"tag=x:a,b city=Rome:a age(a)=7 all:a,b,c"},
		"a row emptied and filled": {[]Write{set("tag", "c", "x"), emptying("tag", "x"), set("tag", "b", "x")},
			"tag=x:b city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"},
	} {
		for _, flushed := range []bool{false, true} {
			p := newPeople(t)
			writeBefore(p)
			if flushed {
				if err := p.lists.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := p.write(c.batch...); err != nil {
				t.Errorf("%s (flushed: %v): %v", name, flushed, err)
			}
			if got := p.state(); got != c.want {
				t.Errorf("%s (flushed: %v): got\n%s, want\n%s", name, flushed, got, c.want)
			}
		}
	}
}

// TestBatchesThatCannotBe: each error says what was got and wanted. Nothing of the batch is
// written, and nothing of it is left for the next one.
func TestBatchesThatCannotBe(t *testing.T) {
	p := newPeople(t)
	writeBefore(p)
	long := strings.Repeat("k", format.MaxKey+1)
	for _, c := range []struct {
		w    Write
		want string // behind "uproar: invalid: "
	}{
		{Write{Kind: Record}, "record: got 0 bytes, want 1 to 65534"},
		{Write{Kind: Record, Record: long}, "record: got 65535 bytes, want 1 to 65534"},
		{deletion(""), "record: got 0 bytes, want 1 to 65534"},
		{set("tag", "", "x"), "record: got 0 bytes, want 1 to 65534"},
		{set("tag", "a", ""), "value of tag: got 0 bytes, want 1 to 65534"},
		{set("city", "a", long), "value of city: got 65535 bytes, want 1 to 65534"},
		{set("follows", "a", long), "value of follows: got 65535 bytes, want 1 to 65534"},
		{clearing("tag", "a", ""), "value of tag: got 0 bytes, want 1 to 65534"},
		{emptying("tag", ""), "row of tag: got 0 bytes, want 1 to 65534"},
		{emptying("age", "7"), `age: got DeleteRow on a field of type "integer", want one with rows`},
		{integer("tag", "a", 1), `tag: got an integer for a field of type "set", want "integer"`},
		{integer("follows", "a", 1), `follows: got an integer for a field of type "relation", want "integer"`},
		{Write{Kind: IDs, Field: "city", Value: "Rome"},
			`city: got records by their IDs for a field of type "single", want "set"`},
		{Write{Kind: IDs, Field: "tag"}, "value of tag: got 0 bytes, want 1 to 65534"},
		{unset("tag", "a"), `tag: got Unset on a field of type "set", want "single" or "integer"`},
		{unset("followers", "a"), `followers: got Unset on a field of type "relation", want "single" or "integer"`},
		{set("age", "a", "old"), `age: got "old", want a number`},
		{clearing("age", "a", "old"), `age: got "old", want a number`},
		{set("price", "a", "1.234"), `price: got "1.234", want`},
		{set("born", "a", "2019-02-30"), `born: got "2019-02-30", want`},
		{set("seen", "a", "noon"), `seen: got "noon", want`},
		{set("age", "a", "9223372036854775808"), `age: got "9223372036854775808", want`},
	} {
		n, err := p.write(deletion("a"), emptying("tag", "x"), set("tag", "lost", "lost"), c.w)
		if !errors.Is(err, sentinel.ErrInvalid) || !strings.HasPrefix(err.Error(), "uproar: invalid: "+c.want) {
			t.Errorf("%s: got %d, %v, want %q", c.want, n, err, c.want)
		}
		if got := p.state(); got != before {
			t.Errorf("%s: got %s, want %s", c.want, got, before)
		}
	}
	for _, w := range []Write{set("tga", "a", "x"), clearing("tga", "a", "x"), unset("tga", "a"), emptying("tga", "x"),
		integer("tga", "a", 1), {Kind: IDs, Field: "tga", Value: "x"}} {
		if _, err := p.write(w); !errors.Is(err, sentinel.ErrUnknownField) ||
			!strings.Contains(err.Error(), `"tga", did you mean "tag"`) {
			t.Errorf("%+v: got %v, want that it is unknown", w, err)
		}
	}
	p.must(set("tag", "a", "y"))
	if got, want := p.state(), "tag=x:a,b tag=y:a city=Rome:a follows=a:b followers=b:a age(a)=7 all:a,b,c"; got != want {
		t.Errorf("after all of them: got %s, want %s", got, want)
	}
}

// TestDroppedFieldsTakeNothing binds batches by the fields before and after some were dropped.
func TestDroppedFieldsTakeNothing(t *testing.T) {
	p := newPeople(t)
	writeBefore(p)
	old := p.fields
	for _, name := range []string{"tag", "city", "follows", "age"} {
		p.drop(name)
	}
	for _, w := range []Write{set("tag", "a", "y"), clearing("tag", "a", "x"), emptying("tag", "x"),
		set("city", "a", "Bern"), set("follows", "a", "c"), set("followers", "a", "c"), integer("age", "a", 1)} {
		if _, err := p.write(w); !errors.Is(err, sentinel.ErrUnknownField) {
			t.Errorf("%+v: got %v, want ErrUnknownField", w, err)
		}
	}
	now := p.fields
	p.fields = old // as one has them that was bound while the fields were dropped
	p.must(set("tag", "a", "y"), set("city", "a", "Bern"), set("follows", "a", "c"), integer("age", "a", 1),
		set("price", "a", "2"))
	p.fields = now
	for _, when := range []string{"before a flush", "after it"} {
		if got, want := p.state(), "price(a)=2.00 all:a,b,c"; got != want {
			t.Errorf("%s: got %s, want %s", when, got, want)
		}
		if err := p.lists.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.lists.Verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestKnownRecordsAreNotMadeAgain: what exists needs no write of its existence, and what is not
// known none to be taken away.
func TestKnownRecordsAreNotMadeAgain(t *testing.T) {
	p := newPeople(t)
	for _, c := range []struct {
		w    Write
		want int
	}{
		{set("tag", "a", "x"), 2}, {set("tag", "a", "y"), 1}, {set("follows", "a", "b"), 2},
		{Write{Kind: Record, Record: "b"}, 0}, {Write{Kind: Record, Record: "c"}, 1}, {integer("age", "a", 1), 1},
		{clearing("tag", "nobody", "x"), 0}, {clearing("tag", "a", "none"), 0}, {unset("age", "nobody"), 0},
		{deletion("nobody"), 0}, {emptying("tag", "none"), 0}, {clearing("tag", "a", "x"), 1}, {deletion("a"), 1},
		{Write{Kind: Record, Record: "a"}, 1},
	} {
		if got := p.must(c.w); got != c.want {
			t.Errorf("%+v: got %d writes, want %d", c.w, got, c.want)
		}
	}
}

// TestLargeBatches binds more writes than are looked up together, and than memory is kept for.
func TestLargeBatches(t *testing.T) {
	p := newPeople(t)
	var batch []Write
	for i := range keptWrites + 10 {
		batch = append(batch, set("tag", fmt.Sprint("r", i%1000), fmt.Sprint("t", i%300)))
	}
	for range 2 {
		if got, least := p.must(batch...), len(batch); got < least {
			t.Errorf("got %d writes, want at least %d", got, least)
		}
	}
	snap := p.lists.Snapshot()
	defer snap.Close()
	if n, err := snap.Count(); err != nil || n != 1000 {
		t.Errorf("got %d records, %v, want 1000", n, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Bind(ended, batch, snap, p.fields, unknownField); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// TestBindOnClosedIndex: an error of reading is the batch's.
func TestBindOnClosedIndex(t *testing.T) {
	p := newPeople(t)
	writeBefore(p)
	snap := p.lists.Snapshot()
	snap.Close()
	for _, w := range []Write{set("tag", "a", "x"), clearing("tag", "a", "x"), set("follows", "a", "b"), deletion("a"),
		emptying("tag", "x"), unset("age", "a"), {Kind: Record, Record: "a"}} {
		if _, err := New().Bind(t.Context(), []Write{w}, snap, p.fields, unknownField); !errors.Is(err,
			model.ErrClosed) {
			t.Errorf("%+v: got %v, want ErrClosed", w, err)
		}
	}
}

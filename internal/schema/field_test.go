// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/internal/value"
)

// mustBeInvalid fails unless an error is ErrInvalid and says something.
func mustBeInvalid(t *testing.T, what string, err error, text string) {
	t.Helper()
	if !errors.Is(err, sentinel.ErrInvalid) || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: got %v, want ErrInvalid: %s", what, err, text)
	}
}

// TestNames are those that an index, a field and an alias may have.
func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{"a": true, "Z9_": true, strings.Repeat("n", maxName): true,
		"": false, strings.Repeat("n", maxName+1): false, "9a": false, "_a": false, "a-b": false, "a b": false,
		"é": false, "a.b": false, "a\x00": false} {
		switch err := CheckName("index", name); {
		case ok && err != nil:
			t.Errorf("%q: %v", name, err)
		case !ok:
			mustBeInvalid(t, name, err, "name of index: got ")
		}
	}
	if err := CheckNote(make([]byte, maxNote)); err != nil {
		t.Error(err)
	}
	mustBeInvalid(t, "a note", CheckNote(make([]byte, maxNote+1)), "note: got 65537 bytes, want at most 65536")
}

// TestFieldsThatCannotBe: each is refused with what was got and wanted.
func TestFieldsThatCannotBe(t *testing.T) {
	existing := []StoredField{{ID: 4, Name: "tag", Type: Set}, {ID: 8, Name: "gone", Type: Set, Dropped: true}}
	for _, c := range []struct {
		f    Field
		text string
	}{
		{Field{Name: "9", Type: Set}, `name of field: got "9"`},
		{Field{Name: "key", Type: Set}, `name of field: got "key", which tables have for the keys of records`},
		{Field{Name: "x", Type: Relation, Inverse: "key"}, `name of field: got "key"`},
		{Field{Name: SavedName, Type: Set}, `name of field: got "_saved"`},
		{Field{Name: "tag", Type: Single}, `fields: got two of the name "tag", want one`},
		{Field{Name: "x"}, `field "x": got type "", want "set", "single", "integer", "date", "time", "decimal" with`},
		{Field{Name: "x", Type: "bag"}, `field "x": got type "bag"`},
		{Field{Name: "x", Type: Set, Inverse: "y"}, `got type "set" with inverse "y"`},
		{Field{Name: "x", Type: Relation}, `got type "relation" without an inverse`},
		{Field{Name: "x", Type: Relation, Inverse: "x"}, `got two of the name "x"`},
		{Field{Name: "x", Type: Relation, Inverse: "tag"}, `got two of the name "tag"`},
		{Field{Name: "x", Type: Relation, Inverse: "9"}, `name of field: got "9"`},
		{Field{Name: "x", Type: "date"}, `field "x": got type "date", want type "integer" with format "date"`},
		{Field{Name: "x", Type: "time"}, `field "x": got type "time", want type "integer" with format "time"`},
		{Field{Name: "x", Type: "decimal"}, `field "x": got type "decimal", want type "integer" with a scale`},
		{Field{Name: "x", Type: Integer, Format: "week"}, `field "x": got format "week", want "date", "time" or none`},
		{Field{Name: "x", Type: Integer, Scale: 19}, `field "x": got a scale of 19, want 0 to 18`},
		{Field{Name: "x", Type: Integer, Scale: 2, Format: Date}, `got a scale of 2 with format "date", want one of them`},
		{Field{Name: "x", Type: Single, Scale: 2}, `got format "" and scale 2 for type "single", want them for "integer"`},
		{Field{Name: "x", Type: Integer, Column: FastColumn}, `got type "integer" with column "fast"`},
		{Field{Name: "x", Type: Single, Column: SmallColumn}, `got type "single" with column "small"`},
		{Field{Name: "x", Type: Set, Column: "wide"}, `got type "set" with column "wide"`},
	} {
		got, err := Declare(existing, []Field{{Name: "first", Type: Set}, c.f})
		mustBeInvalid(t, c.f.String(), err, c.text)
		if got != nil {
			t.Errorf("%v: got %+v beside an error", c.f, got)
		}
	}
}

// TestDeclare numbers fields above those that are there, dropped ones too, and says what package
// posting must know of them.
func TestDeclare(t *testing.T) {
	existing := []StoredField{{ID: 4, Name: "tag", Type: Set}, {ID: 12, Name: "gone", Type: Set, Dropped: true}}
	got, err := Declare(existing, []Field{{Name: "gone", Type: Single, Column: FastColumn},
		{Name: "likes", Type: Relation, Inverse: "liked"}, {Name: "price", Type: Integer, Scale: 2},
		{Name: "word", Type: Set, Column: SmallColumn}})
	want := []StoredField{{ID: 16, Name: "gone", Type: Single, Column: FastColumn},
		{ID: 20, Name: "likes", Type: Relation, Inverse: 24},
		{ID: 24, Name: "liked", Type: Relation, Inverse: 20, Derived: true},
		{ID: 28, Name: "price", Type: Integer, Scale: 2}, {ID: 32, Name: "word", Type: Set, Column: SmallColumn}}
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("got %+v, %v, want %+v", got, err, want)
	}
	x := Index{Name: "a", Secret: strings.Repeat("0a", 16), Fields: append(existing, got...)}
	secret, fields, err := x.Posting()
	kept := []model.Field{{Name: "tag", ID: 4}, {Name: "gone", ID: 12, Dropped: true},
		{Name: "gone", ID: 16, Kind: model.Rows, Fast: true}, {Name: "likes", ID: 20, Inverse: 24},
		{Name: "liked", ID: 24, Inverse: 20, Derived: true}, {Name: "price", ID: 28, Kind: model.Integers},
		{Name: "word", ID: 32, Column: model.SmallColumn}, {Name: SavedName, ID: SavedID}}
	if err != nil || secret != [16]byte{10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10} ||
		!slices.Equal(fields, kept) {
		t.Errorf("got %x, %+v, %v, want %+v", secret, fields, err, kept)
	}
}

// TestIndexesOfOtherVersions: what this program does not know is another version, and a secret that
// is none is damage.
func TestIndexesOfOtherVersions(t *testing.T) {
	good := Index{Name: "a", Secret: strings.Repeat("0", 32), Fields: []StoredField{{ID: 4, Name: "x", Type: Set}}}
	for name, c := range map[string]struct {
		change func(x *Index)
		want   error
	}{
		"a short secret": {func(x *Index) { x.Secret = "00" }, model.ErrCorrupt},
		"no hex digits":  {func(x *Index) { x.Secret = strings.Repeat("x", 32) }, model.ErrCorrupt},
		"shards":         {func(x *Index) { x.ShardWidth = 1 << 20 }, model.ErrVersion},
		"another type":   {func(x *Index) { x.Fields[0].Type = "bag" }, model.ErrVersion},
		"another format": {func(x *Index) { x.Fields[0].Type, x.Fields[0].Format = Integer, "week" },
			model.ErrVersion},
		"another column":  {func(x *Index) { x.Fields[0].Column = "wide" }, model.ErrVersion},
		"a scale of none": {func(x *Index) { x.Fields[0].Scale = 1 }, model.ErrVersion},
	} {
		x := good
		x.Fields = slices.Clone(good.Fields)
		c.change(&x)
		if _, _, err := x.Posting(); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if _, _, err := good.Posting(); err != nil {
		t.Error(err)
	}
}

// TestFieldTexts writes fields as command lines do, and reads their types again.
func TestFieldTexts(t *testing.T) {
	for want, f := range map[string]Field{
		"a:set": {Name: "a", Type: Set}, "a:single": {Name: "a", Type: Single}, "a:integer": {Name: "a", Type: Integer},
		"a:date": {Name: "a", Type: Integer, Format: Date}, "a:time": {Name: "a", Type: Integer, Format: Time},
		"a:decimal:scale=2": {Name: "a", Type: Integer, Scale: 2},
		"a:set:column=fast": {Name: "a", Type: Set, Column: FastColumn},
	} {
		got := f.String()
		kind, format, err := ParseType(strings.Split(got, ":")[1])
		if got != want || err != nil || kind != f.Type || format != f.Format {
			t.Errorf("got %s, which is %q %q, %v, want %s", got, kind, format, err, want)
		}
	}
	if got := (Field{Name: "a", Type: Relation, Inverse: "b"}).String(); got != "a:relation:inverse=b" {
		t.Errorf("got %s, want a:relation:inverse=b", got)
	}
	for _, text := range []string{"", "relation", "Set", "decimal2"} {
		_, _, err := ParseType(text)
		mustBeInvalid(t, text, err, "want one of")
	}
}

// TestBands reads the bands of every kind of integer field.
func TestBands(t *testing.T) {
	const day = value.SecondsOfADay
	number, price := Field{Name: "n", Type: Integer}, Field{Name: "p", Type: Integer, Scale: 2}
	date, at := Field{Name: "d", Type: Integer, Format: Date}, Field{Name: "t", Type: Integer, Format: Time}
	for _, c := range []struct {
		f    Field
		text string
		want Band
	}{
		{number, "10", Band{Width: 10}}, {number, "1", Band{Width: 1}}, {price, "0.5", Band{Width: 50}},
		{date, "day", Band{Width: 1}}, {date, "week", Band{Width: 7, Offset: 3}},
		{date, "month", Band{Months: 1, Day: 1}}, {date, "quarter", Band{Months: 3, Day: 1}},
		{date, "year", Band{Months: 12, Day: 1}}, {at, "hour", Band{Width: 3600}}, {at, "day", Band{Width: day}},
		{at, "week", Band{Width: 7 * day, Offset: 3 * day}}, {at, "month", Band{Months: 1, Day: day}},
	} {
		if got, err := c.f.Band(c.text); err != nil || got != c.want {
			t.Errorf("%s by %s: got %+v, %v, want %+v", c.f.Name, c.text, got, err, c.want)
		}
	}
	for _, c := range []struct {
		f          Field
		text, want string
	}{
		{Field{Name: "s", Type: Set}, "10", `s: got the band "10" for a field of type "set", want an integer field; try "s"`},
		{number, "0", `n: got the band "0", want a whole number from 1 to 9223372036854775807; try "n by 10"`},
		{number, "-1", `n: got the band "-1", want a whole number`},
		{number, "month", `n: got the band "month", want a whole`},
		{price, "0.001", `p: got the band "0.001", want a number from 0.01 to 92233720368547758.07 with at most 2 digits`},
		{date, "hour", `d: got the band "hour", want day, week, month, quarter or year; try "d by month"`},
		{date, "7", `d: got the band "7", want day,`},
		{at, "minute", `t: got the band "minute", want hour, day, week, month, quarter or year; try "t by month"`},
	} {
		_, err := c.f.Band(c.text)
		mustBeInvalid(t, c.f.Name+" by "+c.text, err, c.want)
	}
}

// TestParseBy reads what records are grouped by.
func TestParseBy(t *testing.T) {
	for text, want := range map[string][2]string{"age": {"age"}, " age ": {"age"}, "age by 10": {"age", "10"},
		"\tjoined  by month": {"joined", "month"}} {
		if field, band, err := ParseBy(text); err != nil || [2]string{field, band} != want {
			t.Errorf("%q: got %q by %q, %v, want %q", text, field, band, err, want)
		}
	}
	for _, text := range []string{"", " ", "age 10", "age by", "by 10 age", "age by 10 by 5", "age By 10"} {
		_, _, err := ParseBy(text)
		mustBeInvalid(t, text, err, "want a field, or an integer field and a band")
	}
}

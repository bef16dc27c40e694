// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package binding

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/internal/sentinel"
	"github.com/uproar-db/uproar/query"
)

// TestLeaf says what leaves are in fields of every type.
func TestLeaf(t *testing.T) {
	fields, err := schema.Declare(nil, []schema.Field{{Name: "tag", Type: schema.Set},
		{Name: "follows", Type: schema.Relation, Inverse: "followers"},
		{Name: "price", Type: schema.Integer, Scale: 2}})
	if err != nil {
		t.Fatal(err)
	}
	s := schema.New(fields)
	tag, follows, price := s.Named("tag").ID, s.Named("follows").ID, s.Named("price").ID
	followers := s.Named("followers").ID
	integers := func(from, to int64) *eval.Leaf {
		return &eval.Leaf{Kind: eval.Integers, Field: price, From: from, To: to}
	}
	for text, want := range map[string]*eval.Leaf{ // nil: ErrInvalid
		"tag = x":                      {Kind: eval.Key, Field: tag, Space: model.KeySpace(tag), Key: "x"},
		"tag prefix x":                 {Kind: eval.Prefix, Field: tag, Space: model.KeySpace(tag)},
		"any(tag)":                     {Kind: eval.Any, Field: tag},
		"tag(x)":                       nil,
		"tag < 3":                      nil,
		"follows = x":                  {Kind: eval.Key, Field: followers, Space: model.RecordSpace, Key: "x"},
		"follows prefix x":             {Kind: eval.Prefix, Field: followers, Space: model.RecordSpace},
		"follows(x)":                   {Kind: eval.Key, Field: follows, Space: model.RecordSpace, Key: "x"},
		"price = 1.5":                  integers(150, 150),
		"price = 1.555":                nil,
		"price prefix 1":               nil,
		"price < 1":                    integers(math.MinInt64, 99),
		"price <= 1":                   integers(math.MinInt64, 100),
		"price > 1":                    integers(101, math.MaxInt64),
		"price >= 1":                   integers(100, math.MaxInt64),
		"price between 1 and 2":        integers(100, 200),
		"price > 92233720368547758.07": {}, // nothing is greater
	} {
		e, err := query.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		name, ok := FieldOf(e)
		if !ok {
			t.Errorf("%s: got no field of %T", text, e)
			continue
		}
		got, err := Leaf(s.Named(name), e)
		if want == nil {
			if !errors.Is(err, sentinel.ErrInvalid) {
				t.Errorf("%s: got %+v, %v, want ErrInvalid", text, got, err)
			}
			continue
		}
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", *want) {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, *want)
		}
	}
}

// TestLeavesOfEveryField binds leaves of fields of every type, each error with its text.
func TestLeavesOfEveryField(t *testing.T) {
	stored, err := schema.Declare(nil, declared)
	if err != nil {
		t.Fatal(err)
	}
	s := schema.New(stored)
	id := func(name string) uint32 { return s.Named(name).ID }
	for text, want := range map[string]*eval.Leaf{
		"city = Rome": {Kind: eval.Key, Field: id("city"), Space: model.KeySpace(id("city")),
			Key: "Rome"},
		"city prefix R":                  {Kind: eval.Prefix, Field: id("city"), Space: model.KeySpace(id("city"))},
		"followers = a":                  {Kind: eval.Key, Field: id("follows"), Space: model.RecordSpace, Key: "a"},
		"followers(a)":                   {Kind: eval.Key, Field: id("followers"), Space: model.RecordSpace, Key: "a"},
		"follows(tag = x)":               {Kind: eval.Rows, Field: id("follows")},
		"any(followers)":                 {Kind: eval.Any, Field: id("followers")},
		"born = 1970-01-11":              {Kind: eval.Integers, Field: id("born"), From: 10, To: 10},
		"born < 1970-01-11":              {Kind: eval.Integers, Field: id("born"), From: math.MinInt64, To: 9},
		`seen >= "1970-01-01T00:01:00Z"`: {Kind: eval.Integers, Field: id("seen"), From: 60, To: math.MaxInt64},
		"age < -9223372036854775808":     {},
		"age between 9 and 3":            {Kind: eval.Integers, Field: id("age"), From: 9, To: 3},
		"_saved = x": {Kind: eval.Key, Field: schema.SavedID, Space: model.KeySpace(schema.SavedID),
			Key: "x"},
	} {
		e, err := query.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		name, _ := FieldOf(e)
		if got, err := Leaf(s.Named(name), e); err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", *want) {
			t.Errorf("%s: got %+v, %v, want %+v", text, got, err, *want)
		}
	}
	for text, want := range map[string]string{
		"tag(x)":                    `tag(x): got a field of type "set", want a relation; try tag = x`,
		"city(city = x)":            `got a field of type "single", want a relation`,
		"tag >= 3":                  `tag >= 3: got a field of type "set", want "integer"`,
		"follows between 1 and 2":   `follows between 1 and 2: got a field of type "relation", want "integer"`,
		"age prefix 1":              `age prefix 1: got a field of type "integer", want one whose values are texts`,
		"age = old":                 `age: got "old", want a number`,
		"age < old":                 `age: got "old", want a number`,
		"age between old and 3":     `age: got "old", want a number`,
		"age between 3 and old":     `age: got "old", want a number`,
		"born > 1970-02-30":         `born: got "1970-02-30", want a day`,
		"seen = noon":               `seen: got "noon", want a time`,
		"age = 9223372036854775808": `age: got "9223372036854775808", want`,
	} {
		e, err := query.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		name, _ := FieldOf(e)
		if got, err := Leaf(s.Named(name), e); !errors.Is(err, sentinel.ErrInvalid) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %+v, %v, want %s", text, got, err, want)
		}
	}
	for _, e := range []query.Expr{query.All{}, query.Not{Of: query.All{}}, query.Bitmap{}} {
		if name, ok := FieldOf(e); ok {
			t.Errorf("%T: got field %q, want none", e, name)
		}
		if _, err := Leaf(s.Named("tag"), e); !errors.Is(err, sentinel.ErrInvalid) ||
			!strings.Contains(err.Error(), fmt.Sprintf("got a leaf of type %T", e)) {
			t.Errorf("%T: got %v, want ErrInvalid", e, err)
		}
	}
}

// TestLiteral: a bitmap in a query is checked, whatever its bytes are.
func TestLiteral(t *testing.T) {
	if _, err := Literal(query.Bitmap{Bytes: []byte("no bitmap")}); !errors.Is(err, sentinel.ErrInvalid) ||
		!strings.HasPrefix(err.Error(), "uproar: invalid: literal bitmap: ") {
		t.Errorf("got %v, want ErrInvalid", err)
	}
	if _, err := Literal(query.Bitmap{}); !errors.Is(err, sentinel.ErrInvalid) {
		t.Errorf("of no bytes: got %v, want ErrInvalid", err)
	}
}

func TestCheckKey(t *testing.T) {
	for _, n := range []int{0, 1, format.MaxKey, format.MaxKey + 1} {
		err := CheckKey("value", "tag", strings.Repeat("x", n))
		if ok := n > 0 && n <= format.MaxKey; ok != (err == nil) || !ok && !errors.Is(err, sentinel.ErrInvalid) {
			t.Errorf("a key of %d bytes: got error %v", n, err)
		}
	}
}

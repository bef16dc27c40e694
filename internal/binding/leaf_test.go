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

func TestCheckKey(t *testing.T) {
	for _, n := range []int{0, 1, format.MaxKey, format.MaxKey + 1} {
		err := CheckKey("value", "tag", strings.Repeat("x", n))
		if ok := n > 0 && n <= format.MaxKey; ok != (err == nil) || !ok && !errors.Is(err, sentinel.ErrInvalid) {
			t.Errorf("a key of %d bytes: got error %v", n, err)
		}
	}
}

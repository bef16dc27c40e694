// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package unions

import (
	"context"
	"fmt"
	"math/rand/v2"

	bsi "github.com/RoaringBitmap/roaring/v2/BitSliceIndexing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

// database is the records in the embedded database.
type database struct {
	db    *uproar.DB
	index *uproar.Index
}

// peer is the same records as bitmaps of roaring, by the names of the values.
type peer struct {
	tags, codes, followed map[string]*roaring.Bitmap
	number                *bsi.BSI
}

func tag(i int) string     { return fmt.Sprintf("tag %d", i) }
func code(i int) string    { return fmt.Sprintf("code %d", i) }
func account(i int) string { return fmt.Sprintf("did:plc:%024d", i) }

// build makes the records in both.
func (s *settings) build(ctx context.Context) (*database, *peer, error) {
	db, err := uproar.Open(ctx, memstore.New(), &uproar.Options{MemoryBytes: s.memory})
	if err != nil {
		return nil, nil, err
	}
	index, err := db.CreateIndex(ctx, "records", uproar.Field{Name: "tag", Type: uproar.Set},
		uproar.Field{Name: "code", Type: uproar.Single},
		uproar.Field{Name: "number", Type: uproar.Integer}, uproar.Field{Name: "follows", Type: uproar.Relation,
			Inverse: "followers"})
	if err != nil {
		return nil, nil, err
	}
	load, err := index.Load(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	defer load.Abort()
	p := &peer{tags: map[string]*roaring.Bitmap{}, codes: map[string]*roaring.Bitmap{},
		followed: map[string]*roaring.Bitmap{}, number: bsi.NewBSI(int64(s.values), -int64(s.values))}
	r := rand.New(rand.NewPCG(30, 2026))
	add := func(m map[string]*roaring.Bitmap, value string, record int) {
		if m[value] == nil {
			m[value] = roaring.New()
		}
		m[value].Add(uint32(record))
	}
	// Some values are frequent, and most are rare.
	value := func() int { return int(float64(s.values) * r.Float64() * r.Float64()) }
	for i := range s.records {
		key := account(i)
		for range s.each {
			x := value()
			err = load.Set("tag", key, tag(x))
			add(p.tags, tag(x), i)
			follower := r.IntN(s.records)
			if err == nil {
				err = load.Set("follows", account(follower), key)
			}
			add(p.followed, account(follower), i)
			if err != nil {
				return nil, nil, err
			}
		}
		x := value()
		add(p.codes, code(x), i)
		if err = load.Set("code", key, code(x)); err == nil {
			number := int64(r.IntN(2*s.values) - s.values)
			p.number.SetValue(uint64(i), number)
			err = load.SetInt("number", key, number)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return &database{db, index}, p, load.Commit()
}

// question is one that is asked of both, about values by their numbers.
type question struct {
	name string
	ours func(ctx context.Context, d *database, values []int) (uint64, error)
	peer func(p *peer, values []int) uint64
}

// questions are all of them.
var questions = []question{
	{"tag in (...), a set field", in("tag", tag), union(func(p *peer) map[string]*roaring.Bitmap {
		return p.tags
	}, tag)},
	{"code in (...), a single field", in("code", code), union(func(p *peer) map[string]*roaring.Bitmap {
		return p.codes
	}, code)},
	{"followers in (...), a relation", in("followers", account), union(func(p *peer) map[string]*roaring.Bitmap {
		return p.followed
	}, account)},
	{"number in (...), an integer field", in("number", number), func(p *peer, values []int) uint64 {
		wanted := make([]int64, len(values))
		for i, v := range values {
			wanted[i] = int64(v)
		}
		return p.number.BatchEqual(0, wanted).GetCardinality()
	}},
	{"follows(code in (...))", func(ctx context.Context, d *database, values []int) (uint64, error) {
		return d.count(ctx, query.Field("follows").Of(query.Field("code").In(names(values, code)...)))
	}, func(p *peer, values []int) uint64 {
		var of []*roaring.Bitmap
		for _, i := range roaring.HeapOr(lists(p.codes, values, code)...).ToArray() {
			if b := p.followed[account(int(i))]; b != nil {
				of = append(of, b)
			}
		}
		return roaring.FastOr(of...).GetCardinality()
	}},
	{"tag in (...), from text", func(ctx context.Context, d *database, values []int) (uint64, error) {
		q, err := query.Parse(query.Field("tag").In(names(values, tag)...).String())
		if err != nil {
			return 0, err
		}
		return d.count(ctx, q)
	}, union(func(p *peer) map[string]*roaring.Bitmap { return p.tags }, tag)},
}

func number(i int) string { return fmt.Sprint(i) }

func names(values []int, name func(int) string) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = name(v)
	}
	return list
}

// in asks for the records that have any of the values.
func in(field query.Field, name func(int) string) func(context.Context, *database, []int) (uint64, error) {
	return func(ctx context.Context, d *database, values []int) (uint64, error) {
		return d.count(ctx, field.In(names(values, name)...))
	}
}

func (d *database) count(ctx context.Context, q query.Expr) (uint64, error) {
	s := d.index.Snapshot()
	defer s.Close()
	return s.Count(ctx, q)
}

// union makes the union of the bitmaps of the values.
func union(of func(*peer) map[string]*roaring.Bitmap, name func(int) string) func(*peer, []int) uint64 {
	return func(p *peer, values []int) uint64 {
		return roaring.FastOr(lists(of(p), values, name)...).GetCardinality()
	}
}

// lists returns the bitmaps of the values.
func lists(of map[string]*roaring.Bitmap, values []int, name func(int) string) (list []*roaring.Bitmap) {
	for _, v := range values {
		if b := of[name(v)]; b != nil {
			list = append(list, b)
		}
	}
	return list
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package quick

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/bench/library"
	"github.com/uproar-db/uproar/store/memstore"
)

// catalogNames are the figures of searches of a price list for the one record with eight values.
var catalogNames = []string{"catalog: search by 8 conditions, beside roaring",
	"catalog: search by 8 conditions, beside a scan of maps"}

// attributes of the price list, and how many values each has.
var attributes = [8]struct {
	name   string
	values int
}{{"offering", 100}, {"group", 5}, {"spec", 4}, {"term", 6}, {"traffic", 4}, {"vpn", 3}, {"bandwidth", 20},
	{"router", 5}}

// searched is how many searches are timed as one.
const searched = 64

// prices are the records of a catalog: in it, in a roaring bitmap for each value, and in a map for
// each, by offering.
type prices struct {
	db       *uproar.DB
	snap     catalog.Snapshot
	records  [][8]string
	searches [][]catalog.Condition
	bitmaps  [8]map[string]*roaring.Bitmap
	maps     map[string][]map[string]string // offering → records
}

// newPrices makes a price list of records. No two are the same.
func newPrices(n int) (p *prices, err error) {
	p = &prices{maps: make(map[string][]map[string]string)}
	for i := range p.bitmaps {
		p.bitmaps[i] = make(map[string]*roaring.Bitmap)
	}
	r := rand.New(rand.NewPCG(9, 10))
	seen := make(map[[8]string]bool, n)
	for len(p.records) < n {
		var record [8]string
		for i, a := range attributes {
			record[i] = a.name + strconv.Itoa(r.IntN(a.values))
		}
		if seen[record] {
			continue
		}
		seen[record] = true
		values := make(map[string]string)
		for i, value := range record {
			values[attributes[i].name] = value
			if p.bitmaps[i][value] == nil {
				p.bitmaps[i][value] = roaring.New()
			}
			p.bitmaps[i][value].Add(uint32(len(p.records)))
		}
		p.maps[record[0]] = append(p.maps[record[0]], values)
		p.records = append(p.records, record)
	}
	for range searched {
		record := p.records[r.IntN(n)]
		var conditions []catalog.Condition
		for i, value := range record {
			conditions = append(conditions, catalog.Condition{Attribute: attributes[i].name, Value: value})
		}
		p.searches = append(p.searches, conditions)
	}
	return p, p.load()
}

// load makes the catalog, which keeps all values of a record together too.
func (p *prices) load() (err error) {
	ctx := context.Background()
	if p.db, err = uproar.Open(ctx, memstore.New(), nil); err != nil {
		return err
	}
	var schema catalog.Schema
	var all []string
	for _, a := range attributes {
		schema.Attributes, all = append(schema.Attributes, catalog.Attribute{Name: a.name}), append(all, a.name)
	}
	schema.Combined = [][]string{all}
	r, err := catalog.Replace(ctx, p.db, "prices", &schema, catalog.ReplaceOptions{})
	if err != nil {
		return err
	}
	defer r.Abort()
	for i, record := range p.records {
		var conditions []catalog.Condition
		for k, value := range record {
			conditions = append(conditions, catalog.Condition{Attribute: attributes[k].name, Value: value})
		}
		if err := r.Add(&catalog.Record{Key: strconv.Itoa(i), Conditions: conditions}); err != nil {
			return err
		}
	}
	if err := r.Commit(ctx); err != nil {
		return err
	}
	c, err := catalog.Open(p.db, "prices")
	if err != nil {
		return err
	}
	p.snap, err = c.Snapshot()
	return err
}

// ask returns how many of the searches find one record.
func (p *prices) ask() (found int, err error) {
	var answer catalog.Answer
	for _, conditions := range p.searches {
		if err := p.snap.Search(context.Background(), &answer, 2, conditions...); err != nil {
			return found, err
		}
		if answer.Kind == catalog.One {
			found++
		}
	}
	return found, nil
}

// askRoaring is ask of the bitmaps: the shortest first.
func (p *prices) askRoaring() (found int, err error) {
	operands := make([]*roaring.Bitmap, len(attributes))
	for _, conditions := range p.searches {
		for i, c := range conditions {
			operands[i] = p.bitmaps[i][c.Value]
		}
		if roaring.FastAnd(operands...).GetCardinality() == 1 {
			found++
		}
	}
	return found, nil
}

// askMaps is ask of the maps of an offering.
func (p *prices) askMaps() (found int, err error) {
	for _, conditions := range p.searches {
		fits := 0
		for _, record := range p.maps[conditions[0].Value] {
			all := true
			for _, c := range conditions {
				if record[c.Attribute] != c.Value {
					all = false
					break
				}
			}
			if all {
				fits++
			}
		}
		if fits == 1 {
			found++
		}
	}
	return found, nil
}

func (p *prices) close() error {
	if p.snap != (catalog.Snapshot{}) {
		p.snap.Close()
	}
	return p.db.Close()
}

// catalogHeadlines measures the searches until a time.
func catalogHeadlines(records int, slot time.Duration, until time.Time) (list []library.Headline, err error) {
	p, err := newPrices(records)
	if p.db != nil {
		defer func() { err = errors.Join(err, p.close()) }()
	}
	if err != nil {
		return nil, err
	}
	for i, peer := range []func() (int, error){p.askRoaring, p.askMaps} {
		if time.Now().After(until) {
			break
		}
		h := library.Headline{Name: catalogNames[i]}
		if h.Ours, h.Peer, err = race(p.ask, peer, slot); err != nil {
			return list, fmt.Errorf("%s: %w", h.Name, err)
		}
		h.Ours, h.Peer = h.Ours/searched, h.Peer/searched
		list = append(list, h)
	}
	return list, nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package unflushed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/memstore"
)

// world is a database with the indexes of all applications.
type world struct {
	kept    *memstore.Store
	store   *process
	db      *uproar.DB
	draw    *rand.Rand
	records int
	next    int // of new records

	shop, corner *catalog.Catalog // a large one, and one of eight records
	people       audience.Audiences
	graph        *graph.Graph
}

// process is a store as a process has it open that may be killed.
type process struct {
	store.Store
	killed atomic.Bool
}

var errKilled = errors.New("the process was killed")

// Apply writes, unless the process was killed.
func (p *process) Apply(b *store.Batch, sync bool) error {
	if p.killed.Load() {
		return errKilled
	}
	return p.Store.Apply(b, sync)
}

// Close leaves the store open for the next process.
func (p *process) Close() error { return nil }

const (
	articles  = 1000
	colours   = 10
	regions   = 40
	cities    = 300
	countries = 20
	likes     = 2000
)

// newWorld fills the indexes.
func newWorld(ctx context.Context, records int) (w *world, err error) {
	w = &world{kept: memstore.New(), draw: rand.New(rand.NewPCG(1, 2)), records: records, next: records}
	if err := w.open(ctx); err != nil {
		return nil, err
	}
	if w.corner, err = w.fill(ctx, "corner",
		strings.NewReader(
			"id,art,colour,price\na,tea,c1,1\nb,tea,c1,2\nc,tea,c2,3\nd,tea,c3,99\ne,coffee,c1,3\nf,coffee,c2,7\ng,jam,c3,2\nh,rice,c3,8\n"),
		`{"key":"id","attributes":[{"name":"art"},{"name":"colour"},{"name":"price","type":"number"}]}`); err != nil {
		return nil, err
	}
	var table bytes.Buffer
	table.WriteString("id,art,colour,region,price\n")
	for i := range records {
		fmt.Fprintf(&table, "p%d,%s,%s,%s,%d\n", i, w.pick("a", articles), w.pick("c", colours), w.pick("r", regions),
			w.draw.IntN(100_000))
	}
	if w.shop, err = w.fill(ctx, "shop", &table,
		`{"key":"id","attributes":[{"name":"art"},{"name":"colour"},{"name":"region","rule":true},{"name":"price","type":"number"}]}`); err != nil {
		return nil, err
	}
	if err := w.fillPeople(ctx); err != nil {
		return nil, err
	}
	if err := w.fillGraph(ctx); err != nil {
		return nil, err
	}
	return w, w.bind(ctx)
}

// open opens the database as a new process.
func (w *world) open(ctx context.Context) (err error) {
	w.store = &process{Store: w.kept}
	w.db, err = uproar.Open(ctx, w.store, &uproar.Options{MemoryBytes: 1 << 30})
	return err
}

// bind opens the applications.
func (w *world) bind(ctx context.Context) (err error) {
	if w.shop, err = catalog.Open(w.db, "shop"); err != nil {
		return err
	}
	if w.corner, err = catalog.Open(w.db, "corner"); err != nil {
		return err
	}
	if w.people, err = audience.Of(w.db, "people"); err != nil {
		return err
	}
	w.graph, err = graph.Open(ctx, w.db)
	return err
}

// pick returns one of n names, the first ones more often.
func (w *world) pick(prefix string, n int) string {
	return prefix + strconv.Itoa(int(float64(n)*w.draw.Float64()*w.draw.Float64()))
}

func (w *world) fill(ctx context.Context, name string, table interface{ Read([]byte) (int, error) },
	schema string) (*catalog.Catalog, error) {
	s, err := catalog.ParseSchema([]byte(schema))
	if err != nil {
		return nil, err
	}
	r, err := catalog.Replace(ctx, w.db, name, s, catalog.ReplaceOptions{})
	if err != nil {
		return nil, err
	}
	defer r.Abort()
	if _, _, err := r.Read(ctx, catalog.Table{}, table); err != nil {
		return nil, err
	}
	if err := r.Commit(ctx); err != nil {
		return nil, err
	}
	return catalog.Open(w.db, name)
}

func (w *world) fillPeople(ctx context.Context) error {
	index, err := w.db.CreateIndex(ctx, "people", uproar.Field{Name: "city", Type: uproar.Single},
		uproar.Field{Name: "country", Type: uproar.Single},
		uproar.Field{Name: "likes", Type: uproar.Set}, uproar.Field{Name: "age", Type: uproar.Integer},
		uproar.Field{Name: "income", Type: uproar.Integer})
	if err != nil {
		return err
	}
	load, err := index.Load(ctx, nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	for i := range w.records {
		key := "u" + strconv.Itoa(i)
		err := errors.Join(load.Set("city", key, w.pick("city", cities)),
			load.Set("country", key, w.pick("country", countries)),
			load.SetInt("age", key, int64(18+w.draw.IntN(70))), load.SetInt("income", key, int64(w.draw.IntN(200_000))))
		for range 5 {
			err = errors.Join(err, load.Set("likes", key, w.pick("word", likes)))
		}
		if err != nil {
			return err
		}
	}
	if err := load.Commit(); err != nil {
		return err
	}
	q, err := query.Parse("age < 40 and likes = word3")
	if err != nil {
		return err
	}
	_, err = index.Save(ctx, "young", q)
	return err
}

func (w *world) fillGraph(ctx context.Context) (err error) {
	if w.graph, err = graph.Open(ctx, w.db); err != nil {
		return err
	}
	load, err := w.graph.Index().Load(ctx, nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	for range 10 * w.records {
		if err := load.Set(graph.FollowsField, w.account(), w.account()); err != nil {
			return err
		}
	}
	return load.Commit()
}

// account returns an account, those of low numbers more often.
func (w *world) account() string {
	x := w.draw.Float64()
	return "n" + strconv.Itoa(int(float64(w.records/4)*x*x*x))
}

// write writes to every index, n times in all since it was flushed, in batches of 10. Of ten writes
// one is of a new record.
func (w *world) write(ctx context.Context, n int) error {
	for done := 0; done < n; {
		some := min(10, n-done)
		done += some
		var change catalog.Change
		var people uproar.Batch
		var follows []graph.Follow
		for range some {
			i := w.draw.IntN(w.records)
			if w.draw.IntN(10) == 0 {
				i = w.next
				w.next++
			}
			change.Put = append(change.Put, catalog.Record{Key: "p" + strconv.Itoa(i),
				Conditions: []catalog.Condition{{Attribute: "art", Value: w.pick("a", articles)},
					{Attribute: "colour", Value: w.pick("c", colours)},
					{Attribute: "region", Value: w.pick("r", regions)},
					{Attribute: "price", Value: strconv.Itoa(w.draw.IntN(100_000))}}})
			key := "u" + strconv.Itoa(i)
			people.Set("city", key, w.pick("city", cities))
			people.Set("country", key, w.pick("country", countries))
			people.Set("likes", key, w.pick("word", likes))
			people.SetInt("age", key, int64(18+w.draw.IntN(70)))
			people.SetInt("income", key, int64(w.draw.IntN(200_000)))
			follows = append(follows, graph.Follow{Account: w.account(), Target: w.account()})
		}
		if _, err := w.shop.Write(ctx, change); err != nil {
			return err
		}
		if _, err := w.people.Index().Write(ctx, &people); err != nil {
			return err
		}
		if _, err := w.graph.Follow(ctx, follows...); err != nil {
			return err
		}
	}
	_, err := w.corner.Write(ctx, catalog.Change{Put: []catalog.Record{{Key: "new",
		Conditions: []catalog.Condition{{Attribute: "art", Value: "tea"},
			{Attribute: "colour", Value: "c9"}, {Attribute: "price", Value: strconv.Itoa(w.draw.IntN(100_000))}}}}})
	return err
}

// remove deletes a record of every index.
func (w *world) remove(ctx context.Context) error {
	at := strconv.Itoa(w.draw.IntN(w.records))
	var people, accounts uproar.Batch
	people.DeleteRecord("u" + at)
	accounts.DeleteRecord(w.account())
	_, a := w.shop.Write(ctx, catalog.Change{Delete: []string{"p" + at}})
	_, b := w.corner.Write(ctx, catalog.Change{Delete: []string{"b"}})
	_, c := w.people.Index().Write(ctx, &people)
	_, d := w.graph.Index().Write(ctx, &accounts)
	return errors.Join(a, b, c, d)
}

// flush brings all writes into pages.
func (w *world) flush(ctx context.Context) error {
	for _, name := range w.db.Indexes() {
		index, err := w.db.Index(name)
		if err == nil {
			err = index.Flush(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// restart kills the process and opens the database again, which replays the log.
func (w *world) restart(ctx context.Context) error {
	w.store.killed.Store(true)
	if err := w.open(ctx); err != nil {
		return err
	}
	return w.bind(ctx)
}

func (w *world) close() error { return w.db.Close() }

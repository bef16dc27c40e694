// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// A ledger is an index of sets whose members are moved from set to set, never made or lost. So
// every state has the same total, whoever looks and when, and a reader that saw parts of two states
// would count a member twice or not at all.
//
// Each set is the one list of a field of its own. Lists of different fields never share a page, so
// a batch that touches n sets spans n pages.
type ledger struct {
	ix     *uproar.Index
	fields []string // of the sets
	movers []*mover
	heavy  int // sets with fixed members too, enough that many pages are rewritten
}

const (
	ledgerRow     = "m"      // the row of each set
	ledgerHome    = "home"   // Single: the set of each record that moves
	ledgerMoves   = "moves"  // Integer: of a mover's own record, how many batches it has written
	ledgerOrigin  = "origin" // Set: the load that brought a record
	heavyMembers  = 800      // of a heavy set
	anchors       = "anchors"
	recordsEach   = 150 // of a mover that moves a few at a time
	unionOf       = 256 // lists in a query
	sampledByLook = 64  // records that a look asks for by name
)

// newLedger returns a ledger of sets and movers. The first mover moves half as many records as
// there are sets, all at once. The index is still to be made, or found.
func newLedger(sets, movers, heavy int) *ledger {
	l := &ledger{heavy: heavy}
	for i := range sets {
		l.fields = append(l.fields, fmt.Sprintf("set%05d", i))
	}
	for id := range movers {
		l.movers = append(l.movers, newMover(l.fields, id))
	}
	return l
}

// create makes the index with everything where it begins.
func (l *ledger) create(ctx context.Context, db *uproar.DB) (err error) {
	fields := []uproar.Field{{Name: ledgerHome, Type: uproar.Single}, {Name: ledgerMoves, Type: uproar.Integer},
		{Name: ledgerOrigin, Type: uproar.Set}}
	for _, f := range l.fields {
		fields = append(fields, uproar.Field{Name: f, Type: uproar.Set})
	}
	if l.ix, err = db.CreateIndex(ctx, "ledger", fields...); err != nil {
		return err
	}
	for _, m := range l.movers {
		var b uproar.Batch
		for i, set := range m.at {
			b.Set(l.fields[set], m.record(i), ledgerRow)
			b.Set(ledgerHome, m.record(i), l.fields[set])
		}
		b.SetInt(ledgerMoves, m.name, 0)
		if _, err := l.ix.Write(ctx, &b); err != nil {
			return err
		}
	}
	return l.load(ctx, anchors, l.anchored())
}

// anchored returns how many records stay where they are: one in each set, so that it always has a
// page, and more in the heavy ones.
func (l *ledger) anchored() int { return len(l.fields) + l.heavy*heavyMembers }

// load brings records by bulk load: one to each set, and the rest to the heavy ones.
func (l *ledger) load(ctx context.Context, name string, records int) error {
	load, err := l.ix.Load(ctx, nil)
	if err != nil {
		return err
	}
	defer load.Abort()
	for i := range records {
		record, set := fmt.Sprintf("%s-%d", name, i), i
		if i >= len(l.fields) {
			set = i % l.heavy
		}
		if err := load.Set(l.fields[set], record, ledgerRow); err != nil {
			return err
		}
		if err := load.Set(ledgerOrigin, record, name); err != nil {
			return err
		}
	}
	return load.Commit()
}

func loadName(n int) string { return fmt.Sprint("load", n) }

// bring is one of the loads that run while members move: one record for each set.
func (l *ledger) bring(ctx context.Context, n int) error {
	return l.load(ctx, loadName(n), len(l.fields))
}

// moving returns how many records move.
func (l *ledger) moving() (n int) {
	for _, m := range l.movers {
		n += len(m.at)
	}
	return n
}

// A mover moves records of its own, each batch by a rule of its number. So a test can work out the
// state after any batch.
type mover struct {
	fields []string
	id     int
	name   string // of the record that counts its batches
	n      int    // batches written
	at     []int  // the set of each of its records
}

// A move takes a record of a mover from one set to another.
type move struct{ record, from, to int }

func newMover(fields []string, id int) *mover {
	m := &mover{fields: fields, id: id, name: fmt.Sprintf("mover%d", id)}
	records := recordsEach
	if m.wide() {
		records = len(fields) / 2
	}
	for i := range records {
		m.at = append(m.at, i%len(fields))
	}
	return m
}

// wide reports whether the mover moves all of its records at once. They go from the first half of
// the sets to the second and back.
func (m *mover) wide() bool { return m.id == 0 }

func (m *mover) record(i int) string { return fmt.Sprintf("%s-%d", m.name, i) }

// home returns where batch n of the wide mover leaves a record.
func (m *mover) home(i, n int) int {
	if half := len(m.fields) / 2; n%2 == 1 {
		return half + (i+n)%half
	}
	return i
}

// next returns the moves of the batch after the last, and makes them.
func (m *mover) next() (moves []move) {
	m.n++
	if m.wide() {
		for i := range m.at {
			moves = append(moves, move{i, m.at[i], m.home(i, m.n)})
		}
	} else {
		rng := rand.New(rand.NewPCG(uint64(m.id), uint64(m.n)))
		for _, i := range rng.Perm(len(m.at))[:1+rng.IntN(12)] {
			moves = append(moves, move{i, m.at[i], rng.IntN(len(m.fields))})
		}
	}
	for _, v := range moves {
		m.at[v.record] = v.to
	}
	return moves
}

// upTo makes the moves of the batches up to n.
func (m *mover) upTo(n int) {
	for m.n < n {
		m.next()
	}
}

// take and give fill the two halves of a batch.
func (m *mover) take(b *uproar.Batch, moves []move) {
	for _, v := range moves {
		b.Clear(m.fields[v.from], m.record(v.record), ledgerRow)
	}
}

func (m *mover) give(b *uproar.Batch, moves []move) {
	for _, v := range moves {
		b.Set(m.fields[v.to], m.record(v.record), ledgerRow)
		b.Set(ledgerHome, m.record(v.record), m.fields[v.to])
	}
	b.SetInt(ledgerMoves, m.name, int64(m.n))
}

// write commits the next batch.
func (m *mover) write(ctx context.Context, ix *uproar.Index) (sequence uint64, err error) {
	var b uproar.Batch
	moves := m.next()
	m.take(&b, moves)
	m.give(&b, moves)
	return ix.Write(ctx, &b)
}

// A look is what a reader takes for one state: the snapshot that it reads each half of the sets in.
// They are one and the same, unless a test wants to see that it would be found out.
type look struct {
	l             *ledger
	first, second uproar.Snapshot
}

func (l *ledger) look(s uproar.Snapshot) look { return look{l, s, s} }

func (k look) of(set int) uproar.Snapshot {
	if set < len(k.l.fields)/2 {
		return k.first
	}
	return k.second
}

// check tests a look for all that is true of every state. At most the given number of loads has
// begun. It returns how many are there.
func (k look) check(ctx context.Context, loads int) (there int, err error) {
	for n := range loads {
		count, err := k.second.Count(ctx, query.Equal{Field: ledgerOrigin, Value: loadName(n)})
		switch {
		case err != nil:
			return there, err
		case count == uint64(len(k.l.fields)):
			there++
		case count != 0:
			return there, fmt.Errorf("load %d: got %d records of it, want all %d or none", n, count, len(k.l.fields))
		}
	}
	want := k.l.moving() + k.l.anchored() + there*len(k.l.fields)
	if err := k.checkSums(ctx, want); err != nil {
		return there, err
	}
	if err := k.checkUnions(ctx, want); err != nil {
		return there, err
	}
	if err := k.checkHomes(ctx); err != nil {
		return there, err
	}
	all, err := k.second.Count(ctx, query.All{})
	if err == nil && all != uint64(want+len(k.l.movers)) {
		err = fmt.Errorf("got %d records that exist, want %d", all, want+len(k.l.movers))
	}
	return there, err
}

// checkSums adds up the cardinalities of the sets.
func (k look) checkSums(ctx context.Context, want int) error {
	sum := 0
	for i, f := range k.l.fields {
		n, err := k.of(i).Count(ctx, query.Equal{Field: f, Value: ledgerRow})
		if err != nil {
			return err
		}
		sum += int(n)
	}
	if sum != want {
		return fmt.Errorf("got %d members in all sets together, want %d", sum, want)
	}
	return nil
}

// checkUnions counts and lists the unions of many sets at a time, and wants each record once.
func (k look) checkUnions(ctx context.Context, want int) error {
	seen := map[uint64]bool{}
	for _, half := range [2]int{0, len(k.l.fields) / 2} {
		for at, end := half, half+len(k.l.fields)/2; at < end; at += unionOf {
			var sets, homes query.Or
			for _, f := range k.l.fields[at:min(at+unionOf, end)] {
				sets.Of = append(sets.Of, query.Equal{Field: f, Value: ledgerRow})
				homes.Of = append(homes.Of, query.Equal{Field: ledgerHome, Value: f})
			}
			count, err := k.of(at).Count(ctx, sets)
			if err != nil {
				return err
			}
			page, err := k.of(at).IDs(ctx, sets, uproar.Page{})
			if err != nil {
				return err
			}
			if count != uint64(len(page.IDs)) {
				return fmt.Errorf("sets %d to %d: got a count of %d and a list of %d", at, at+len(sets.Of)-1, count,
					len(page.IDs))
			}
			for _, id := range page.IDs {
				if seen[id] {
					return fmt.Errorf("record %d: got it twice, want it in one set", id)
				}
				seen[id] = true
			}
			// Who is at home there is there.
			home, err := k.of(at).IDs(ctx, homes, uproar.Page{})
			if err != nil {
				return err
			}
			for _, id := range home.IDs {
				if _, ok := slices.BinarySearch(page.IDs, id); !ok {
					return fmt.Errorf("sets %d to %d: record %d is at home there, and no member", at, at+len(sets.Of)-1,
						id)
				}
			}
		}
	}
	if len(seen) != want {
		return fmt.Errorf("got %d records in the unions of all sets, want %d", len(seen), want)
	}
	return nil
}

// checkHomes asks for records by name, and works out where those of the wide mover must be.
func (k look) checkHomes(ctx context.Context) error {
	for range sampledByLook {
		m := k.l.movers[rand.IntN(len(k.l.movers))]
		i := rand.IntN(len(m.at))
		home, ok, err := k.first.Value(ledgerHome, m.record(i))
		if err != nil || !ok {
			return fmt.Errorf("%s: got no home: %w", m.record(i), err)
		}
		for set, f := range k.l.fields {
			if f != home && rand.IntN(len(k.l.fields)) > 8 {
				continue // its home, and a few others
			}
			has, err := k.of(set).Has(f, m.record(i), ledgerRow)
			if err != nil {
				return err
			}
			if has != (f == home) {
				return fmt.Errorf("%s: got home %s, and that it is in %s: %v", m.record(i), home, f, has)
			}
		}
		if !m.wide() {
			continue
		}
		n, _, err := k.second.Int(ledgerMoves, m.name)
		if err != nil {
			return err
		}
		if want := k.l.fields[m.home(i, int(n))]; home != want {
			return fmt.Errorf("%s: got home %s after batch %d, want %s", m.record(i), home, n, want)
		}
	}
	return ctx.Err()
}

// glance asks for a few records of the wide mover only. So it sees many more states than check
// does. It returns the number of the mover's last batch. The number must not be below least: no
// state is older than one that was seen before.
func (k look) glance(least int64) (n int64, err error) {
	m := k.l.movers[0]
	n, _, err = k.first.Int(ledgerMoves, m.name)
	if err == nil && n < least {
		err = fmt.Errorf("%s: got batch %d after %d had been seen", m.name, n, least)
	}
	if err != nil {
		return n, err
	}
	for range 4 {
		i := rand.IntN(len(m.at))
		want, other := m.home(i, int(n)), m.home(i, int(n)+1) // where it is, and where it goes next
		home, _, err := k.first.Value(ledgerHome, m.record(i))
		if err != nil {
			return n, err
		}
		if home != k.l.fields[want] {
			return n, fmt.Errorf("%s: got home %s after batch %d, want %s", m.record(i), home, n, k.l.fields[want])
		}
		for _, set := range [2]int{want, other} {
			has, err := k.of(set).Has(k.l.fields[set], m.record(i), ledgerRow)
			if err != nil {
				return n, err
			}
			if has != (set == want) {
				return n, fmt.Errorf("%s: got that it is in %s after batch %d: %v", m.record(i), k.l.fields[set], n,
					has)
			}
		}
	}
	return n, nil
}

// pages returns on how many pages the lists of the sets lie.
func (l *ledger) pages(t testing.TB) (n int) {
	t.Helper()
	stats, err := l.ix.Stats()
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]uint64{}
	for _, f := range stats.Fields {
		pages[f.Name] = f.Pages
	}
	for _, f := range l.fields {
		n += int(pages[f])
	}
	return n
}

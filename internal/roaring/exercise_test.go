// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaring

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/roaring/container"
)

// call is an exported function or method of this package, and how it is called on sets whose bytes
// may break any rule. [TestEveryOperationIsExercised] demands one for each.
type call[T any] struct {
	name string // "And", "View.Len"
	do   func(o T) (sum uint64)
}

// operands are what the calls on sets are made with.
type operands struct {
	a, b   View
	points []uint64 // values to ask for
	t      testing.TB
}

// budget is what one call may take, whatever it is given. It is wide, as it is there to find what
// grows without bound.
type budget struct {
	bytes     uint64 // allocated
	processor time.Duration
	wall      time.Duration
}

// budgetFor returns the budget for sets of so many containers, in so many bytes. A container is at
// most 65 536 values or 8 KB.
func budgetFor(containers, bytes int) budget {
	units := containers + bytes/64 + 1
	b := budget{
		bytes:     8<<20 + uint64(units)<<16,
		processor: 4*time.Second + time.Duration(units)*20*time.Microsecond,
		wall:      2*time.Minute + time.Duration(units)*10*time.Millisecond,
	}
	if raceEnabled {
		b.bytes, b.processor, b.wall = 2*b.bytes, 10*b.processor, 5*b.wall
	}
	return b
}

// run makes all calls. Any of them may fail the test: by a panic, by touching memory that is not
// its own, by too much memory or time. It returns what the calls gave, one number each.
func run[T any](t testing.TB, calls []call[T], o T, most budget) (sums []uint64) {
	t.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	name := ""
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("%s: panic: %v\n%s", name, p, debug.Stack())
		}
	}()
	running := make(chan string, 1) // for the watchdog, which runs beside
	running <- ""
	watchdog := time.AfterFunc(most.wall, func() {
		debug.SetTraceback("all")
		panic(fmt.Sprintf("bitmap: %s does not end", <-running))
	})
	defer watchdog.Stop()
	allocated, used := allocatedBytes(), processorTime()
	for _, c := range calls {
		name = c.name
		<-running
		running <- name
		watchdog.Reset(most.wall)
		sums = append(sums, c.do(o))
		after, now := allocatedBytes(), processorTime()
		if got := after - allocated; got > most.bytes {
			t.Fatalf("%s: got %d bytes allocated, want at most %d", name, got, most.bytes)
		}
		if got := now - used; got > most.processor {
			t.Fatalf("%s: got %v of processor time, want at most %v", name, got, most.processor)
		}
		allocated, used = allocatedBytes(), now
	}
	return sums
}

// allocatedBytes returns the bytes allocated since the program began. Small objects may be counted
// late, a memory block of them at a time.
func allocatedBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// setCalls are all calls on sets.
func setCalls() []call[*operands] {
	return slices.Concat(viewCalls, rangeCalls, pairCalls, blockCalls, bitmapCalls, bitmapReadCalls, writeCalls,
		portableWriteCalls)
}

// readCalls are all calls that read bytes that may be anything at all.
func readCalls() []call[rawBytes] { return slices.Concat(nativeReadCalls, portableReadCalls) }

// exercise makes every call on two sets, whatever their bytes.
func exercise(t testing.TB, a, b View) (sums []uint64) {
	t.Helper()
	o := &operands{a: a, b: b, t: t, points: []uint64{0, 1, 65535, 65536, 1 << 40, container.MaxKey << 16, ^uint64(0)}}
	if x, ok := a.Min(); ok {
		o.points = append(o.points, x)
	}
	if x, ok := a.Max(); ok {
		o.points = append(o.points, x, x+1)
	}
	return run(t, setCalls(), o, budgetFor(a.count()+b.count(), len(a.body)+len(b.body)))
}

// values returns the first values of a, n at most.
func (o *operands) values(n int) []uint64 {
	dst := make([]uint64, n)
	it := o.a.Iterator(0)
	return dst[:it.Read(dst)]
}

// listable reports whether a set has so few containers that all its values can be listed.
func listable(v View) bool { return v.count() <= 4 }

// made reads a set that was made from the operands: it can be opened, and after a change it is
// valid, whatever it was made from.
func (o *operands) made(m *Bitmap) (sum uint64) {
	o.t.Helper()
	v, err := Open(m.Bytes())
	if err != nil {
		o.t.Fatalf("a set that was made cannot be opened: %v", err)
	}
	sum = v.Len() + uint64(len(v.body))*31 + v.Rank(1<<50)
	if m.Add(1<<50 | 77) {
		o.valid(m)
	}
	return sum
}

// valid demands that a set is valid.
func (o *operands) valid(m *Bitmap) {
	o.t.Helper()
	v, err := Open(m.Bytes())
	if err == nil {
		err = v.Validate()
	}
	if err != nil {
		o.t.Fatalf("a set that was changed: %v", err)
	}
}

// number makes a number of an answer and whether there is one.
func number(x uint64, ok bool) uint64 {
	if ok {
		return x*31 + 1
	}
	return 0
}

// one is 1 for yes.
func one(yes bool) uint64 { return number(0, yes) }

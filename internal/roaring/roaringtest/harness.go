// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package roaringtest

import (
	"fmt"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// Call is an exported function or method, and a way to call it. The sets it is called on may have
// bytes that break any rule.
type Call[T any] struct {
	Name string // "And", "View.Len"
	Do   func(o T) (sum uint64)
}

// Budget is what one call may take, whatever it is given. It is wide, as it is there to find what
// grows without bound.
type Budget struct {
	Bytes     uint64 // allocated
	processor time.Duration
	wall      time.Duration
}

// BudgetFor returns the budget for sets with that many containers and bytes. A container has at
// most 65 536 values or 8 KB.
func BudgetFor(containers, bytes int) Budget {
	units := containers + bytes/64 + 1
	b := Budget{
		Bytes:     8<<20 + uint64(units)<<16,
		processor: 4*time.Second + time.Duration(units)*20*time.Microsecond,
		wall:      2*time.Minute + time.Duration(units)*10*time.Millisecond,
	}
	if RaceEnabled {
		b.Bytes, b.processor, b.wall = 2*b.Bytes, 10*b.processor, 5*b.wall
	}
	return b
}

// Run makes all calls. Any of them may fail the test: by a panic, by touching memory that is not
// its own, by too much memory or time. It returns what the calls gave, one number each.
func Run[T any](t testing.TB, calls []Call[T], o T, most Budget) (sums []uint64) {
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
	allocated, used := allocatedBytes(), ProcessorTime()
	for _, c := range calls {
		name = c.Name
		<-running
		running <- name
		watchdog.Reset(most.wall)
		sums = append(sums, c.Do(o))
		after, now := allocatedBytes(), ProcessorTime()
		if got := after - allocated; got > most.Bytes {
			t.Fatalf("%s: got %d bytes allocated, want at most %d", name, got, most.Bytes)
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

// Number makes a number of an answer and whether there is one.
func Number(x uint64, ok bool) uint64 {
	if ok {
		return x*31 + 1
	}
	return 0
}

// One is 1 for yes.
func One(yes bool) uint64 { return Number(0, yes) }

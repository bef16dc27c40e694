// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"context"
	"sync"
)

const (
	mostAhead  = 16            // objects are asked for at a time
	windowed   = 4 * mostAhead // and so many have come or are under way
	aheadBytes = 32 << 20      // and have so many bytes together, as far as one knows before
)

// fetcher gets numbered objects in their order, some at a time and ahead of need. One that is late
// is asked for again: its reply may have been lost. A fetcher belongs to one goroutine.
type fetcher struct {
	get func(ctx context.Context, number uint64) ([]byte, error)

	first    uint64   // the number of the first in the window
	window   []*fetch // what was asked for, in the order of the numbers
	limit    int      // how many may be under way; 0: one
	underWay int
	bytes    int // of the window
	most     int // bytes of the largest of late
	turn     int // how often next was called

	ctx    context.Context // of the window
	cancel context.CancelFunc
	back   chan reply
	calls  sync.WaitGroup
}

// fetch is one object of a window.
type fetch struct {
	data   []byte
	err    error
	there  bool // data or err is
	turn   int  // when it was asked for
	passed int  // how many after it have come since
	cancel context.CancelFunc
}

// reply is what a call has returned.
type reply struct {
	number uint64
	data   []byte
	err    error
}

// next returns the objects from a number on that have come, without a gap. It waits for the first.
// If that cannot be got, by a call made just now, next returns none and the error.
func (f *fetcher) next(ctx context.Context, number uint64) (objects [][]byte, err error) {
	f.turn++
	if f.first != number {
		f.stop()
	}
	for {
		if err := f.await(ctx, number); err != nil {
			f.stop()
			return nil, err
		}
		first := f.window[0]
		if first.err == nil {
			break
		}
		f.stop()
		if first.turn == f.turn {
			f.limit, f.most = 0, 0
			return nil, first.err
		}
	}
	for len(f.window) > 0 && f.window[0].there && f.window[0].err == nil {
		data := f.window[0].data
		objects, f.bytes = append(objects, data), f.bytes-len(data)
		f.first, f.window = f.first+1, f.window[1:]
	}
	f.limit = min(2*max(f.limit, 1), mostAhead)
	return objects, nil
}

// await waits until the first object of the window, which is that of a number, has come.
func (f *fetcher) await(ctx context.Context, number uint64) error {
	if len(f.window) == 0 {
		f.stop()
		f.first, f.back = number, make(chan reply)
		f.ctx, f.cancel = context.WithCancel(ctx)
	}
	for f.askAhead(); !f.window[0].there; f.askAhead() {
		select {
		case r := <-f.back:
			f.take(r)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// askAhead asks for as many objects as may be under way.
func (f *fetcher) askAhead() {
	for len(f.window) == 0 || f.underWay < f.limit && len(f.window) < windowed &&
		f.bytes+(f.underWay+1)*f.most <= aheadBytes {
		f.window = append(f.window, new(fetch))
		f.underWay++
		f.ask(f.first + uint64(len(f.window)) - 1)
	}
}

// ask asks for one object.
func (f *fetcher) ask(number uint64) {
	of := f.window[number-f.first]
	of.turn, of.passed = f.turn, 0
	ctx, cancel := context.WithCancel(f.ctx)
	if before := of.cancel; before != nil {
		of.cancel = func() { before(); cancel() }
	} else {
		of.cancel = cancel
	}
	back := f.back
	f.calls.Go(func() {
		data, err := f.get(ctx, number)
		select {
		case back <- reply{number, data, err}:
		case <-ctx.Done():
		}
	})
}

// take takes a reply, and asks again for the first object if many after it have come.
func (f *fetcher) take(r reply) {
	if r.number < f.first || f.window[r.number-f.first].there {
		return // another call was earlier
	}
	of := f.window[r.number-f.first]
	of.data, of.err, of.there = r.data, r.err, true
	of.cancel()
	f.underWay--
	f.bytes, f.most = f.bytes+len(r.data), max(f.most-f.most/8, len(r.data))
	if first := f.window[0]; !first.there {
		if first.passed++; first.passed == mostAhead {
			f.ask(f.first)
		}
	}
}

// stop forgets the window.
func (f *fetcher) stop() {
	if f.cancel != nil {
		f.cancel()
	}
	f.window, f.underWay, f.bytes = nil, 0, 0
}

// close ends the calls.
func (f *fetcher) close() {
	f.stop()
	f.calls.Wait()
}

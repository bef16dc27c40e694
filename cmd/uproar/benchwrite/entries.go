// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"encoding/binary"

	"github.com/uproar-db/uproar/store"
)

// entries writes entries of the store: new ones, or pages over and over.
type entries struct {
	opts   *Options
	engine *engine
	pool   []byte // values are parts of it: making them costs nothing
}

// poolBytes is the length of the text that values are parts of, beside the length of the longest.
const poolBytes = 1 << 20

func newEntries(o *Options, e *engine) *entries {
	return &entries{opts: o, engine: e, pool: randomText(o.Seed, poolBytes+o.ValueBytes)}
}

// key fills a key: the one of number i.
func (e *entries) key(key []byte, i uint64) []byte {
	if !e.opts.Sorted && e.opts.Mode == Entries {
		if e.opts.Keys > 0 {
			i = e.drawn(i)
		}
		i = mix(e.opts.Seed + i)
	}
	binary.BigEndian.PutUint64(key, i)
	for at := 8; at < len(key); at++ {
		key[at] = byte(i >> (at % 8 * 8))
	}
	return key
}

// drawn returns which of the keys entry i has, with Options.Keys.
func (e *entries) drawn(i uint64) uint64 { return mix(^e.opts.Seed-i) % uint64(e.opts.Keys) }

// distinct returns how many keys the first n entries have.
func (e *entries) distinct(n int64) (keys int64) {
	if e.opts.Keys == 0 {
		return n
	}
	seen := make([]uint64, e.opts.Keys/64+1)
	for i := range uint64(n) {
		k := e.drawn(i)
		keys += int64(^seen[k/64] >> (k % 64) & 1)
		seen[k/64] |= 1 << (k % 64)
	}
	return keys
}

func (e *entries) value(i uint64) []byte {
	from := mix(e.opts.Seed^i) % poolBytes
	return e.pool[from : from+uint64(e.opts.ValueBytes)]
}

// prepare writes each page once.
func (e *entries) prepare(ctx context.Context) error {
	if e.opts.Mode != Pages {
		return nil
	}
	var b store.Batch
	for i := range e.opts.Pages {
		b.Put(e.key(make([]byte, e.opts.KeyBytes), uint64(i)), e.value(uint64(i)))
		if b.Len() < e.opts.Batch && i < e.opts.Pages-1 {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := apply(e.engine, &b); err != nil {
			return err
		}
		b.Reset()
		e.opts.Progress(Progress{Done: int64(i), Total: int64(e.opts.Pages)})
	}
	return nil
}

func (e *entries) batchBytes() int { return e.opts.Batch * (e.opts.KeyBytes + e.opts.ValueBytes) }

func (e *entries) writer(int) func(context.Context, int64, int) (int, error) {
	var b store.Batch
	keys := make([]byte, e.opts.Batch*e.opts.KeyBytes)
	return func(_ context.Context, from int64, n int) (int, error) {
		b.Reset()
		for i := range n {
			number := uint64(from) + uint64(i)
			key := keys[i*e.opts.KeyBytes:][:e.opts.KeyBytes]
			if e.opts.Mode == Pages {
				b.Put(e.key(key, mix(e.opts.Seed+number)%uint64(e.opts.Pages)), e.value(number))
			} else {
				b.Put(e.key(key, number), e.value(number))
			}
		}
		return b.Size(), apply(e.engine, &b)
	}
}

func (e *entries) reader(int) func(context.Context) error { return nil }

func (e *entries) finish(_ context.Context, r *Report) error {
	live := e.distinct(r.Count)
	if e.opts.Mode == Pages {
		live = int64(e.opts.Pages)
	}
	r.Disk.Live = live * int64(e.opts.KeyBytes+e.opts.ValueBytes)
	return nil
}

func (e *entries) close() error { return e.engine.Close() }

func (e *entries) open(context.Context) error { return e.engine.open() }

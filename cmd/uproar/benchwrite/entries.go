// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/uproar-db/uproar/store"
)

// entries writes entries of the store: new ones, or pages over and over.
type entries struct {
	opts   *Options
	engine *engine
	pool   []byte // values are parts of it: making them costs nothing
	first  uint64 // number of the first entry or rewrite: those before it are of earlier runs
	left   int64  // how many entries or pages those have left

	ingestion store.Ingestion // that sorted entries go to; nil: to none yet
	waiting   int             // bytes that were given to it
}

// ingestBytes is how much sorted entries are made durable at once, where the engine ingests them.
const ingestBytes = 256 << 20

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

// errOther says that the store has other entries than this run would have written.
var errOther = errors.New("the folder has entries of another run: want the same mode, seed, order and size of keys")

// prepare looks what earlier runs have left, and writes each page once that is not there.
func (e *entries) prepare(ctx context.Context) error {
	there, err := e.there()
	if err != nil {
		return err
	}
	e.left = int64(there)
	if e.opts.Mode != Pages {
		if e.opts.Keys == 0 { // else the same keys are drawn again
			e.first = there
		}
		return nil
	}
	var b store.Batch
	for i := min(int(there), e.opts.Pages); i < e.opts.Pages; i++ {
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

// there returns how many of the first keys earlier runs have written. It asks for some of them
// only: a run that was killed may have left out some of its last.
func (e *entries) there() (n uint64, err error) {
	key := make([]byte, e.opts.KeyBytes)
	has := func(i uint64) bool {
		if err != nil {
			return false
		}
		got := e.engine.Get(e.key(key, i), func([]byte) error { return nil })
		if !errors.Is(got, store.ErrNotFound) {
			err = got
		}
		return got == nil
	}
	if first := has(0); !first || e.opts.Keys > 0 {
		if err == nil && !first {
			err = e.engine.Keys(nil, nil, func([]byte) error { return errOther })
		}
		return 0, err
	}
	most := uint64(1) // one that is not there
	for err == nil && has(most) && most < 1<<62 {
		most *= 2
	}
	least := most / 2 // one that is there
	for err == nil && most-least > 1 {
		if half := least + (most-least)/2; has(half) {
			least = half
		} else {
			most = half
		}
	}
	return most, err
}

func (e *entries) found() int64 { return e.left }

func (e *entries) batchBytes() int { return e.opts.Batch * (e.opts.KeyBytes + e.opts.ValueBytes) }

func (e *entries) writer(int) func(context.Context, int64, int) (int, error) {
	var b store.Batch
	keys := make([]byte, e.opts.Batch*e.opts.KeyBytes)
	return func(_ context.Context, from int64, n int) (int, error) {
		b.Reset()
		for i := range n {
			number := e.first + uint64(from) + uint64(i)
			key := keys[i*e.opts.KeyBytes:][:e.opts.KeyBytes]
			if e.opts.Mode == Pages {
				b.Put(e.key(key, mix(e.opts.Seed+number)%uint64(e.opts.Pages)), e.value(number))
			} else {
				b.Put(e.key(key, number), e.value(number))
			}
		}
		if e.opts.Sorted {
			return b.Size(), e.applySorted(&b)
		}
		return b.Size(), apply(e.engine, &b)
	}
}

// applySorted ingests a batch, if the engine has the power to.
func (e *entries) applySorted(b *store.Batch) (err error) {
	ingester, ok := e.engine.Store.(store.Ingester)
	if !ok {
		return apply(e.engine, b)
	}
	if e.ingestion == nil {
		if e.ingestion, err = ingester.Ingest(); err != nil {
			return err
		}
	}
	for op := range b.Ops() {
		if err := e.ingestion.Put(op.Key, op.Value); err != nil {
			return err
		}
	}
	if e.waiting += b.Size(); e.waiting < ingestBytes {
		return nil
	}
	return e.end()
}

// end makes durable what was given to the engine.
func (e *entries) end() error {
	if e.ingestion == nil {
		return nil
	}
	err := e.ingestion.Commit()
	e.ingestion.Abort()
	e.ingestion, e.waiting = nil, 0
	return err
}

func (e *entries) reader(int) func(context.Context) error { return nil }

func (e *entries) finish(_ context.Context, r *Report) error {
	live := e.distinct(int64(e.first) + r.Writing.Count)
	if e.opts.Mode == Pages {
		live = int64(e.opts.Pages)
	}
	r.Disk.Live = live * int64(e.opts.KeyBytes+e.opts.ValueBytes)
	return nil
}

func (e *entries) close() error { return e.engine.Close() }

func (e *entries) open(context.Context) error { return e.engine.open() }

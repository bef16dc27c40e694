// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package cql is an engine of objects on Cassandra. The bytes of an object are chunks under an ID
// drawn for the call. One row then gives the name to that ID, by a lightweight transaction: of many
// calls one has it applied. Each name is a partition of its own, so that names do not wait for each
// other. For lists there are entries in partitions of neighbouring names, written before the name
// is given.
package cql

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
)

const (
	// chunkBytes is how much of an object is in one row, at most.
	chunkBytes = 1 << 20

	// inFlight is how many requests of one call are under way.
	inFlight = 8

	// bucketDigits is how many digits of a number at the end of a name its neighbours differ in: so
	// many names at most are in a partition of entries.
	bucketDigits = 4

	// bucketFresh is how long a process relies on a bucket that it wrote, and bucketOld the age
	// from which an empty one is removed. A day is between them: clocks may differ so much.
	bucketFresh = time.Hour
	bucketOld   = 25 * time.Hour

	// attemptFresh is how long a Create may take that gives a name, and attemptOld the age from
	// which an entry is of one that has ended, likewise.
	attemptFresh = time.Hour
	attemptOld   = 25 * time.Hour

	// tidying is the time for removing what a lost race leaves.
	tidying = time.Second
)

// id names the chunks of one call of Create.
type id [16]byte

// head gives a name to chunks.
type head struct {
	id   id
	size int
	sum  uint32 // Castagnoli's checksum of the bytes
}

// entry is an attempt to create a name. A marked one has succeeded.
type entry struct {
	name   string
	id     id
	chunks int
	marked bool
	at     time.Time // when it was written
}

// bucket is a partition of entries. Their names begin with its.
type bucket struct {
	name string
	at   time.Time // when it was written last
}

// tables is what the engine needs of Cassandra. All calls but lists may fail with
// store.ErrUnavailable, and have then done their work or not.
type tables interface {
	putChunk(ctx context.Context, of id, n int, data []byte) error
	chunk(ctx context.Context, of id, n int) ([]byte, error) // or store.ErrNotFound
	deleteChunk(ctx context.Context, of id, n int) error

	// createHead gives a name to h if nothing has it. It returns what has it: h, or another.
	createHead(ctx context.Context, name string, h head) (head, error)
	// head returns what has a name, or store.ErrNotFound. After a final one no createHead that was
	// under way before can still be applied.
	head(ctx context.Context, name string, final bool) (head, error)
	deleteHead(ctx context.Context, name string, of id) error

	// putEntry writes an entry, but not after deleteEntry.
	putEntry(ctx context.Context, bucket string, e entry) error
	// entries calls fn for the entries of a bucket from a name on, in the order of names.
	entries(ctx context.Context, bucket, from string, fn func(entry) error) error
	deleteEntry(ctx context.Context, bucket string, e entry) error

	putBucket(ctx context.Context, name string) error
	buckets(ctx context.Context) ([]bucket, error)
	// deleteBucket removes a bucket if it was not written since.
	deleteBucket(ctx context.Context, b bucket) error

	close()
}

// Engine is a prefix of tables of Cassandra. Safe for concurrent use.
type Engine struct {
	tables tables
	place  string // for errors

	mu      sync.Mutex
	written map[string]time.Time // buckets, by when this process wrote them
}

func newEngine(t tables, place string) *Engine {
	return &Engine{tables: t, place: place, written: make(map[string]time.Time)}
}

// bucketOf returns the bucket of a name: its folder, and its number without the last digits.
func bucketOf(name string) string {
	number := len(strings.TrimRight(name, "0123456789"))
	if len(name)-number > bucketDigits {
		return name[:len(name)-bucketDigits]
	}
	return name[:strings.LastIndexByte(name, '/')+1]
}

// within calls fn for the numbers below n, several at a time.
func within(ctx context.Context, n int, fn func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(inFlight)
	for i := range n {
		g.Go(func() error { return fn(ctx, i) })
	}
	return g.Wait()
}

func chunksOf(size int) int { return (size + chunkBytes - 1) / chunkBytes }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// failure names the call of an error.
func (e *Engine) failure(ctx context.Context, call, name string, err error) error {
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		err = ended
	}
	return fmt.Errorf("ship/cql: %s %s/%s: %w", call, e.place, name, err)
}

// Create implements ship.Engine.
func (e *Engine) Create(ctx context.Context, name string, data []byte) error {
	if err := errors.Join(ctx.Err(), ship.CheckObject(name, data)); err != nil {
		return err
	}
	h := head{size: len(data), sum: crc32.Checksum(data, castagnoli)}
	_, _ = rand.Read(h.id[:]) // never fails
	attempt := entry{name: name, id: h.id, chunks: chunksOf(len(data))}
	begun := time.Now()
	err := e.writeBucket(ctx, bucketOf(name))
	if err == nil {
		err = within(ctx, attempt.chunks+1, func(ctx context.Context, i int) error {
			if i == attempt.chunks {
				return e.tables.putEntry(ctx, bucketOf(name), attempt)
			}
			return e.tables.putChunk(ctx, h.id, i, data[i*chunkBytes:min(len(data), (i+1)*chunkBytes)])
		})
	}
	if err != nil {
		e.tidy(ctx, attempt) // the name was not given
		return e.failure(ctx, "create", name, err)
	}
	if now := time.Now(); max(now.Sub(begun), now.Round(0).Sub(begun.Round(0))) > attemptFresh {
		err := fmt.Errorf("%w: the process or its machine slept meanwhile", store.ErrUnavailable)
		return e.failure(ctx, "create", name, err) // a List may have removed the chunks
	}
	winner, err := e.tables.createHead(ctx, name, h)
	switch {
	case err != nil:
		return e.failure(ctx, "create", name, err) // the chunks may be an object's: a List tidies up
	case winner.id != h.id:
		e.tidy(ctx, attempt)
		return fmt.Errorf("%w: %s", ship.ErrExists, name)
	}
	return nil
}

// writeBucket writes the bucket of a name, if this process has not done so lately.
func (e *Engine) writeBucket(ctx context.Context, name string) error {
	e.mu.Lock()
	at, ok := e.written[name]
	e.mu.Unlock()
	if ok && time.Since(at) < bucketFresh {
		return nil
	}
	now := time.Now()
	if err := e.tables.putBucket(ctx, name); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for other, at := range e.written {
		if now.Sub(at) >= bucketFresh {
			delete(e.written, other)
		}
	}
	e.written[name] = now
	return nil
}

// tidy removes an attempt that has not got the name. What it misses, a List removes later.
func (e *Engine) tidy(ctx context.Context, attempt entry) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tidying)
	defer cancel()
	_ = e.remove(ctx, attempt)
}

// remove removes chunks, and then the entry that leads to them.
func (e *Engine) remove(ctx context.Context, attempt entry) error {
	err := within(ctx, attempt.chunks, func(ctx context.Context, i int) error {
		return e.tables.deleteChunk(ctx, attempt.id, i)
	})
	if err != nil {
		return err
	}
	return e.tables.deleteEntry(ctx, bucketOf(attempt.name), attempt)
}

// Get implements ship.Engine.
func (e *Engine) Get(ctx context.Context, name string) ([]byte, error) {
	if err := errors.Join(ctx.Err(), ship.CheckName(name)); err != nil {
		return nil, err
	}
	for {
		h, err := e.tables.head(ctx, name, false)
		if errors.Is(err, store.ErrNotFound) {
			return nil, fmt.Errorf("%w: %s", store.ErrNotFound, name)
		}
		if err != nil {
			return nil, e.failure(ctx, "get", name, err)
		}
		data, err := e.read(ctx, h)
		if err == nil {
			return data, nil
		}
		if !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrCorrupt) {
			return nil, e.failure(ctx, "get", name, err)
		}
		// It may have been deleted meanwhile, and created anew.
		again, headErr := e.tables.head(ctx, name, false)
		if headErr == nil && again.id == h.id {
			return nil, fmt.Errorf("ship/cql: get %s/%s: %w: %v", e.place, name, store.ErrCorrupt, err)
		}
	}
}

// read reads the chunks of an object.
func (e *Engine) read(ctx context.Context, h head) ([]byte, error) {
	if h.size < 0 || h.size > ship.MaxObject {
		return nil, fmt.Errorf("%w: got an object of %d bytes, want at most %d", store.ErrCorrupt, h.size,
			ship.MaxObject)
	}
	data := make([]byte, h.size)
	err := within(ctx, chunksOf(h.size), func(ctx context.Context, i int) error {
		part := data[i*chunkBytes : min(h.size, (i+1)*chunkBytes)]
		got, err := e.tables.chunk(ctx, h.id, i)
		if err == nil && len(got) != len(part) {
			err = fmt.Errorf("%w: chunk %d: got %d bytes, want %d", store.ErrCorrupt, i, len(got), len(part))
		}
		copy(part, got)
		return err
	})
	if err != nil {
		return nil, err
	}
	if sum := crc32.Checksum(data, castagnoli); sum != h.sum {
		return nil, fmt.Errorf("%w: got checksum %08x, want %08x", store.ErrCorrupt, sum, h.sum)
	}
	return data, nil
}

// Delete implements ship.Engine.
func (e *Engine) Delete(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), ship.CheckName(name)); err != nil {
		return err
	}
	h, err := e.tables.head(ctx, name, false)
	switch {
	case errors.Is(err, store.ErrNotFound):
		err = e.deleteRest(ctx, name)
	case err == nil:
		if err = e.tables.deleteHead(ctx, name, h.id); err == nil {
			err = e.remove(ctx, entry{name: name, id: h.id, chunks: chunksOf(h.size)})
		}
	}
	if err != nil {
		return e.failure(ctx, "delete", name, err)
	}
	return nil
}

// deleteRest removes what a Delete has left that ended before its time: marked entries of a name
// that nothing has. A mark is made after the name was given, so that the name is asked for after
// the marks.
func (e *Engine) deleteRest(ctx context.Context, name string) error {
	var left []entry
	err := e.tables.entries(ctx, bucketOf(name), name, func(found entry) error {
		if found.name != name {
			return errEnd
		}
		if found.marked {
			left = append(left, found)
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnd) || len(left) == 0 {
		return ignore(err, errEnd)
	}
	h, err := e.tables.head(ctx, name, false)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	for _, found := range left {
		if err == nil && bytes.Equal(h.id[:], found.id[:]) {
			continue // created since
		}
		if err := e.remove(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

// errEnd ends a walk over entries.
var errEnd = errors.New("ship/cql: enough")

// ignore returns an error, or nil if it is one that is none.
func ignore(err, none error) error {
	if errors.Is(err, none) {
		return nil
	}
	return err
}

// Close implements ship.Engine.
func (e *Engine) Close() error {
	e.tables.close()
	return nil
}

var _ ship.Engine = (*Engine)(nil)

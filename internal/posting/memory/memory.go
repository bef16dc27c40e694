// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package memory

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/pagecache"
)

// Bound is the one bound on the memory that the indexes of a database take together: deltas,
// merges, loads and queries draw on it, and the cache of pages has what they leave, so that it
// gives way to writes and grows back afterwards. What is counted is what is held, not what the
// garbage collector has still to free.
//
// Who meets the bound waits or fails, each in its way: writers wait for a flush, a batch that could
// never fit is refused with ErrTooLarge, loads sort in temporary files, and a load or query that
// needs more fails with ErrMemory. Safe for concurrent use.
type Bound struct {
	Limit  int64
	Cache  *pagecache.Cache
	taken  [uses]atomic.Int64
	Sum    atomic.Int64 // of taken
	merged atomic.Int64 // of taken for indexes: merged lists
	told   atomic.Int64 // what of it the bound of the cache reckons with

	resizing sync.Mutex // held while the bound of the cache is set

	mu       sync.Mutex
	waiters  map[Waiter]struct{} // indexes that are open
	gatherer *pagecache.Gatherer // of the cache; nil: no index is open
}

// Use is what memory is taken for, beside the cache.
type Use int

const (
	// which pages there are; and the deltas of an index that failed, which nobody will flush
	Indexes Use = iota
	Deltas      // writes that are not in pages yet, or are being flushed
	Merges      // what flushes and loads hold while they write pages
	Loads       // values and keys that loads have gathered
	// what is copied of a manifest and of the log for exports under way, and their callers' buffers
	Backups
	Queries // lists, scratch and answers of queries under way
	Answers // answers that the caller of the database still holds
	uses
)

// The shares of the bound, in 16ths.
const (
	cacheShare = 1 // pages that stay whatever the others take
	DeltaShare = 5 // deltas of all indexes together: writers wait
	BatchShare = 2 // the delta of one batch: it is refused
)

// AllMergedShare is the part of the bound that the merged lists of all indexes may take.
const AllMergedShare = 8

// Min is the least that New takes.
const Min = 1 << 20

// New returns a bound of limit bytes. Errors: ErrInvalid, when it is below Min.
func New(limit int64) (*Bound, error) {
	if limit < Min {
		return nil, fmt.Errorf("%w: got %d bytes of memory, want at least %d", model.ErrInvalid, limit, Min)
	}
	return &Bound{Limit: limit, Cache: pagecache.New(limit), waiters: make(map[Waiter]struct{})}, nil
}

// Usage says what the memory of a database is taken for, in bytes.
type Usage struct {
	Limit   int64
	Cache   int64 // pages
	Huge    int64 // memory with pages that was gathered in huge pages of the system
	Indexes int64 // which pages there are
	Deltas  int64 // writes that are not in pages yet
	Merges  int64 // flushes, and the end of loads
	Loads   int64
	Backups int64 // exports under way, and what their callers hold of them
	Queries int64
	Answers int64 // what callers hold of answers
}

// Usage returns what is taken now.
func (m *Bound) Usage() Usage {
	of := func(u Use) int64 { return m.taken[u].Load() }
	cache, huge := int64(m.Cache.Bytes()), int64(0)
	m.mu.Lock()
	if m.gatherer != nil {
		huge = m.gatherer.Bytes()
	}
	m.mu.Unlock()
	return Usage{Limit: m.Limit, Cache: cache, Huge: huge, Indexes: of(Indexes), Deltas: of(Deltas),
		Merges: of(Merges),
		Loads:  of(Loads), Backups: of(Backups), Queries: of(Queries), Answers: of(Answers)}
}

// Share returns some 16ths of the bound.
func (m *Bound) Share(sixteenths int64) int64 { return m.Limit / 16 * sixteenths }

// Change counts memory taken, or given back if n is negative. Its callers are bounded otherwise, or
// wait.
func (m *Bound) Change(u Use, n int64) {
	if n == 0 {
		return
	}
	if n < 0 {
		m.taken[u].Add(n)
	}
	m.Sum.Add(n)
	m.shrinkCache()
	if n > 0 {
		m.taken[u].Add(n) // it is told of when the cache has made room for it
	}
}

// Take counts memory for callers that can do without it. Errors: *Error.
func (m *Bound) Take(u Use, n int64) error {
	for {
		sum := m.Sum.Load()
		if left := m.Limit - m.Share(cacheShare) - sum; n > left {
			return &Error{Want: n, Left: max(left, 0), Limit: m.Limit}
		}
		if m.Sum.CompareAndSwap(sum, sum+n) {
			m.shrinkCache()
			m.taken[u].Add(n)
			return nil
		}
	}
}

// shrinkCache makes the cache as large as the others leave it, once that has changed by a
// hundredth: setting its bound takes its lock. Who finds another at it leaves it to that one, who
// looks again; but not when the cache is too large by a sixteenth of the memory: the other may have
// no processor, and the more is taken meanwhile, the farther the bound is passed.
func (m *Bound) shrinkCache() {
	for {
		diff := m.Sum.Load() - m.told.Load()
		switch {
		case diff > m.Share(1):
			m.resizing.Lock()
		case max(diff, -diff) < m.Limit/128 || !m.resizing.TryLock():
			return
		}
		sum := m.Sum.Load()
		m.Cache.Bound(max(m.Limit-sum, m.Share(cacheShare)))
		m.told.Store(sum)
		m.resizing.Unlock()
	}
}

// Account counts memory that something holds while it works, and that changes meanwhile. Not safe
// for concurrent use.
type Account struct {
	bound *Bound
	use   Use
	held  int64
}

// ForBackup returns an account of what a backup holds. It is counted, and the cache gives way to
// it, but never refused: a backup holds little, and must not fail for it.
func (m *Bound) ForBackup() *Account { return m.Account(Backups) }

// Account returns an account of memory for a use that is not refused.
func (m *Bound) Account(u Use) *Account { return &Account{bound: m, use: u} }

// Hold counts memory that a caller holds with answers, such as ones being sent. A negative number
// gives it back. Hold never refuses, and the cache gives way to it.
func (m *Bound) Hold(bytes int64) { m.Change(Answers, bytes) }

// Set makes n the bytes that are held now. At the end they are to be 0.
func (a *Account) Set(n int64) {
	a.bound.Change(a.use, n-a.held)
	a.held = n
}

// Crowded reports whether writers are to wait until deltas have been flushed. more is what the
// caller has added to its own without having told.
func (m *Bound) Crowded(more int64) bool {
	return m.taken[Deltas].Load()+more > m.Share(DeltaShare)
}

// BatchBytes is how much a flush or load gathers before it writes: most, or little of the bound.
func (m *Bound) BatchBytes(most int) int { return int(min(int64(most), m.Limit/64)) }

// Waiter is an index, as the bound sees it. Both calls may come from any goroutine that holds no
// lock of an index.
type Waiter interface {
	RequestFlush() // begins a flush soon
	Wake()         // has writers look again whether they may go on
}

// Join makes an index share the bound, until Leave.
func (m *Bound) Join(w Waiter) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiters[w] = struct{}{}
	if m.gatherer == nil {
		m.gatherer = pagecache.Gather(m.Cache)
	}
}

// Leave ends it.
func (m *Bound) Leave(w Waiter) {
	m.mu.Lock()
	delete(m.waiters, w)
	if len(m.waiters) == 0 && m.gatherer != nil {
		m.gatherer.End()
		m.gatherer = nil
	}
	m.mu.Unlock()
	m.WakeWriters()
}

// open returns the indexes that share the bound.
func (m *Bound) open() []Waiter {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.waiters))
}

// RequestFlushes has every index flush.
func (m *Bound) RequestFlushes() {
	for _, w := range m.open() {
		w.RequestFlush()
	}
}

// WakeWriters has the writers of every index look again whether they may go on. The caller holds no
// lock of an index.
func (m *Bound) WakeWriters() {
	for _, w := range m.open() {
		w.Wake()
	}
}

// Error says that a load or query needs more memory than there is. It matches ErrMemory.
type Error struct {
	Want  int64 // bytes that it would have taken
	Left  int64 // bytes that there were
	Limit int64 // bytes of the bound
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("posting: out of memory: got %d bytes left of %d, want %d", e.Left, e.Limit, e.Want)
}

// Is reports whether target is ErrMemory.
func (e *Error) Is(target error) bool { return target == model.ErrMemory }

// TakeMerged counts memory of merged lists, if it is there and all of them together leave enough to
// queries: an index that nobody writes to keeps its merged lists.
func (m *Bound) TakeMerged(bytes int64) bool {
	if m.merged.Add(bytes) <= m.Limit/AllMergedShare && m.Take(Indexes, bytes) == nil {
		return true
	}
	m.merged.Add(-bytes)
	return false
}

// GiveMerged gives memory of merged lists back.
func (m *Bound) GiveMerged(bytes int64) {
	m.merged.Add(-bytes)
	m.Change(Indexes, -bytes)
}

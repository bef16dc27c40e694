// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Memory is the one bound on the memory that the indexes of a database take together: deltas,
// merges, loads and queries draw on it, and the cache of pages has what they leave, so that it
// gives way to writes and grows back afterwards. What is counted is what is held, not what the
// garbage collector has still to free.
//
// Who meets the bound waits or fails, each in its way: writers wait for a flush, a batch that could
// never fit is refused with ErrTooLarge, loads sort in temporary files, and a load or query that
// needs more fails with ErrMemory. Safe for concurrent use.
type Memory struct {
	limit  int64
	cache  *cache
	taken  [memoryUses]atomic.Int64
	sum    atomic.Int64 // of taken
	merged atomic.Int64 // of taken for indexes: merged lists
	told   atomic.Int64 // what of it the bound of the cache reckons with

	resizing sync.Mutex // held while the bound of the cache is set

	mu       sync.Mutex
	indexes  map[*Index]struct{} // those that are open
	gatherer *gatherer           // of the cache; nil: no index is open
}

// memoryUse is what memory is taken for, beside the cache.
type memoryUse int

const (
	// which pages there are; and the deltas of an index that failed, which nobody will flush
	forIndexes memoryUse = iota
	forDeltas            // writes that are not in pages yet, and those that are being flushed
	forMerges            // what flushes and loads hold while they write pages
	forLoads             // values and keys that loads have gathered
	// what is copied of a manifest and of the log for exports under way, and their callers' buffers
	forBackups
	forQueries // lists, scratch and answers of queries under way
	forAnswers // answers that the caller of the database still holds
	memoryUses
)

// The shares of the bound, in 16ths.
const (
	cacheShare = 1 // pages that stay whatever the others take
	deltaShare = 5 // deltas of all indexes together: writers wait
	batchShare = 2 // the delta of one batch: it is refused
)

// MinMemory is the least that NewMemory takes.
const MinMemory = 1 << 20

// NewMemory returns a bound of so many bytes. Errors: ErrInvalid, when it is below MinMemory.
func NewMemory(limit int64) (*Memory, error) {
	if limit < MinMemory {
		return nil, fmt.Errorf("%w: got %d bytes of memory, want at least %d", model.ErrInvalid, limit, MinMemory)
	}
	return &Memory{limit: limit, cache: newCache(limit), indexes: make(map[*Index]struct{})}, nil
}

// MemoryUse says what the memory of a database is taken for, in bytes.
type MemoryUse struct {
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

// Use returns what is taken now.
func (m *Memory) Use() MemoryUse {
	of := func(u memoryUse) int64 { return m.taken[u].Load() }
	cache, huge := int64(m.cache.bytes()), int64(0)
	m.mu.Lock()
	if m.gatherer != nil {
		huge = min(m.gatherer.huge.Load(), 2*cache) // of what was gathered pages had half; some may have gone since
	}
	m.mu.Unlock()
	return MemoryUse{Limit: m.limit, Cache: cache, Huge: huge, Indexes: of(forIndexes), Deltas: of(forDeltas),
		Merges: of(forMerges),
		Loads:  of(forLoads), Backups: of(forBackups), Queries: of(forQueries), Answers: of(forAnswers)}
}

// share returns some 16ths of the bound.
func (m *Memory) share(sixteenths int64) int64 { return m.limit / 16 * sixteenths }

// change counts memory that was taken, or with a negative n given back, by those that are bounded
// otherwise or wait.
func (m *Memory) change(u memoryUse, n int64) {
	if n == 0 {
		return
	}
	if n < 0 {
		m.taken[u].Add(n)
	}
	m.sum.Add(n)
	m.shrinkCache()
	if n > 0 {
		m.taken[u].Add(n) // it is told of when the cache has made room for it
	}
}

// take counts memory for those that can do without. Errors: *MemoryError.
func (m *Memory) take(u memoryUse, n int64) error {
	for {
		sum := m.sum.Load()
		if left := m.limit - m.share(cacheShare) - sum; n > left {
			return &MemoryError{Want: n, Left: max(left, 0), Limit: m.limit}
		}
		if m.sum.CompareAndSwap(sum, sum+n) {
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
func (m *Memory) shrinkCache() {
	for {
		diff := m.sum.Load() - m.told.Load()
		switch {
		case diff > m.share(1):
			m.resizing.Lock()
		case max(diff, -diff) < m.limit/128 || !m.resizing.TryLock():
			return
		}
		sum := m.sum.Load()
		m.cache.bound(max(m.limit-sum, m.share(cacheShare)))
		m.told.Store(sum)
		m.resizing.Unlock()
	}
}

// Account counts memory that something holds while it works, and that changes meanwhile. Not safe
// for concurrent use.
type Account struct {
	memory *Memory
	use    memoryUse
	held   int64
}

// ForBackup returns an account of what a backup holds. It is counted, and the cache gives way to
// it, but never refused: a backup holds little, and must not fail for it.
func (m *Memory) ForBackup() *Account { return &Account{memory: m, use: forBackups} }

// Hold counts memory that a caller holds with answers, such as those that it sends; a negative
// number gives it back. It is never refused, and the cache gives way to it.
func (m *Memory) Hold(bytes int64) { m.change(forAnswers, bytes) }

// Set makes n the bytes that are held now. At the end they are to be 0.
func (a *Account) Set(n int64) {
	a.memory.change(a.use, n-a.held)
	a.held = n
}

// crowded reports whether writers are to wait until deltas have been flushed. more is what the
// caller has added to its own without having told.
func (m *Memory) crowded(more int64) bool {
	return m.taken[forDeltas].Load()+more > m.share(deltaShare)
}

// batchBytes is how much a flush or load gathers before it writes: little beside the bound.
func (m *Memory) batchBytes() int { return int(min(pageBatchBytes, m.limit/64)) }

// join makes an index one of those that share the bound, until leave.
func (m *Memory) join(ix *Index) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.indexes[ix] = struct{}{}
	if m.gatherer == nil {
		m.gatherer = gather(m.cache)
	}
}

func (m *Memory) leave(ix *Index) {
	m.mu.Lock()
	delete(m.indexes, ix)
	if len(m.indexes) == 0 && m.gatherer != nil {
		m.gatherer.end()
		m.gatherer = nil
	}
	m.mu.Unlock()
	m.wakeWriters()
}

// open returns the indexes that share the bound.
func (m *Memory) open() []*Index {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Keys(m.indexes))
}

// requestFlushes has every index flush.
func (m *Memory) requestFlushes() {
	for _, ix := range m.open() {
		ix.wake(ix.flusher)
	}
}

// wakeWriters has the writers of every index look again whether they may go on. The caller holds no
// lock of an index.
func (m *Memory) wakeWriters() {
	for _, ix := range m.open() {
		ix.write.Lock() // or a writer between its look and its wait would miss it
		ix.relieved.Broadcast()
		ix.write.Unlock()
	}
}

// MemoryError says that a load or query needs more memory than there is. It matches ErrMemory.
type MemoryError struct {
	Want  int64 // bytes that it would have taken
	Left  int64 // bytes that there were
	Limit int64 // bytes of the bound
}

// Error implements error.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("posting: out of memory: got %d bytes left of %d, want %d", e.Left, e.Limit, e.Want)
}

// Is reports whether target is ErrMemory.
func (e *MemoryError) Is(target error) bool { return target == model.ErrMemory }

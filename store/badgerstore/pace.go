// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"context"
	"sync"
	"sync/atomic"
)

// pace holds writers back where reclaiming space is behind: by bytes, so that the bound on the
// value log holds however the processor and the disk are shared. Writers wait while a pass is under
// way and the value log is larger than the limit, and for nothing else: a pass always ends,
// whatever it can do, and a store that grows has a limit that grows with it. Safe for concurrent
// use.
type pace struct {
	fileSize int64        // of a value-log file
	size     atomic.Int64 // of the value log, when it was last measured
	added    atomic.Int64 // to it since
	limit    atomic.Int64
	passing  atomic.Bool  // a pass is under way
	exempt   atomic.Int32 // calls of Undisturbed, for which passes wait

	mu    sync.Mutex
	eased *sync.Cond // what isBehind looks at has changed
}

// liveShare is how many times what is alive the value log may be, beside two files: the one being
// written, which cannot be collected, and one of work.
const liveShare = 3

func (p *pace) start(fileSize int64) {
	p.fileSize = fileSize
	p.eased = sync.NewCond(&p.mu)
}

// isOver reports whether the value log is larger than its limit.
func (p *pace) isOver() bool { return p.size.Load()+p.added.Load() > p.limit.Load() }

func (p *pace) isBehind() bool { return p.passing.Load() && p.exempt.Load() == 0 && p.isOver() }

// wait returns when batches may be written, or when ctx ends, with its error. Callers must not be
// inside the gate, because housekeeping waits for calls inside.
func (p *pace) wait(ctx context.Context) error {
	if !p.isBehind() {
		return ctx.Err()
	}
	defer context.AfterFunc(ctx, p.ease)()
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.isBehind() && ctx.Err() == nil {
		p.eased.Wait()
	}
	return ctx.Err()
}

// ease has waiting writers look again.
func (p *pace) ease() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.eased.Broadcast()
}

// measured takes the size of the value log. before is what was added before the measurement: size
// has what was added since either not at all or twice.
func (p *pace) measured(size, before int64) {
	p.added.Add(-before)
	p.size.Store(size)
	p.ease()
}

// allow sets the limit for live bytes that are alive. A negative live counts as 0: what is known of
// garbage may be damaged, or read while Badger sorts it. A part is left for the live values of a
// file that are copied before it is deleted, and for batches that are under way.
func (p *pace) allow(live int64) {
	live = max(live, 0)
	p.limit.Store(liveShare*live + 2*p.fileSize - min(live, p.fileSize/2) - p.fileSize/4)
	p.ease()
}

func (p *pace) begin() { p.passing.Store(true) }

// end ends a pass. Where it has found no more to collect, and scans keep files or what is alive was
// not known, the limit is out of reach for now, and passes would follow each other without any use:
// more may be written until the next one.
func (p *pace) end(nothingLeft bool, more int64) {
	if nothingLeft && p.isOver() {
		p.limit.Store(p.size.Load() + p.added.Load() + more)
	}
	p.passing.Store(false)
	p.ease()
}

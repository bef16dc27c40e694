// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

import (
	"encoding/binary"
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
	"github.com/uproar-db/uproar/store"
)

const (
	// frameTarget is the size up to which commits share an entry of the log. It was chosen for an
	// engine that synced twice for larger ones, and was not measured with others.
	frameTarget = 1000

	// frameHeader is the most that an entry has around the sections of one commit.
	frameHeader = 64
)

// Pending is commits with consecutive numbers, encoded, that are to be written together. The zero
// value has none.
type Pending struct {
	First    uint64 // the number of the first
	times    []uint64
	ends     []int // where the sections of each end
	sections []byte
}

// Count returns the number of commits.
func (p *Pending) Count() int { return len(p.times) }

const (
	// commitHeader is what an entry usually has for a commit beside its sections, about.
	commitHeader = 3

	// entryHeader is what an entry has beside its commits, about: its key, its head, the time and
	// the number of commits. With small commits that come one by one it is most of the log.
	entryHeader = format.LogKeyLen + format.HeaderLen + 8
)

// Size returns the bytes that the commits take in the log, about.
func (p *Pending) Size() int {
	if p.Count() == 0 {
		return 0
	}
	commits := len(p.sections) + commitHeader*len(p.times)
	return commits + entryHeader*(1+commits/frameTarget)
}

// Add adds a commit with its sections. Errors: ErrTooLarge, with nothing changed.
func (p *Pending) Add(number uint64, entry *Entry, sections []byte) error {
	named := len(entry.Keys)
	for _, run := range entry.Keys {
		named += len(run.Keys)
	}
	if named > model.MaxKeys {
		return fmt.Errorf("%w: got a batch of %d keys, want at most %d", model.ErrTooLarge, named, model.MaxKeys)
	}
	if len(sections) > maxEntry-frameHeader {
		return fmt.Errorf("%w: got a batch of %d bytes of log, want at most %d", model.ErrTooLarge, len(sections),
			maxEntry-frameHeader)
	}
	if p.Count() == 0 {
		p.First = number
	}
	p.sections = append(p.sections, sections...)
	p.times, p.ends = append(p.times, entry.Time), append(p.ends, len(p.sections))
	return nil
}

// Drop takes the commit added last away.
func (p *Pending) Drop() {
	n := p.Count() - 1
	p.times, p.ends = p.times[:n], p.ends[:n]
	p.sections = p.sections[:p.begin(n)]
}

// Append adds the commits that follow.
func (p *Pending) Append(more *Pending) {
	if p.Count() == 0 {
		p.First = more.First
	}
	at := len(p.sections)
	p.sections, p.times = append(p.sections, more.sections...), append(p.times, more.times...)
	for _, end := range more.ends {
		p.ends = append(p.ends, at+end)
	}
}

// begin returns where the sections of a commit begin.
func (p *Pending) begin(i int) int {
	if i == 0 {
		return 0
	}
	return p.ends[i-1]
}

// Put puts the commits into a batch: as few entries as their size allows.
func (p *Pending) Put(b *store.Batch, index uint32) {
	for from := 0; from < p.Count(); {
		to, size := from+1, format.HeaderLen+12+commitHeader+p.ends[from]-p.begin(from)
		for ; to < p.Count(); to++ {
			if size += commitHeader + p.ends[to] - p.begin(to); size > frameTarget {
				break
			}
		}
		key := format.AppendLogKey(nil, index, p.First+uint64(to)-1)
		b.Put(key, p.Frame(key, from, to))
		from = to
	}
}

// Frame returns the entry of some commits, sealed for its key.
func (p *Pending) Frame(key []byte, from, to int) []byte {
	b := make([]byte, format.HeaderLen,
		format.HeaderLen+2*binary.MaxVarintLen64+(to-from)*commitHeader+p.ends[to-1]-p.begin(from))
	b[0], b[1] = format.MagicLog, format.LogVersion
	time := p.times[from]
	b = binary.AppendUvarint(b, time)
	b = binary.AppendUvarint(b, uint64(to-from))
	for i := from; i < to; i++ {
		b = binary.AppendUvarint(b, model.Zigzag(int64(p.times[i]-time)))
		b = binary.AppendUvarint(b, uint64(p.ends[i]-p.begin(i)))
		b = append(b, p.sections[p.begin(i):p.ends[i]]...)
		time = p.times[i]
	}
	seal.Write(key, b)
	return b
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wal

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// Frame is an entry of the log: commits with consecutive numbers, which are in the store together
// or not at all. They are decoded one by one, so that an entry takes its own bytes and the memory
// of one commit.
type Frame struct {
	First, Last uint64 // the numbers of its commits
	Key, Value  []byte

	next    uint64        // the commit that is decoded next
	Time    uint64        // of the one before it
	commits format.Reader // what is left of them
}

// Open checks a log entry, but not yet what its commits say. The bytes are borrowed.
func Open(key, value []byte) (*Frame, error) {
	where := fmt.Sprintf("log entry %d", format.NumberOfKey(key))
	if err := format.CheckHeader(where, format.MagicLog, format.LogVersion, key, value); err != nil {
		return nil, err
	}
	if value[2] != 0 || value[3] != 0 {
		return nil, format.UnknownVersion(where+": flags", value[2])
	}
	f := &Frame{First: format.NumberOfKey(key), Last: format.NumberOfKey(key), Key: key, Value: value,
		commits: format.Reader{B: value[format.HeaderLen:], Ok: true}}
	f.Time = f.commits.Varint()
	if !f.single() {
		n := f.commits.Count()
		if n == 0 || uint64(n) > f.Last {
			f.commits.Ok = false
		}
		f.First = f.Last - uint64(n) + 1
		all := f.commits
		for i := 0; i < n && all.Ok; i++ {
			nextSections(&all)
		}
		f.commits.Ok = f.commits.Ok && all.Ok && len(all.B) == 0
	}
	f.next = f.First
	if !f.commits.Ok {
		return nil, model.Corrupt(where, "the checksum is right but the commits are not")
	}
	return f, nil
}

// single reports whether the entry is of version 1, and so one commit.
func (f *Frame) single() bool { return f.Value[1] == 1 }

// nextSections reads the time of a commit, as milliseconds since the one before, and its sections.
func nextSections(r *format.Reader) (elapsed int64, sections []byte) {
	elapsed = model.Unzigzag(r.Varint())
	return elapsed, r.Bytes()
}

// Raw returns the sections of the next commit, not yet decoded.
func (f *Frame) Raw() []byte {
	f.next++
	if f.single() {
		return f.commits.B
	}
	elapsed, sections := nextSections(&f.commits)
	f.Time += uint64(elapsed)
	return sections
}

// through returns the entry of an index that has the commits up to one. No commit was read before.
func (f *Frame) through(index uint32, last uint64) (key, value []byte) {
	p := Pending{First: f.First}
	for f.next <= min(last, f.Last) {
		p.sections = append(p.sections, f.Raw()...)
		p.times, p.ends = append(p.times, f.Time), append(p.ends, len(p.sections))
	}
	key = format.AppendLogKey(nil, index, f.next-1)
	return key, p.Frame(key, 0, p.Count())
}

// Skip goes on to the commit with a number, or behind the last.
func (f *Frame) Skip(to uint64) {
	for f.next < min(to, f.Last+1) {
		f.Raw()
	}
}

// Decode decodes the next commit; nil after the last. The frame keeps nothing of it.
func (f *Frame) Decode() (*Entry, error) {
	if f.next > f.Last {
		return nil, nil
	}
	where := fmt.Sprintf("log entry %d", f.next)
	entry, err := decodeSections(where, f.Raw())
	if err == nil {
		entry.Time = f.Time
	}
	return entry, err
}

// Validate decodes the commits that are left.
func (f *Frame) Validate() error {
	for {
		if entry, err := f.Decode(); entry == nil {
			return err
		}
	}
}

// Sum returns the checksum of the entry.
func (f *Frame) Sum() uint32 {
	sum, _ := seal.Check(f.Key, f.Value)
	return sum
}

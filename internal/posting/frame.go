// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"fmt"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// frame is an entry of the log: commits with consecutive numbers, which are in the store together
// or not at all. They are decoded one by one, so that an entry takes its own bytes and the memory
// of one commit.
type frame struct {
	first, last uint64 // the numbers of its commits
	key, value  []byte

	next    uint64        // the commit that is decoded next
	time    uint64        // of the one before it
	commits format.Reader // what is left of them
}

// openFrame checks a log entry, but not yet what its commits say. The bytes are borrowed.
func openFrame(key, value []byte) (*frame, error) {
	where := fmt.Sprintf("log entry %d", format.NumberOfKey(key))
	if err := format.CheckHeader(where, format.MagicLog, format.LogVersion, key, value); err != nil {
		return nil, err
	}
	if value[2] != 0 || value[3] != 0 {
		return nil, format.UnknownVersion(where+": flags", value[2])
	}
	f := &frame{first: format.NumberOfKey(key), last: format.NumberOfKey(key), key: key, value: value,
		commits: format.Reader{B: value[format.HeadLen:], Ok: true}}
	f.time = f.commits.Varint()
	if !f.single() {
		n := f.commits.Count()
		if n == 0 || uint64(n) > f.last {
			f.commits.Ok = false
		}
		f.first = f.last - uint64(n) + 1
		all := f.commits
		for i := 0; i < n && all.Ok; i++ {
			nextSections(&all)
		}
		f.commits.Ok = f.commits.Ok && all.Ok && len(all.B) == 0
	}
	f.next = f.first
	if !f.commits.Ok {
		return nil, model.Corrupt(where, "the checksum is right but the commits are not")
	}
	return f, nil
}

// single reports whether the entry is of version 1, and so one commit.
func (f *frame) single() bool { return f.value[1] == 1 }

// nextSections reads the time of a commit, as milliseconds since the one before, and its sections.
func nextSections(r *format.Reader) (elapsed int64, sections []byte) {
	elapsed = model.Unzigzag(r.Varint())
	return elapsed, r.Bytes()
}

// raw returns the sections of the next commit, not yet decoded.
func (f *frame) raw() []byte {
	f.next++
	if f.single() {
		return f.commits.B
	}
	elapsed, sections := nextSections(&f.commits)
	f.time += uint64(elapsed)
	return sections
}

// skip goes on to the commit with a number, or behind the last.
func (f *frame) skip(to uint64) {
	for f.next < min(to, f.last+1) {
		f.raw()
	}
}

// decode decodes the next commit; nil after the last. The frame keeps nothing of it.
func (f *frame) decode() (*logEntry, error) {
	if f.next > f.last {
		return nil, nil
	}
	where := fmt.Sprintf("log entry %d", f.next)
	entry, err := decodeSections(where, f.raw())
	if err == nil {
		entry.time = f.time
	}
	return entry, err
}

// validate decodes the commits that are left.
func (f *frame) validate() error {
	for {
		if entry, err := f.decode(); entry == nil {
			return err
		}
	}
}

// sum returns the checksum of the entry.
func (f *frame) sum() uint32 {
	sum, _ := seal.Check(f.key, f.value)
	return sum
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"slices"

	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/internal/posting/wal"
)

// Reads is all that a plan has read: what some records had, and that some keys had no record.
type Reads struct {
	Records []uint64 // their IDs, ascending
	Absent  []string // keys
}

// mostRecent bounds how many records, and commits, are kept in mind.
const mostRecent = 1 << 16

// recentCommits says which records the last commits have changed, so that a plan that has read
// others need not be made anew. The zero value knows of no commit. It is guarded by writer.mu.
type recentCommits struct {
	list    []changed // with consecutive numbers
	last    uint64    // the number of the last one
	records int       // of all
}

// changed says which records a commit has changed, beside those that it has made.
type changed struct {
	all     bool     // it may be any
	records []uint64 // ascending
}

// add takes in the commit with a number. Those before it are forgotten if they are not the ones
// that precede it, or are too many.
func (c *recentCommits) add(number uint64, of changed) {
	if number != c.last+1 {
		*c = recentCommits{}
	}
	c.list, c.last, c.records = append(c.list, of), number, c.records+len(of.records)+1
	for c.records > mostRecent && len(c.list) > 0 {
		c.records -= len(c.list[0].records) + 1
		c.list[0] = changed{}
		c.list = c.list[1:]
	}
}

// cut forgets the commits above a number: they were taken back.
func (c *recentCommits) cut(number uint64) {
	if c.last > number {
		*c = recentCommits{}
	}
}

// spare reports whether no commit between two numbers has changed one of some records, which
// ascend.
func (c *recentCommits) spare(records []uint64, after, upTo uint64) bool {
	if c.last != upTo || upTo-after > uint64(len(c.list)) {
		return false
	}
	for _, of := range c.list[uint64(len(c.list))-(upTo-after):] {
		if of.all || meet(records, of.records) {
			return false
		}
	}
	return true
}

// meet reports whether two ascending lists have an element in common.
func meet(a, b []uint64) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}

// gather notes which records the batch changes, of those that were known when it was made.
func (r *request) gather(src *reader.Source) {
	r.changed = r.changed[:0]
	add := func(ref uint64) {
		if model.Ref(ref)&model.KeyRef == 0 || r.known[model.Ref(ref)&^model.KeyRef] {
			r.changed = append(r.changed, model.Resolve(ref, r.ids))
		}
	}
	for _, e := range r.batch.edits {
		if add(e.Record); src.FieldOf(e.Field).Inverse != 0 {
			add(e.Row)
		}
	}
	for i := range r.batch.values {
		add(r.batch.values[i].Record)
	}
	slices.Sort(r.changed)
	r.changed = slices.Compact(r.changed)
}

// commits returns what a commit of the request has changed. What was deleted or emptied may have
// been named by any record.
func (r *request) commits(entry *wal.Entry) changed {
	if len(entry.Deleted)+len(entry.Emptied) > 0 {
		return changed{all: true}
	}
	slices.Sort(r.changed) // some were found late
	return changed{records: r.changed}
}

// holds reports whether all that the plan of a request has read is still as it was. The caller
// holds w.mu.
func (w *writer) holds(r *request) (bool, error) {
	reads := r.batch.Reads
	if reads == nil || !w.changes.recent.spare(reads.Records, r.sequence, w.sequence) {
		return false, nil
	}
	st := w.State.Load()
	for _, key := range reads.Absent {
		k := model.SpaceKey{Space: model.RecordSpace, Key: key}
		if _, ok, err := w.lookupNewest(st, k, st.Version != r.version); ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package delta

// mostRecent bounds how many records, and commits, are kept in mind.
const mostRecent = 1 << 16

// Recent says which records the last commits have changed, so that who has read others need not
// read again. The zero value knows of no commit.
type Recent struct {
	list    []changed // with consecutive numbers
	last    uint64    // the number of the last one
	records int       // of all, and one for each commit
}

// changed says which records a commit has changed, beside those that it has made.
type changed struct {
	all     bool     // it may be any
	records []uint64 // ascending
}

// Add takes in the commit with a number, and the records that it has changed, ascending; all: it
// may be any. Those before it leave if they are not the ones that precede it, or are too many.
func (c *Recent) Add(number uint64, records []uint64, all bool) {
	if number != c.last+1 {
		*c = Recent{}
	}
	c.list, c.last, c.records = append(c.list, changed{all, records}), number, c.records+len(records)+1
	for c.records > mostRecent && len(c.list) > 0 {
		c.records -= len(c.list[0].records) + 1
		c.list[0] = changed{}
		c.list = c.list[1:]
	}
}

// Cut takes back the commits above a number.
func (c *Recent) Cut(number uint64) {
	if c.last > number {
		*c = Recent{}
	}
}

// Spares reports whether no commit between two numbers has changed one of some records, which
// ascend. It is false for commits that are not known.
func (c *Recent) Spares(records []uint64, after, upTo uint64) bool {
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

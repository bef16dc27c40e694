// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import "slices"

const (
	// jointBits is how many bits the code of a field has that is counted jointly with another, and
	// jointRows up to how many rows it has.
	jointBits = 4
	jointRows = 1<<jointBits - 1
	// mostJoints is how many joint counts there are at most, of 4 KB each.
	mostJoints = 32
)

// joint counts records by the codes of two fields at once: one count makes two tables, or with the
// table of both three.
type joint struct {
	fields [2]int
	// by turns: the next record often has the codes of the one before, and would wait for its
	// counter
	cells [2][1 << (2 * jointBits)]uint64
}

// join finds out which tables are counted jointly: those of two fields of few rows, and those of
// one such field, two by two.
func (t *tabulation) join() {
	t.joints = t.joints[:0]
	for i := range t.tables {
		x := &t.tables[i]
		if x.joint = -1; len(x.fields) == 2 && t.isSmall(x.fields[0]) && t.isSmall(x.fields[1]) {
			x.joint = t.addJoint(x.fields[0], x.fields[1])
		}
	}
	var waiting *table
	for i := range t.tables {
		x := &t.tables[i]
		if len(x.fields) != 1 || !t.isSmall(x.fields[0]) {
			continue
		}
		if x.joint = slices.IndexFunc(t.joints, func(j joint) bool {
			return slices.Contains(j.fields[:], x.fields[0])
		}); x.joint >= 0 {
			continue
		}
		if waiting == nil {
			waiting = x
			continue
		}
		x.joint = t.addJoint(waiting.fields[0], x.fields[0])
		waiting.joint, waiting = x.joint, nil
	}
}

// isSmall reports whether a field has few enough rows.
func (t *tabulation) isSmall(field int) bool { return t.fields[field].rows <= jointRows }

// addJoint adds a joint count of two fields and returns its number; -1 if there are too many.
func (t *tabulation) addJoint(a, b int) int {
	n := len(t.joints)
	if n == mostJoints {
		return -1
	}
	t.joints = slices.Grow(t.joints, 1)[:n+1]
	t.joints[n] = joint{fields: [2]int{a, b}}
	return n
}

// count counts the records of a block by the codes of both fields.
func (j *joint) count(a, b []uint16) {
	even, odd := &j.cells[0], &j.cells[1]
	for ; len(a) >= 2 && len(b) >= 2; a, b = a[2:], b[2:] {
		even[uint8(a[0]<<jointBits|b[0])]++
		odd[uint8(a[1]<<jointBits|b[1])]++
	}
	if len(a) > 0 && len(b) > 0 {
		even[uint8(a[0]<<jointBits|b[0])]++
	}
}

// split adds to a table what was counted jointly.
func (j *joint) split(x *table, rows int) {
	for cell := range j.cells[0] {
		n := j.cells[0][cell] + j.cells[1][cell]
		a, b := cell>>jointBits, cell&jointRows
		switch {
		case n == 0:
		case len(x.fields) == 2:
			if a > 0 && b > 0 {
				x.counts[(a-1)*rows+b-1] += n
			}
		case x.fields[0] == j.fields[0]:
			if a > 0 {
				x.counts[a-1] += n
			}
		case b > 0:
			x.counts[b-1] += n
		}
	}
}

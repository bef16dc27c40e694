// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/extsort"
)

// runs are sorted runs of edits in temporary files, to be merged into one ascending sequence.
type runs struct {
	extsort.Runs[edit]
	single bool // the edits are assignments: row is the record, record its word, and the last of a row counts
}

// newRuns returns runs whose files may take so much memory when they are merged, about.
func newRuns(memory int64, single bool) runs {
	r := runs{single: single}
	r.Buffer = memory
	r.Codec = extsort.Codec[edit]{Compare: func(a, b *edit) int {
		return compareRuns(*a, *b, single)
	}, Append: appendRunEdit, Read: readRunEdit, Most: runEdit}
	return r
}

// runEdit is the length of an edit in a file: field, row, record, and 1 for set.
const runEdit = 4 + 8 + 8 + 1

func appendRunEdit(dst []byte, _, e *edit) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, e.field)
	dst = binary.LittleEndian.AppendUint64(dst, e.row)
	dst = binary.LittleEndian.AppendUint64(dst, e.record)
	if e.set {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func readRunEdit(b []byte, _ *edit) (e edit, n int) {
	if len(b) < runEdit {
		return e, 0
	}
	return edit{field: binary.LittleEndian.Uint32(b), set: b[20] != 0, row: binary.LittleEndian.Uint64(b[4:]),
		record: binary.LittleEndian.Uint64(b[12:])}, runEdit
}

// runBuffer is the memory that a run of pairs takes while it is written, and at most while it is
// merged; leastBuffer is what it takes there at least.
const (
	runBuffer   = 256 << 10
	leastBuffer = 4 << 10
)

// compare orders edits in a run; 0: one takes the place of the other.
func (r *runs) compare(a, b edit) int {
	return compareRuns(a, b, r.single)
}

func compareRuns(a, b edit, single bool) int {
	if single {
		a.record, b.record = 0, 0
	}
	return compareEdits(a, b)
}

// merge calls fn with all edits of the files, and those of one more run in memory, which is the
// latest, ascending and each once, about so many at a time. The slice is fn's until it returns.
func (r *runs) merge(last []edit, chunk int, fn func([]edit) error) error {
	m, err := r.Merge(last)
	if err != nil {
		return err
	}
	out := make([]edit, 0, min(chunk, r.Items+len(last)))
	for {
		e, ok, err := m.Next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if n := len(out); n > 0 && r.compare(out[n-1], e) == 0 {
			out[n-1] = e
			continue
		}
		if len(out) >= chunk {
			if err := fn(out); err != nil {
				return err
			}
			out = append(out[:0], e)
			continue
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		return nil
	}
	return fn(out)
}

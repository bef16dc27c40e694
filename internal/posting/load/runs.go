// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/extsort"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// runs are sorted runs of edits in temporary files, to be merged into one ascending sequence.
type runs struct {
	extsort.Runs[model.Edit]
	single bool // the edits are assignments: row is the record, record its word, and the last of a row counts
}

// newRuns returns runs whose files may take so much memory when they are merged, about.
func newRuns(memory int64, single bool) runs {
	r := runs{single: single}
	r.Buffer = memory
	r.Codec = extsort.Codec[model.Edit]{Compare: func(a, b *model.Edit) int {
		return compareRuns(*a, *b, single)
	}, Append: appendRunEdit, Read: readRunEdit, Most: runEdit}
	return r
}

// runEdit is the length of an edit in a file: field, row, record, and 1 for set.
const runEdit = 4 + 8 + 8 + 1

func appendRunEdit(dst []byte, _, e *model.Edit) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, e.Field)
	dst = binary.LittleEndian.AppendUint64(dst, e.Row)
	dst = binary.LittleEndian.AppendUint64(dst, e.Record)
	if e.Set {
		return append(dst, 1)
	}
	return append(dst, 0)
}

func readRunEdit(b []byte, _ *model.Edit) (e model.Edit, n int) {
	if len(b) < runEdit {
		return e, 0
	}
	return model.Edit{Field: binary.LittleEndian.Uint32(b), Set: b[20] != 0, Row: binary.LittleEndian.Uint64(b[4:]),
		Record: binary.LittleEndian.Uint64(b[12:])}, runEdit
}

// runBuffer is the memory of a run of pairs while it is written. It bounds that memory while the
// run is merged. leastBuffer is the least that merging takes.
const (
	runBuffer   = 256 << 10
	leastBuffer = 4 << 10
)

// compare orders edits in a run; 0: one takes the place of the other.
func (r *runs) compare(a, b model.Edit) int {
	return compareRuns(a, b, r.single)
}

func compareRuns(a, b model.Edit, single bool) int {
	if single {
		a.Record, b.Record = 0, 0
	}
	return model.CompareEdits(a, b)
}

// merge calls fn with all edits of the files and of last, the newest run, in memory. They ascend,
// each once, about chunk at a time. The slice is fn's until it returns.
func (r *runs) merge(last []model.Edit, chunk int, fn func([]model.Edit) error) error {
	m, err := r.Merge(last)
	if err != nil {
		return err
	}
	out := make([]model.Edit, 0, min(chunk, r.Items+len(last)))
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

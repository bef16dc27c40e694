// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// column checks that each record of a page is in the lists of the rows that it has there.
func (v *verifier) column(r *format.Ref, p *format.Page) (values uint64, err error) {
	field := r.Field - 3
	var rows []uint64
	for i := range uint64(p.Count) {
		if err := v.ctx.Err(); err != nil {
			return values, err
		}
		record, ok := r.First+i, false
		if rows, ok = p.AppendRows(rows[:0], i); !ok {
			return values, model.Corrupt(r.String(), "record %d: got rows that do not ascend or have no end", record)
		}
		values += uint64(len(rows))
		for _, row := range rows {
			in, err := v.onPages(field, row, record)
			if err == nil && !in {
				err = model.Corrupt(r.String(), "record %d: got row %d, which has not the record", record, row)
			}
			if err == nil && r.Piece > 0 && row>>16 < r.PieceKey() {
				err = model.Corrupt(r.String(), "record %d: got row %d before its piece", record, row)
			}
			if err != nil {
				return values, err
			}
		}
	}
	return values, nil
}

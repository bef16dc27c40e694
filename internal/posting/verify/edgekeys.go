// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package verify

import (
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// edgeKeys checks that the keys of a page are those of edges that there are.
func (v *verifier) edgeKeys(r *format.Ref, p *format.Page) (values uint64, err error) {
	var keys []model.EdgeKey
	for i := range uint64(p.Count) {
		if err := v.ctx.Err(); err != nil {
			return values, err
		}
		record, body, ok := r.First+i, p.EdgeKeyBody(i), false
		if len(body) == 0 {
			continue
		}
		if keys, ok = format.AppendEdgeKeys(keys[:0], body); !ok {
			return values, model.Corrupt(r.String(), "record %d: got keys that do not ascend or have no end", record)
		}
		values += uint64(len(keys))
		for _, k := range keys {
			in, err := v.onPages(r.Field-3, record, k.Target)
			if err == nil && !in {
				err = model.Corrupt(r.String(), "record %d: got a key of an edge to %d, which is not there", record,
					k.Target)
			}
			if err != nil {
				return values, err
			}
		}
	}
	return values, nil
}

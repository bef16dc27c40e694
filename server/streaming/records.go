// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package streaming

import (
	"math"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/export"
)

// AtMost returns a limit as a number of entries: 0 is all.
func AtMost(limit int) int {
	if limit == 0 {
		return math.MaxInt
	}
	return limit
}

// The columns of records.
var (
	idColumn  = export.Column{Name: "id", Kind: export.Unsigned}
	keyColumn = export.Column{Name: "key"}
)

// identity and named are records on lines of JSON.
type (
	identity struct {
		ID uint64 `json:"id"`
	}
	named struct {
		Key string `json:"key"`
	}
)

// Records lists records in the order of their IDs, from a place on: by api.AnswerIDs,
// api.AnswerRecords (both ID and key), or else by their keys.
func Records(of *uproar.Selection, answer api.Answer, p uproar.Page) List {
	columns := []export.Column{keyColumn}
	switch answer {
	case api.AnswerIDs:
		columns[0] = idColumn
	case api.AnswerRecords:
		columns = []export.Column{idColumn, keyColumn}
	}
	left := AtMost(p.Limit)
	next := func(out *Out) (more bool, err error) {
		p.Limit = min(left, AtOnce)
		page, err := of.IDs(p)
		if err != nil {
			return false, err
		}
		p.From = page.Next
		left -= len(page.IDs)
		return page.More && left > 0, out.records(of, answer, page.IDs)
	}
	return List{Columns: columns, Next: next}
}

// Keys lists the keys of records, in the order of the IDs that are given.
func Keys(of *uproar.Selection, ids []uint64) List {
	next := func(out *Out) (more bool, err error) {
		some := ids[:min(len(ids), AtOnce)]
		ids = ids[len(some):]
		return len(ids) > 0, out.records(of, api.AnswerKeys, some)
	}
	return List{Columns: []export.Column{keyColumn}, Next: next}
}

// records writes some records.
func (o *Out) records(of *uproar.Selection, answer api.Answer, ids []uint64) (err error) {
	if answer == api.AnswerIDs {
		for i := 0; i < len(ids) && err == nil; i++ {
			err = o.Entry(identity{ids[i]}, export.Cell{Integer: int64(ids[i])})
		}
		return err
	}
	keys, err := of.Keys(ids)
	for i := 0; i < len(keys) && err == nil; i++ {
		if answer == api.AnswerRecords {
			err = o.Entry(api.Identified{ID: ids[i], Key: keys[i]}, export.Cell{Integer: int64(ids[i])},
				export.Cell{Text: keys[i]})
			continue
		}
		err = o.Entry(named{keys[i]}, export.Cell{Text: keys[i]})
	}
	return err
}

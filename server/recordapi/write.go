// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/internal/dependents"
	"github.com/uproar-db/uproar/server/call"
)

func decodeWrite(c call.Request) (api.RecordsWriteRequest, error) {
	req, err := call.DecodeBody[api.RecordsWriteRequest](c)
	records := len(req.Puts) + len(req.Merges) + len(req.Clears) + len(req.Deletes) + len(req.Rows)
	switch {
	case err != nil:
	case req.Index == "":
		err = call.Invalid("\"index\" is missing or empty")
	case records == 0:
		err = call.Invalid("got nothing to write, want \"puts\", \"merges\", \"clears\", \"deletes\" or \"rows\"")
	case records > api.MaxRecords:
		err = call.Invalid("got %d records and rows, want at most %d", records, api.MaxRecords)
	case len(req.If) > api.MaxConditions:
		err = call.Invalid("\"if\": got %d conditions, want at most %d", len(req.If), api.MaxConditions)
	}
	return req, err
}

// write writes records in one commit. Conditions, and what puts and merges replace, are looked up
// in the very state that the commit applies to (uproar.Index.Update): no other write comes between.
//
// The commit has what changes, and nothing else: a value that a record has already is not set
// again, and only values that it has are cleared. So followers of the changes learn exactly what
// happened. For that the values of a record in set fields and relations are read: a probe of the
// column of a set field, or the list of a relation. A set field without a column is walked over,
// once for all records of the call; merges that do not name it are spared that. Single and integer
// fields are not read at all: the commit itself compares them.
//
// A put leaves the inverses of relations alone unless it names them: they are the values of other
// records.
func (h *Handlers) write(ctx context.Context, req api.RecordsWriteRequest) (call.Reply, error) {
	ix, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	if err := dependents.CheckWrite(ix); err != nil {
		return nil, err
	}
	w := newItems(ix, req.If)
	if w.gather(&req); w.wrong > 0 {
		return nil, w.err()
	}
	sequence, err := ix.Update(ctx, func(s uproar.Snapshot, b *uproar.Batch) error {
		for i := range w.ifs {
			if err := w.holds(ctx, s, item{"if", i}, &w.ifs[i]); err != nil {
				return err
			}
		}
		if err := w.plan(ctx, s, b); err != nil {
			return err
		}
		for _, r := range req.Rows {
			b.DeleteRow(r.Field, r.Value)
		}
		return nil
	})
	return api.RecordsWriteReply{Sequence: sequence}, err
}

// holds fails unless a condition holds in a snapshot.
func (w *items) holds(ctx context.Context, s uproar.Snapshot, of item, r *api.Requirement) error {
	failed := func(format string, args ...any) error {
		return &api.Error{Code: api.CodeConditionFailed, Message: fmt.Sprintf(
			"%s: record %s %s; nothing was written", of, call.Quote(r.Key), fmt.Sprintf(format, args...))}
	}
	id, err := s.ID(r.Key)
	exists := err == nil
	if err != nil && !errors.Is(err, uproar.ErrUnknownRecord) {
		return err
	}
	if r.Exists != nil {
		switch {
		case *r.Exists && !exists:
			return failed("does not exist")
		case !*r.Exists && exists:
			return failed("exists")
		}
		return nil
	}
	values, err := w.read(&w.columns[w.places[r.Field]], r.Value)
	if err != nil {
		return err
	}
	if len(values.texts) == 0 {
		some := false
		if exists {
			err = eachValue(ctx, s, r.Field, []uint64{id}, func(int, string) error { some = true; return nil })
		}
		if some && err == nil {
			err = failed("has a value in field %s", call.Quote(r.Field))
		}
		return err
	}
	has := false
	if exists {
		has, err = s.Has(r.Field, r.Key, values.texts[0])
		if errors.Is(err, uproar.ErrUnknownRecord) { // the value of a relation
			err = nil
		}
	}
	if err == nil && !has {
		err = failed("has not the value %s in field %s", call.Quote(values.texts[0]), call.Quote(r.Field))
	}
	return err
}

// plan writes what is wanted of the records, as far as they differ from a snapshot, into a batch.
// What is cleared comes first: of two records of a call that say otherwise of one relation, the one
// counts that has it.
func (w *items) plan(ctx context.Context, s uproar.Snapshot, b *uproar.Batch) error {
	ids, keys := make(map[*want]uint64, len(w.order)), make([]string, len(w.order))
	for i, x := range w.order {
		keys[i] = x.key
	}
	for i := range w.ifs {
		keys = append(keys, w.ifs[i].Key)
	}
	read, absent := make([]uint64, 0, len(keys)), make([]string, 0, len(keys))
	there := 0 // of keys, those before were told of or are absent
	if err := s.LookUp(ctx, keys, func(i int, id uint64) {
		absent = append(absent, keys[there:i]...)
		if read, there = append(read, id), i+1; i < len(w.order) {
			ids[w.order[i]] = id
		}
	}); err != nil {
		return err
	}
	slices.Sort(read)
	b.Reads(read, append(absent, keys[there:]...))
	var sets uproar.Batch
	for i := range w.columns {
		if err := w.planField(ctx, s, i, ids, b, &sets); err != nil {
			return err
		}
	}
	b.Append(&sets)
	for _, x := range w.order {
		_, known := ids[x]
		switch {
		case x.deleted:
			b.DeleteRecord(x.key)
		case x.exists && !known:
			b.AddRecord(x.key)
		}
	}
	return nil
}

// planField plans the writes to one field.
func (w *items) planField(ctx context.Context, s uproar.Snapshot, at int, ids map[*want]uint64,
	clears, sets *uproar.Batch) error {
	c := &w.columns[at]
	var of []*want // records that exist, whose values are to be compared
	var records []uint64
	for _, x := range w.order {
		to := &x.fields[at]
		id, known := ids[x]
		switch {
		case x.deleted || !to.named && (!x.whole || c.derived) || !known && !x.exists:
		case c.many && known:
			of, records = append(of, x), append(records, id)
		case len(to.texts) == 0 && known:
			clears.Unset(c.Name, x.key)
		case len(to.texts) > 0 && c.Type == uproar.Integer:
			sets.SetInt(c.Name, x.key, to.integer)
		default:
			for _, value := range to.texts {
				sets.Set(c.Name, x.key, value)
			}
		}
	}
	if len(of) == 0 {
		return nil
	}
	has := make([]map[string]bool, len(of))
	if err := eachValue(ctx, s, c.Name, records, func(i int, value string) error {
		if has[i] == nil {
			has[i] = make(map[string]bool)
		}
		if has[i][value] = true; !slices.Contains(of[i].fields[at].texts, value) {
			clears.Clear(c.Name, of[i].key, value)
		}
		return nil
	}); err != nil {
		return err
	}
	for i, x := range of {
		for _, value := range x.fields[at].texts {
			if !has[i][value] {
				sets.Set(c.Name, x.key, value)
			}
		}
	}
	return nil
}

// eachValue tells the values of records in a field.
func eachValue(ctx context.Context, s uproar.Snapshot, field string, records []uint64,
	tell func(i int, value string) error) error {
	values, err := s.Values(ctx, field)
	if err != nil {
		return err
	}
	return values.Texts(records, tell)
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	keys := make([]string, len(w.order), len(w.order)+len(w.ifs))
	for i, x := range w.order {
		keys[i] = x.key
	}
	for i := range w.ifs {
		keys = append(keys, w.ifs[i].Key)
	}
	read, unknown := make([]uint64, 0, len(keys)), make([]string, 0, len(keys))
	known := make([]int, 0, len(w.order)) // which records exist: those of the first IDs of read
	there := 0                            // keys before it were told of, or are unknown
	if err := s.LookUp(ctx, keys, func(i int, id uint64) {
		unknown = append(unknown, keys[there:i]...)
		if read, there = append(read, id), i+1; i < len(w.order) {
			known = append(known, i)
		}
	}); err != nil {
		return err
	}
	had, err := w.had(ctx, s, known, read[:len(known)])
	if err != nil {
		return err
	}
	b.Reads(slices.Sorted(slices.Values(read)), append(unknown, keys[there:]...))
	var sets, rest uproar.Batch
	for i, x := range w.order {
		exists := len(known) > 0 && known[0] == i
		if exists {
			known = known[1:]
		}
		switch {
		case x.deleted:
			if err := w.checkDelete(x, i, had); err != nil {
				return err
			}
			rest.DeleteRecord(x.key)
		case exists || x.exists:
			if err := w.planRecord(x, i, exists, had, b, &sets); err != nil {
				return err
			}
			if !exists {
				rest.AddRecord(x.key)
			}
		}
	}
	b.Append(&sets)
	b.Append(&rest)
	return nil
}

// had returns what records that exist have in the fields with many values, and in those that are
// guarded, that are to change, by the places of the column and of the record.
func (w *items) had(ctx context.Context, s uproar.Snapshot, known []int, ids []uint64) ([]map[int][]string, error) {
	had := make([]map[int][]string, len(w.columns))
	for at := range w.columns {
		c := &w.columns[at]
		if !c.many && c.guarded == nil {
			continue
		}
		var places []int
		var records []uint64
		for k, i := range known {
			if x := w.order[i]; x.deleted && !c.many || !x.deleted && x.changes(c, at) {
				places, records = append(places, i), append(records, ids[k])
			}
		}
		if len(records) == 0 {
			continue
		}
		had[at] = make(map[int][]string, len(records))
		if err := eachValue(ctx, s, c.Name, records, func(k int, value string) error {
			had[at][places[k]] = append(had[at][places[k]], value)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return had, nil
}

// refused returns the error of a change of a guarded field.
func (x *want) refused(c *column) error {
	return call.Invalid("record %s: %s", call.Quote(x.key), strings.TrimPrefix(call.Public(c.guarded), "invalid: "))
}

// checkDelete fails for the deletion of a record that has the only value of a guarded field, such
// as the position of a stream.
func (w *items) checkDelete(x *want, i int, had []map[int][]string) error {
	for at := range w.columns {
		if c := &w.columns[at]; c.guarded != nil && !c.many && len(had[at][i]) > 0 {
			return x.refused(c)
		}
	}
	return nil
}

// changes reports whether a field of the record is to have what fields says.
func (x *want) changes(c *column, at int) bool { return x.fields[at].named || x.whole && !c.derived }

// planRecord plans the writes to a record that stays, by its place. It fails for a change of what
// only an application changes.
func (w *items) planRecord(x *want, i int, exists bool, had []map[int][]string, clears, sets *uproar.Batch) error {
	for at := range w.columns {
		c, to := &w.columns[at], &x.fields[at]
		switch {
		case !x.changes(c, at):
		case c.many || c.guarded != nil:
			var has []string
			if exists {
				has = had[at][i]
			}
			wanted := to.texts
			if c.Type == uproar.Integer && len(wanted) > 0 {
				wanted = []string{string(c.AppendText(nil, to.integer))}
			}
			gone, come := without(has, wanted), without(wanted, has)
			if c.guarded != nil && len(gone)+len(come) > 0 {
				return x.refused(c)
			}
			for _, value := range gone {
				w.clear(clears, c, x.key, value)
			}
			for _, value := range come {
				sets.Set(c.Name, x.key, value)
			}
		case len(to.texts) == 0 && exists:
			clears.Unset(c.Name, x.key)
		case len(to.texts) > 0 && c.Type == uproar.Integer:
			sets.SetInt(c.Name, x.key, to.integer)
		default:
			for _, value := range to.texts {
				sets.Set(c.Name, x.key, value)
			}
		}
	}
	return nil
}

// clear plans that a record loses a value; an edge goes with its keys.
func (w *items) clear(b *uproar.Batch, c *column, record, value string) {
	switch {
	case c.Column != uproar.KeyColumn:
		b.Clear(c.Name, record, value)
	case c.derived:
		b.ClearEdge(c.Inverse, value, record)
	default:
		b.ClearEdge(c.Name, record, value)
	}
}

// without returns the texts of a list that are not in another one.
func without(list, other []string) (rest []string) {
	known := func(text string) bool { return slices.Contains(other, text) }
	if len(list) > comparedTexts && len(other) > comparedTexts {
		of := make(map[string]bool, len(other))
		for _, text := range other {
			of[text] = true
		}
		known = func(text string) bool { return of[text] }
	}
	for _, text := range list {
		if !known(text) {
			rest = append(rest, text)
		}
	}
	return rest
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

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package constellation

import (
	"strconv"

	"github.com/uproar-db/uproar/api"
)

// record names a record of the network.
type record struct{ did, collection, key string }

func (r record) appendJSON(dst []byte) []byte {
	dst = api.AppendString(append(dst, `{"did":`...), r.did)
	dst = api.AppendString(append(dst, `,"collection":`...), r.collection)
	return append(api.AppendString(append(dst, `,"rkey":`...), r.key), '}')
}

// appendCursor appends the cursor of a reply, which is always there, and the reply's end.
func appendCursor(dst []byte, cursor string) []byte {
	dst = append(dst, `,"cursor":`...)
	if cursor == "" {
		return append(dst, "null}"...)
	}
	return append(api.AppendString(dst, cursor), '}')
}

// appendList appends a list of anything.
func appendList[T any](dst []byte, list []T, one func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, x := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, x)
	}
	return append(dst, ']')
}

// recordsReply is a page of records. Its list has two names.
type recordsReply struct {
	total   uint64
	name    string
	records []record
	cursor  string
}

func (r *recordsReply) AppendJSON(dst []byte) []byte {
	dst = appendTotal(dst, r.total)
	dst = append(append(append(dst, `,"`...), r.name...), `":`...)
	return appendCursor(appendList(dst, r.records, func(dst []byte, r record) []byte { return r.appendJSON(dst) }),
		r.cursor)
}

// didsReply is a page of accounts.
type didsReply struct {
	total  uint64
	dids   []string
	cursor string
}

func (r *didsReply) AppendJSON(dst []byte) []byte {
	dst = append(appendTotal(dst, r.total), `,"linking_dids":`...)
	return appendCursor(appendList(dst, r.dids, api.AppendString), r.cursor)
}

// total is the answer to how many there are.
type total uint64

func (n total) AppendJSON(dst []byte) []byte { return append(appendTotal(dst, uint64(n)), '}') }

func appendTotal(dst []byte, n uint64) []byte {
	return strconv.AppendUint(append(dst, `{"total":`...), n, 10)
}

// item is a record that links to two subjects.
type item struct {
	record record
	other  string
}

// itemsReply is a page of such records.
type itemsReply struct {
	items  []item
	cursor string
}

func (r *itemsReply) AppendJSON(dst []byte) []byte {
	dst = appendList(append(dst, `{"items":`...), r.items, func(dst []byte, i item) []byte {
		dst = i.record.appendJSON(append(dst, `{"linkRecord":`...))
		return append(api.AppendString(append(dst, `,"otherSubject":`...), i.other), '}')
	})
	return appendCursor(dst, r.cursor)
}

// count says how many records link to another subject, too.
type count struct {
	subject         string
	total, distinct uint64
}

// countsReply is a page of other subjects.
type countsReply struct {
	counts []count
	cursor string
}

func (r *countsReply) AppendJSON(dst []byte) []byte {
	dst = appendList(append(dst, `{"counts_by_other_subject":`...), r.counts, func(dst []byte, c count) []byte {
		dst = api.AppendString(append(dst, `{"subject":`...), c.subject)
		dst = strconv.AppendUint(append(dst, `,"total":`...), c.total, 10)
		return append(strconv.AppendUint(append(dst, `,"distinct":`...), c.distinct, 10), '}')
	})
	return appendCursor(dst, r.cursor)
}

// allReply says from where a subject is linked to. Sources of one collection stand together.
type allReply struct {
	of     []source
	counts []count
	brief  bool // records alone are counted
}

func (r *allReply) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"links":{`...)
	for i, s := range r.of {
		switch {
		case i == 0:
			dst = append(api.AppendString(dst, s.collection), ":{"...)
		case r.of[i-1].collection == s.collection:
			dst = append(dst, ',')
		default:
			dst = append(api.AppendString(append(dst, "},"...), s.collection), ":{"...)
		}
		dst = append(api.AppendString(dst, s.path), ':')
		if r.brief {
			dst = strconv.AppendUint(dst, r.counts[i].total, 10)
			continue
		}
		dst = strconv.AppendUint(append(dst, `{"records":`...), r.counts[i].total, 10)
		dst = append(strconv.AppendUint(append(dst, `,"distinct_dids":`...), r.counts[i].distinct, 10), '}')
	}
	if len(r.of) > 0 {
		dst = append(dst, '}')
	}
	return append(dst, "}}"...)
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package recordapi

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/streaming"
)

// findRequest is a request, and how it is to be answered.
type findRequest struct {
	api.RecordsFindRequest
	form streaming.Form
	by   []uproar.Order
}

func decodeFind(c call.Request) (req findRequest, err error) {
	req.RecordsFindRequest, err = call.DecodeBody[api.RecordsFindRequest](c)
	if err == nil {
		err = call.CheckAsked(req.Index, req.Query != nil)
	}
	if err == nil {
		req.form, err = streaming.Accepted(&c)
	}
	switch {
	case err != nil:
		return req, err
	case req.Limit < 0 && !req.form.IsJSON():
		return req, call.Invalid("\"limit\" is %d, want 1 or more, or 0 for all", req.Limit)
	case req.Limit < 0 || req.Limit > api.MaxLimit && req.form.IsJSON():
		return req, call.Invalid("\"limit\" is %d, want 1 to %d", req.Limit, api.MaxLimit)
	case len(req.Sort) > api.MaxSorts:
		return req, call.Invalid("\"sort\": got %d fields, want at most %d", len(req.Sort), api.MaxSorts)
	case req.Limit == 0 && req.form.IsJSON():
		req.Limit = api.DefaultLimit
	}
	for _, name := range req.Sort {
		of, descending := strings.CutPrefix(name, "-")
		if of == "" {
			return req, call.Invalid("\"sort\": got %s, want a field or \"key\", with \"-\" before it if descending",
				call.Quote(name))
		}
		if of == "key" {
			of = ""
		}
		if slices.ContainsFunc(req.by, func(o uproar.Order) bool { return o.Field == of }) {
			return req, call.Invalid("\"sort\": got %s, which is there already, want each field once", call.Quote(name))
		}
		req.by = append(req.by, uproar.Order{Field: of, Descending: descending})
	}
	return req, nil
}

func (h *Handlers) find(ctx context.Context, req findRequest) (call.Reply, error) {
	expr, err := call.ParseAsked(ctx, h.db, req.Index, req.Query)
	if err != nil {
		return nil, err
	}
	question := req.Index + "\n" + strings.Join(req.Sort, " ") + "\n" + expr.String()
	var after *uproar.Place
	if req.Cursor != "" {
		if after, err = decodePlace(req.Cursor, question, len(req.by)); err != nil {
			return nil, err
		}
	}
	ix, err := h.db.Index(req.Index)
	if err != nil {
		return nil, err
	}
	columns, err := shown(ix, req.Fields)
	if err != nil {
		return nil, err
	}
	if !req.form.IsJSON() {
		return h.streams.Send(ctx, ix, expr, req.form, func(ctx context.Context, s uproar.Snapshot,
			of *uproar.Selection) (streaming.List, error) {
			return req.list(ctx, s, of, columns, after)
		})
	}
	s := ix.Snapshot().Under(ctx)
	defer s.Close()
	return findPage(ctx, s, expr, columns, &req, after, question)
}

// findPage answers a page of records, in JSON.
func findPage(ctx context.Context, s uproar.Snapshot, expr query.Expr, columns []column, req *findRequest,
	after *uproar.Place, question string) (call.Reply, error) {
	of, err := s.Select(ctx, expr)
	if err != nil {
		return nil, err
	}
	if err := uproar.Grow(ctx, call.EntriesBytes(req.Limit)); err != nil {
		return nil, err
	}
	places, err := of.Sorted(ctx, req.by, after, req.Limit+1)
	if err != nil {
		return nil, err
	}
	reply := new(page)
	if len(places) > req.Limit {
		places = places[:req.Limit]
		reply.cursor = encodePlace(&places[req.Limit-1], question)
	}
	ids := make([]uint64, len(places))
	for i, p := range places {
		ids[i] = p.Record
	}
	if reply.values, err = newValues(ctx, s, columns); err != nil {
		return nil, err
	}
	reply.keys, err = reply.records(ids)
	return reply, err
}

// page is an api.RecordsFindReply.
type page struct {
	*values
	keys   []string
	cursor string // "": there is no more
}

// AppendJSON appends the reply.
func (p *page) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"records":[`...)
	for i, key := range p.keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.append(dst, key, i)
	}
	if dst = append(dst, ']'); p.cursor != "" {
		dst = api.AppendString(append(dst, `,"cursor":`...), p.cursor)
	}
	return append(dst, '}')
}

// records reads records, for append, and returns their keys.
func (v *values) records(ids []uint64) ([]string, error) {
	keys, err := v.s.KeysOf(ids)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		v.bytes += len(key)
	}
	return keys, v.read(ids)
}

// A cursor is where the page before ended, in base64 for URLs:
//
//	version   1 byte   cursorVersion
//	question  4 bytes  FNV-1a of index, order and query, little-endian
//	place              the last record, in JSON
//	check     2 bytes  low half of the CRC-32C of what stands before, little-endian
//
// As it has what the record was sorted by, the next page goes on from there, even if the record has
// changed or is gone.
const cursorVersion = 4

// placed and placedBy are an uproar.Place as cursors have it: texts may be any bytes, which those
// of JSON may not.
type placed struct {
	By     []placedBy `json:"by"`
	Record uint64     `json:"record"`
}

type placedBy struct {
	None bool   `json:"none,omitempty"`
	Int  int64  `json:"int,omitempty"`
	Text []byte `json:"text,omitempty"`
}

const cursorHead = 1 + 4

var (
	cursorText  = base64.RawURLEncoding.Strict()
	cursorTable = crc32.MakeTable(crc32.Castagnoli)
)

func hashOf(question string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(question))
	return h.Sum32()
}

// encodePlace returns the cursor of the page behind a place.
func encodePlace(p *uproar.Place, question string) string {
	b := binary.LittleEndian.AppendUint32([]byte{cursorVersion}, hashOf(question))
	last := placed{Record: p.Record}
	for _, v := range p.By {
		last.By = append(last.By, placedBy{v.None, v.Int, []byte(v.Text)})
	}
	text, _ := json.Marshal(last) // of bytes and numbers it never fails
	b = append(b, text...)
	b = binary.LittleEndian.AppendUint16(b, uint16(crc32.Checksum(b, cursorTable)))
	return cursorText.EncodeToString(b)
}

// decodePlace reads a cursor of a question that is sorted by some fields.
func decodePlace(cursor, question string, by int) (*uproar.Place, error) {
	b, err := cursorText.DecodeString(cursor)
	if err != nil || len(b) < cursorHead+2 || b[0] != cursorVersion {
		return nil, call.BadCursor(cursor)
	}
	body, check := b[:len(b)-2], binary.LittleEndian.Uint16(b[len(b)-2:])
	if check != uint16(crc32.Checksum(body, cursorTable)) {
		return nil, call.BadCursor(cursor)
	}
	if binary.LittleEndian.Uint32(body[1:]) != hashOf(question) {
		return nil, &api.Error{Code: api.CodeInvalidCursor, Message: "cursor " + call.Quote(cursor) +
			" is one of another question: want that of an earlier reply to this one"}
	}
	var last placed
	d := json.NewDecoder(bytes.NewReader(body[cursorHead:]))
	if err := d.Decode(&last); err != nil || len(last.By) != by {
		return nil, call.BadCursor(cursor)
	}
	p := &uproar.Place{Record: last.Record}
	p.By = slices.Grow(p.By, by)[:by]
	for i, v := range last.By {
		p.By[i].None, p.By[i].Int, p.By[i].Text = v.None, v.Int, string(v.Text)
	}
	return p, nil
}

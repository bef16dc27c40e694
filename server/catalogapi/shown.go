// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"context"
	"slices"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

// shown is the part of records that an answer shows: their keys, and the values of some attributes.
// Not for concurrent use.
type shown struct {
	names []string // ascending
	at    []int    // their positions
	whole bool     // one of them is a rule, so that the record has to be read
	text  []byte   // memory of a key or value
}

// showing finds attributes. Errors: catalog.ErrUnknownAttribute.
func showing(s catalog.Snapshot, names []string) (shown, error) {
	w := shown{names: slices.Compact(slices.Sorted(slices.Values(names)))}
	for _, name := range w.names {
		at := s.Attribute(name)
		if at < 0 {
			return w, s.Schema().Unknown(name)
		}
		w.at, w.whole = append(w.at, at), w.whole || s.Schema().Attributes[at].Rule
	}
	return w, nil
}

// recordsPerLook is how many records are shown between two checks of the context.
const recordsPerLook = 256

// appendRecords appends an array of records, as api.CatalogRecord has them. Errors: those of
// reading, ctx's, or that the answer is too large.
func (w *shown) appendRecords(ctx context.Context, dst []byte, s catalog.Snapshot, ids []uint64) (out []byte,
	err error) {
	start := len(dst)
	dst = append(dst, '[')
	for i, id := range ids {
		if i%recordsPerLook == 0 {
			left := call.EntriesBytes((len(ids) - i) * (1 + len(w.names)))
			if err := uproar.Grow(ctx, len(dst)-start+left); err != nil {
				return dst, err
			}
			if err := ctx.Err(); err != nil {
				return dst, err
			}
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		if w.text, err = s.AppendKey(w.text[:0], id); err != nil {
			return dst, err
		}
		dst = appendText(append(dst, `{"key":`...), w.text)
		if dst, err = w.appendValues(dst, s, id); err != nil {
			return dst, err
		}
		dst = append(dst, '}')
	}
	return append(dst, ']'), nil
}

// appendValues appends the member with what a record has of the attributes, if it has something.
func (w *shown) appendValues(dst []byte, s catalog.Snapshot, id uint64) (out []byte, err error) {
	var record catalog.Record
	if w.whole {
		if record, err = s.Record(id); err != nil {
			return dst, err
		}
	}
	start := len(dst)
	for i, name := range w.names {
		if w.text = w.text[:0]; !w.whole {
			w.text, err = s.AppendValue(w.text, id, w.at[i])
		} else if at := slices.IndexFunc(record.Conditions, func(c catalog.Condition) bool {
			return c.Attribute == name
		}); at >= 0 {
			w.text = append(w.text, record.Conditions[at].String()...)
		}
		switch {
		case err != nil:
			return dst, err
		case len(w.text) == 0:
			continue
		case len(dst) == start:
			dst = append(dst, `,"values":{`...)
		default:
			dst = append(dst, ',')
		}
		dst = appendText(append(api.AppendString(dst, name), ':'), w.text)
	}
	if len(dst) > start {
		dst = append(dst, '}')
	}
	return dst, nil
}

// appendText appends a key or value as a JSON string.
func appendText(dst, text []byte) []byte {
	return append(api.AppendEscaped(append(dst, '"'), text), '"')
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package salvage

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/seal"
)

// oneBit is the width of words of one bit (docs/format/page.md, kind 3).
const oneBit = 0x81

// standIn returns a page of a field without content, for one that cannot be read.
func standIn(key []byte, r *format.Ref, f model.Field) []byte {
	b := []byte{format.MagicPage, format.FormatVersion, format.KindOf(r.Field), 2, 0, 0, 0, 0}
	b = binary.LittleEndian.AppendUint32(b, r.Rows)
	switch {
	case b[2] != format.Values: // slots that end at 0
		b = append(b, make([]byte, 2*int(r.Rows))...)
	case f.Column == model.KeyColumn:
		b = format.AppendEdgeKeyPage(make([]uint32, r.Rows), nil)
	case f.Kind == model.Lists:
		b = append(append(b, 1, 0, 0, 0), make([]byte, 2*int(r.Rows))...)
	default:
		b[1], b[3] = format.PageVersion, 0
		words := format.ValueSize(int(r.Rows), oneBit) - format.ValueHeaderLen
		b = append(append(b, oneBit, 0, 0, 0), make([]byte, words)...)
	}
	seal.Write(key, b)
	return b
}

// check reports what is wrong with the bytes of a page. Cost: a pass over them.
func check(key, value []byte, r *format.Ref, f model.Field) error {
	p, err := format.OpenPage(r, key, value)
	if err != nil {
		return err
	}
	switch {
	case p.Kind != format.KindOf(r.Field) || p.Rows() != int(r.Rows):
		return model.Corrupt(r.String(), "got kind %d and %d rows, want %d and %d", p.Kind, p.Rows(),
			format.KindOf(r.Field), r.Rows)
	case p.Kind == format.Values && ((p.Width == 0) != (f.Kind != model.Lists) ||
		p.HasKeys() != (f.Column == model.KeyColumn)):
		return model.Corrupt(r.String(), "got values of slot width %d, which the field does not have", p.Width)
	case p.Kind == format.Postings:
		return p.All(func(offset uint64, _ []byte) error {
			list, err := p.View(r, r.First+offset)
			if err == nil {
				err = list.Validate()
			}
			return err
		})
	case p.Kind == format.Keys:
		return p.All(func(offset uint64, code []byte) error {
			if _, ok := format.AppendKeyText(nil, code); !ok {
				return model.Corrupt(r.String(), "ID %d: got no key in codec %d", r.First+offset, code[0])
			}
			return nil
		})
	case p.HasKeys():
		for i := range uint64(p.Count) {
			if body := p.EdgeKeyBody(i); len(body) > 0 {
				if _, ok := format.AppendEdgeKeys(nil, body); !ok {
					return model.Corrupt(r.String(), "record %d: got keys that do not ascend or have no end", r.First+i)
				}
			}
		}
	case p.Kind == format.Values && p.Width > 0:
		var rows []uint64
		for i := range uint64(p.Count) {
			var ok bool
			if rows, ok = p.AppendRows(rows[:0], i); !ok {
				return model.Corrupt(r.String(), "record %d: got rows that do not ascend or have no end", r.First+i)
			}
		}
	}
	return nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Neighbouring keys are often alike: numbered, or of one kind. A near key is written as the length
// that it shares with the key before, and the rest. A run of consecutive numbers, or of IDs without
// a key, is written as a count. Log entries and key pages use this form (docs/format/log.md).
const (
	NearShared     = 14   // in the high half of a byte: more of the length that is shared follows
	NearRest       = 15   // in the low half: more of the length of the rest follows
	NearSuccessors = 0xF0 // then a count less 1 of keys, each numbered one above the key before
	NearNone       = 0xF1 // then a count less 1 of IDs without a key
)

// PrefixWriter writes near keys.
type PrefixWriter struct {
	Dst     []byte
	before  []byte
	next    []byte // the key that would follow before, if that ends with a digit; scratch
	special byte   // of what waits to be written
	count   uint64 // how many do
}

// Add writes a key.
func (w *PrefixWriter) Add(key string) {
	if len(w.before) > 0 && IsDigit(w.before[len(w.before)-1]) && len(key) > 0 && IsDigit(key[len(key)-1]) {
		if w.next = Successor(append(w.next[:0], w.before...)); string(w.next) == key {
			w.wait(NearSuccessors, 1)
			w.before, w.next = w.next, w.before
			return
		}
	}
	w.Finish()
	shared := common(w.before, key)
	rest := len(key) - shared
	w.Dst = append(w.Dst, byte(min(shared, NearShared)<<4|min(rest, NearRest)))
	if shared >= NearShared {
		w.Dst = binary.AppendUvarint(w.Dst, uint64(shared-NearShared))
	}
	if rest >= NearRest {
		w.Dst = binary.AppendUvarint(w.Dst, uint64(rest-NearRest))
	}
	w.Dst = append(w.Dst, key[shared:]...)
	w.before = append(w.before[:shared], key[shared:]...)
}

// none writes that the next ids IDs have no key.
func (w *PrefixWriter) none(ids int) {
	if ids > 0 {
		w.wait(NearNone, uint64(ids))
	}
}

// wait has what is only counted be written later.
func (w *PrefixWriter) wait(special byte, n uint64) {
	if w.special != special {
		w.Finish()
	}
	w.special, w.count = special, w.count+n
}

// Finish writes what waits.
func (w *PrefixWriter) Finish() {
	if w.count > 0 {
		w.Dst = binary.AppendUvarint(append(w.Dst, w.special), w.count-1)
	}
	w.special, w.count = 0, 0
}

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// Successor increments the number at the end of a key, in place. The key must end with a digit.
func Successor(key []byte) []byte {
	i := len(key) - 1
	for ; i >= 0 && key[i] == '9'; i-- {
		key[i] = '0'
	}
	if i >= 0 && IsDigit(key[i]) {
		key[i]++
		return key
	}
	key = append(key, '0') // all digits were nines
	key[i+1] = '1'
	return key
}

// PrefixReader reads near keys.
type PrefixReader struct {
	*Reader
	key  []byte
	Left uint64 // successors that are not read yet
}

// Read returns the next key, valid until the one after it, or how many IDs come that have none.
// Keys are at most MaxKey bytes long.
func (r *PrefixReader) Read() (key []byte, none uint64) {
	if r.Left > 0 {
		return r.successor(), 0
	}
	if !r.Ok || len(r.B) == 0 {
		r.Ok = false
		return nil, 0
	}
	header := r.B[0]
	r.B = r.B[1:]
	switch {
	case header == NearSuccessors:
		if r.Left = r.Varint(); r.Left >= model.MaxKeys || len(r.key) == 0 || !IsDigit(r.key[len(r.key)-1]) {
			r.Ok, r.Left = false, 0
			return nil, 0
		}
		r.Left++
		return r.successor(), 0
	case header == NearNone:
		if none = r.Varint(); none >= MaxRows {
			r.Ok = false
		}
		return nil, none + 1
	case header > NearNone:
		r.Ok = false
	}
	shared, rest := uint64(header>>4), uint64(header&NearRest)
	if shared == NearShared {
		shared += min(r.Varint(), MaxKey)
	}
	if rest == NearRest {
		rest += min(r.Varint(), MaxKey)
	}
	if !r.Ok || shared > uint64(len(r.key)) || rest > uint64(len(r.B)) || shared+rest > MaxKey {
		r.Ok = false
		return nil, 0
	}
	r.key = append(r.key[:shared], r.B[:rest]...)
	r.B = r.B[rest:]
	return r.key, 0
}

func (r *PrefixReader) successor() []byte {
	r.Left--
	if r.key = Successor(r.key); len(r.key) > MaxKey {
		r.Ok = false
		return nil
	}
	return r.key
}

// prefixPart is how many times smaller a page of near keys must be than one with slots: it has to
// be spelt out when it is read.
const prefixPart = 2

// PrefixPage returns an unsealed page of near keys from rows of encoded keys. It returns nil if a
// key is packed, or if the page is not much smaller than size.
func PrefixPage(rows []Row, size int) []byte {
	slots := int(rows[len(rows)-1].Offset) + 1
	w := PrefixWriter{Dst: []byte{MagicPage, PageVersion, Keys, 0, 0, 0, 0, 0}}
	w.Dst = binary.LittleEndian.AppendUint32(w.Dst, uint32(slots))
	for i, r := range rows {
		if r.Body[0] != CodecRaw {
			return nil
		}
		if i > 0 {
			w.none(int(r.Offset-rows[i-1].Offset) - 1)
		}
		if w.Add(string(r.Body[1:])); len(w.Dst)*prefixPart > size {
			return nil
		}
	}
	w.Finish()
	return w.Dst
}

// spelt converts a page of near keys into a page with slots. It is not ok if no writer makes such
// bytes.
func spelt(data []byte) (page []byte, ok bool) {
	count := int(binary.LittleEndian.Uint32(data[8:]))
	if count < 1 || count > MaxRows {
		return nil, false
	}
	r := PrefixReader{Reader: newReader(data[pageHeaderLen:])}
	var rows []Row
	var text []byte
	ends := make([]int, 0, min(count, len(data)))
	for at := 0; at < count && r.Ok; {
		key, none := r.Read()
		if none > 0 {
			at += int(none)
			continue
		}
		text = append(append(text, CodecRaw), key...)
		ends, rows = append(ends, len(text)), append(rows, Row{Offset: uint16(at), Values: 1})
		if at++; len(text) > MaxBytes/2 {
			return nil, false
		}
	}
	if !r.Ok || len(r.B) > 0 || r.Left > 0 || len(rows) == 0 || rows[0].Offset > 0 ||
		int(rows[len(rows)-1].Offset) != count-1 {
		return nil, false
	}
	start := 0
	for i, end := range ends {
		rows[i].Body, start = text[start:end], end
	}
	return appendSlots(Keys, rows), true
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// Keys that follow each other are often like each other: numbered, or of one kind. Near keys are
// written by what each adds to the one before: how many bytes it shares with it, and those that
// follow; keys that are numbered one after the other, and IDs that have no key, by how many they
// are. Log entries and pages of keys have them so (docs/format/log.md).
const (
	nearShared     = 14   // in the high half of a byte: more of the length that is shared follows
	nearRest       = 15   // in the low half: more of the length of the rest follows
	nearSuccessors = 0xF0 // so many keys follow, each with the number after that of the one before
	nearNone       = 0xF1 // so many IDs have no key
)

// prefixWriter writes near keys.
type prefixWriter struct {
	dst     []byte
	before  []byte
	next    []byte // the key that would follow before, if that ends with a digit; scratch
	special byte   // of what waits to be written
	count   uint64 // how many do
}

// add writes a key.
func (w *prefixWriter) add(key string) {
	if len(w.before) > 0 && isDigit(w.before[len(w.before)-1]) && len(key) > 0 && isDigit(key[len(key)-1]) {
		if w.next = successor(append(w.next[:0], w.before...)); string(w.next) == key {
			w.wait(nearSuccessors, 1)
			w.before, w.next = w.next, w.before
			return
		}
	}
	w.finish()
	shared := common(w.before, key)
	rest := len(key) - shared
	w.dst = append(w.dst, byte(min(shared, nearShared)<<4|min(rest, nearRest)))
	if shared >= nearShared {
		w.dst = binary.AppendUvarint(w.dst, uint64(shared-nearShared))
	}
	if rest >= nearRest {
		w.dst = binary.AppendUvarint(w.dst, uint64(rest-nearRest))
	}
	w.dst = append(w.dst, key[shared:]...)
	w.before = append(w.before[:shared], key[shared:]...)
}

// none writes that so many IDs have no key.
func (w *prefixWriter) none(ids int) {
	if ids > 0 {
		w.wait(nearNone, uint64(ids))
	}
}

// wait has what is only counted be written later.
func (w *prefixWriter) wait(special byte, n uint64) {
	if w.special != special {
		w.finish()
	}
	w.special, w.count = special, w.count+n
}

// finish writes what waits.
func (w *prefixWriter) finish() {
	if w.count > 0 {
		w.dst = binary.AppendUvarint(append(w.dst, w.special), w.count-1)
	}
	w.special, w.count = 0, 0
}

// common returns how many bytes two keys begin with alike.
func common(a []byte, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// successor returns a key that ends with a digit with the next number at its end, in the key's
// place.
func successor(key []byte) []byte {
	i := len(key) - 1
	for ; i >= 0 && key[i] == '9'; i-- {
		key[i] = '0'
	}
	if i >= 0 && isDigit(key[i]) {
		key[i]++
		return key
	}
	key = append(key, '0') // all digits were nines
	key[i+1] = '1'
	return key
}

// prefixReader reads near keys.
type prefixReader struct {
	*reader
	key  []byte
	left uint64 // successors that are not read yet
}

// read returns the next key, valid until the one after it, or how many IDs come that have none.
// Keys are at most MaxKey bytes long.
func (r *prefixReader) read() (key []byte, none uint64) {
	if r.left > 0 {
		return r.successor(), 0
	}
	if !r.ok || len(r.b) == 0 {
		r.ok = false
		return nil, 0
	}
	head := r.b[0]
	r.b = r.b[1:]
	switch {
	case head == nearSuccessors:
		if r.left = r.varint(); r.left >= model.MaxKeys || len(r.key) == 0 || !isDigit(r.key[len(r.key)-1]) {
			r.ok, r.left = false, 0
			return nil, 0
		}
		r.left++
		return r.successor(), 0
	case head == nearNone:
		if none = r.varint(); none >= maxRows {
			r.ok = false
		}
		return nil, none + 1
	case head > nearNone:
		r.ok = false
	}
	shared, rest := uint64(head>>4), uint64(head&nearRest)
	if shared == nearShared {
		shared += min(r.varint(), MaxKey)
	}
	if rest == nearRest {
		rest += min(r.varint(), MaxKey)
	}
	if !r.ok || shared > uint64(len(r.key)) || rest > uint64(len(r.b)) || shared+rest > MaxKey {
		r.ok = false
		return nil, 0
	}
	r.key = append(r.key[:shared], r.b[:rest]...)
	r.b = r.b[rest:]
	return r.key, 0
}

func (r *prefixReader) successor() []byte {
	r.left--
	if r.key = successor(r.key); len(r.key) > MaxKey {
		r.ok = false
		return nil
	}
	return r.key
}

// prefixPart is how many times smaller a page of near keys must be than one with slots: it has to
// be spelt out when it is read.
const prefixPart = 2

// prefixPage returns a page of near keys of encoded ones, not yet sealed; nil if some are packed,
// or it would not be much smaller than the given size.
func prefixPage(rows []pageRow, size int) []byte {
	slots := int(rows[len(rows)-1].offset) + 1
	w := prefixWriter{dst: []byte{magicPage, pageVersion, pageKeys, 0, 0, 0, 0, 0}}
	w.dst = binary.LittleEndian.AppendUint32(w.dst, uint32(slots))
	for i, r := range rows {
		if r.body[0] != codecRaw {
			return nil
		}
		if i > 0 {
			w.none(int(r.offset-rows[i-1].offset) - 1)
		}
		if w.add(string(r.body[1:])); len(w.dst)*prefixPart > size {
			return nil
		}
	}
	w.finish()
	return w.dst
}

// spelt returns a page with slots of one of near keys; not ok if its bytes are none that a writer
// makes.
func spelt(data []byte) (page []byte, ok bool) {
	count := int(binary.LittleEndian.Uint32(data[8:]))
	if count < 1 || count > maxRows {
		return nil, false
	}
	r := prefixReader{reader: newReader(data[pageHeadLen:])}
	var rows []pageRow
	var text []byte
	ends := make([]int, 0, min(count, len(data)))
	for at := 0; at < count && r.ok; {
		key, none := r.read()
		if none > 0 {
			at += int(none)
			continue
		}
		text = append(append(text, codecRaw), key...)
		ends, rows = append(ends, len(text)), append(rows, pageRow{offset: uint16(at), values: 1})
		if at++; len(text) > maxBytes/2 {
			return nil, false
		}
	}
	if !r.ok || len(r.b) > 0 || r.left > 0 || len(rows) == 0 || rows[0].offset > 0 ||
		int(rows[len(rows)-1].offset) != count-1 {
		return nil, false
	}
	start := 0
	for i, end := range ends {
		rows[i].body, start = text[start:end], end
	}
	return appendSlots(pageKeys, rows), true
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import "math"

// KeyReader reads the keys of many IDs: of IDs that ascend, most are on the page of the one before, and need no look-up. Not for concurrent use; the
// snapshot must stay open.
type KeyReader struct {
	snap  Snapshot
	space uint32
	refs  []ref  // the pages of the space
	guide *guide // of refs
	at    int    // which of refs page is
	page  *page  // nil: none yet
	text  []byte // of the last key
	sink  byte   // what touch has read
}

// Keys returns a reader of the keys of a key space.
func (s Snapshot) Keys(space uint32) KeyReader {
	return KeyReader{snap: s, space: space, refs: s.st.version.fields[space], guide: s.st.version.guides[space]}
}

// Append appends the key that has an ID. ok is false when none has. Errors: ErrCorrupt, ErrClosed, or the store's.
func (k *KeyReader) Append(dst []byte, id uint64) (key []byte, ok bool, err error) {
	if k.snap.ix.closed.Load() {
		return dst, false, ErrClosed
	}
	for _, d := range [...]*delta{k.snap.st.active, k.snap.st.frozen} {
		if d == nil {
			continue
		}
		if n := d.spaces[k.space]; n != nil && id >= n.first {
			if id >= n.next() {
				return dst, false, nil
			}
			return append(dst, n.keys[id-n.first]...), true, nil
		}
	}
	code, err := k.code(id)
	if err != nil {
		return dst, false, err
	}
	return k.decode(dst, code, id)
}

// Key returns the key that has an ID, valid until the reader is asked for another. ok is false when none has. Errors as of Append. A key of a page that was
// read before costs a look at its slot, and 32 bytes for a DID of the PLC method.
func (k *KeyReader) Key(id uint64) (key []byte, ok bool, err error) {
	k.text, ok, err = k.Append(k.text[:0], id)
	return k.text, ok, err
}

// keyGroup is how many keys AppendAll reads together: enough for the processor to wait for many of them at a time, few enough for its nearest cache.
const keyGroup = 64

// AppendAll calls each with the keys of IDs, in their order, and returns what dst has become: each gets what the call before returned; its key is valid until it
// returns. done is how many IDs had a key: when it is less than there are IDs and there is no error, the next one has none. It is several times faster than Key for
// IDs that lie far apart, whose keys are not in the processor's caches: it fetches those of a group together. Errors as of Append.
func (k *KeyReader) AppendAll(dst []byte, ids []uint64, each func(dst, key []byte) []byte) (out []byte, done int, err error) {
	var codes [keyGroup][]byte
	flushed := k.flushed()
	for done < len(ids) {
		if k.snap.ix.closed.Load() {
			return dst, done, ErrClosed
		}
		n := 0
		for n < keyGroup && done+n < len(ids) && ids[done+n] < flushed {
			if codes[n], err = k.code(ids[done+n]); err != nil {
				return dst, done, err
			}
			n++
		}
		k.touch(codes[:n])
		for _, code := range codes[:n] {
			var ok bool
			if k.text, ok, err = k.decode(k.text[:0], code, ids[done]); !ok || err != nil {
				return dst, done, err
			}
			dst = each(dst, k.text)
			done++
		}
		if n == 0 { // a key that is not in the pages yet
			key, ok, err := k.Key(ids[done])
			if !ok || err != nil {
				return dst, done, err
			}
			dst = each(dst, key)
			done++
		}
	}
	return dst, done, nil
}

// flushed returns the first ID that a delta may have the key of.
func (k *KeyReader) flushed() uint64 {
	first := uint64(math.MaxUint64)
	for _, d := range [...]*delta{k.snap.st.active, k.snap.st.frozen} {
		if d == nil {
			continue
		}
		if n := d.spaces[k.space]; n != nil {
			first = min(first, n.first)
		}
	}
	return first
}

// touch brings encoded keys near: none of these loads waits for another, as those of decoding do.
func (k *KeyReader) touch(codes [][]byte) {
	sum := byte(0)
	for _, code := range codes {
		if n := len(code); n > 0 {
			sum += code[0] + code[n-1]
		}
	}
	k.sink += sum // has the compiler keep the loads
}

// decode appends the text of an encoded key.
func (k *KeyReader) decode(dst, code []byte, id uint64) (key []byte, ok bool, err error) {
	if len(code) == 0 {
		return dst, false, nil
	}
	if key, ok = appendKeyText(dst, code); !ok {
		return dst, false, corrupt("keys", "ID %d: got no key in codec %d", id, code[0])
	}
	return key, true, nil
}

// code returns the encoded key of an ID as the pages have it, borrowed; empty when they have none.
func (k *KeyReader) code(id uint64) ([]byte, error) {
	if k.page == nil || id < k.refs[k.at].first || id > k.refs[k.at].last() {
		at := k.guide.find(k.refs, id)
		if at < 0 || id > k.refs[at].last() {
			return nil, nil
		}
		p, err := k.snap.ix.page(&k.refs[at])
		if err != nil {
			return nil, err
		}
		k.at, k.page = at, p
	}
	return k.page.row(id - k.refs[k.at].first), nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

// KeyReader reads the keys of many IDs: of IDs that ascend, most are on the page of the one before, and need no look-up. Not for concurrent use; the
// snapshot must stay open.
type KeyReader struct {
	snap  Snapshot
	space uint32
	ref   *ref
	page  *page
	text  []byte // of the last key
}

// Keys returns a reader of the keys of a key space.
func (s Snapshot) Keys(space uint32) KeyReader { return KeyReader{snap: s, space: space} }

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
	if err != nil || len(code) == 0 {
		return dst, false, err
	}
	key, ok = appendKeyText(dst, code)
	if !ok {
		return dst, false, corrupt(k.ref.String(), "ID %d: got no key in codec %d", id, code[0])
	}
	return key, true, nil
}

// Key returns the key that has an ID, valid until the reader is asked for another. ok is false when none has. Errors as of Append. A key of a page that was
// read before costs a look at its slot, and 32 bytes for a DID of the PLC method.
func (k *KeyReader) Key(id uint64) (key []byte, ok bool, err error) {
	k.text, ok, err = k.Append(k.text[:0], id)
	return k.text, ok, err
}

// code returns the encoded key of an ID as the pages have it, borrowed; empty when they have none.
func (k *KeyReader) code(id uint64) ([]byte, error) {
	if k.page == nil || id < k.ref.first || id > k.ref.last() {
		refs := k.snap.st.version.pages(k.space, id)
		if len(refs) == 0 {
			return nil, nil
		}
		p, err := k.snap.ix.page(&refs[0])
		if err != nil {
			return nil, err
		}
		k.ref, k.page = &refs[0], p
	}
	return k.page.row(id - k.ref.first), nil
}

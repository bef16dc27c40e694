// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"math"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/prefetch"
)

// KeyReader reads the keys of many IDs: of IDs that ascend, most are on the page of the one before,
// and need no look-up. Not for concurrent use; the snapshot must stay open.
type KeyReader struct {
	snap  Snapshot
	space uint32
	refs  []format.Ref  // the pages of the space
	index *format.Index // of refs
	at    int           // which of refs page is
	page  *format.Page  // nil: none yet
	text  []byte        // of the last key
	hits  uint64        // of the cache, not counted yet
}

// Keys returns a reader of the keys of a key space.
func (s Snapshot) Keys(space uint32) KeyReader {
	f := s.St.Version.Fields[space]
	return KeyReader{snap: s, space: space, refs: f.Refs, index: f.Index}
}

// Append appends the key that has an ID. ok is false when none has. Errors: ErrCorrupt, ErrClosed,
// or the store's.
func (k *KeyReader) Append(dst []byte, id uint64) (key []byte, ok bool, err error) {
	if k.snap.Closed() {
		return dst, false, model.ErrClosed
	}
	if id > model.MaxID {
		return dst, false, nil
	}
	for _, d := range [...]*delta.Table{k.snap.St.Active, k.snap.St.Frozen} {
		if d == nil {
			continue
		}
		if n := d.Spaces[k.space]; n != nil && id >= n.First {
			if id >= n.Next() {
				return dst, false, nil
			}
			return append(dst, n.Keys[id-n.First]...), true, nil
		}
	}
	code, err := k.Code(id)
	k.count()
	if err != nil {
		return dst, false, err
	}
	return k.decode(dst, code, id)
}

// count adds the hits of the cache to those of the index.
func (k *KeyReader) count() {
	k.snap.St.Source.hit(k.hits)
	k.hits = 0
}

// Key returns the key that has an ID, valid until the reader is asked for another. ok is false when
// none has. Errors as of Append. A key of a page that was read before costs a look at its slot, and
// 32 bytes for a DID of the PLC method.
func (k *KeyReader) Key(id uint64) (key []byte, ok bool, err error) {
	k.text, ok, err = k.Append(k.text[:0], id)
	return k.text, ok, err
}

// KeyGroup is how many keys AppendAll reads together: enough for the processor to wait for many of
// them at a time, few enough for its nearest cache.
const KeyGroup = 64

// AppendAll appends the keys of IDs, in their order, in a form. done is how many IDs had a key:
// when it is less than there are IDs and there is no error, the next one has none; dst has the keys
// of those done then. It is several times faster than Key for IDs that lie far apart, whose keys
// are not in the processor's caches: it fetches those of a group together; and it costs least for
// DIDs of the PLC method, which are written where they belong at once. Errors as of Append.
func (k *KeyReader) AppendAll(dst []byte, ids []uint64, form KeyForm) (out []byte, done int, err error) {
	var room [16]byte
	turn := form.appendTurn(room[:0])
	dst, done, err = k.appendAll(append(dst, form.Before...), ids, &form, turn)
	ahead := len(form.Before) // of a key that did not come
	if done > 0 {
		ahead += len(form.Between)
	}
	return dst[:len(dst)-ahead], done, err
}

// appendAll is AppendAll where every key has its turn after it.
func (k *KeyReader) appendAll(dst []byte, ids []uint64, form *KeyForm, turn []byte) (out []byte, done int, err error) {
	var codes [KeyGroup][]byte
	flushed := k.flushed()
	for done < len(ids) {
		if k.snap.Closed() {
			return dst, done, model.ErrClosed
		}
		n, err := k.fetch(&codes, ids[done:], flushed)
		if err != nil {
			return dst, done, err
		}
		if n == 0 { // a key that is not in the pages yet
			key, ok, err := k.Key(ids[done])
			if !ok || err != nil {
				return dst, done, err
			}
			dst = append(form.appendText(dst, key), turn...)
			done++
		}
		for group := codes[:n]; len(group) > 0; {
			dids := 0
			if dst, dids = format.AppendDIDs(dst, group, turn); dids > 0 {
				group, done = group[dids:], done+dids
				continue
			}
			code := group[0]
			if len(code) == 0 {
				return dst, done, nil
			}
			if code[0] != format.CodecRaw {
				return dst, done, noCodec(ids[done], code)
			}
			dst = append(form.appendText(dst, code[1:len(code):len(code)]), turn...)
			group, done = group[1:], done+1
		}
	}
	return dst, done, nil
}

// fetch finds the encoded keys of the first of IDs below flushed, up to a group of them; empty: the
// pages have none. It brings them near, all at a time; decoding waits for each.
func (k *KeyReader) fetch(codes *[KeyGroup][]byte, ids []uint64, flushed uint64) (n int, err error) {
	ids = ids[:min(len(ids), KeyGroup)]
	defer k.count()
	for n < len(ids) && ids[n] < flushed {
		code, err := k.Code(ids[n])
		if err != nil {
			return n, err
		}
		codes[n] = code
		n++
		if k.page == nil {
			continue
		}
		first := k.refs[k.at].First
		rows, count, each := k.page.Even()
		for count = min(count, flushed-first); n < len(ids) && ids[n]-first < count; n++ { // on the same page
			codes[n] = rows[(ids[n]-first)*each:][:each:each]
		}
	}
	prefetch.Ends(codes[:n])
	return n, nil
}

// flushed returns the first ID that a delta may have the key of.
func (k *KeyReader) flushed() uint64 {
	first := uint64(math.MaxUint64)
	for _, d := range [...]*delta.Table{k.snap.St.Active, k.snap.St.Frozen} {
		if d == nil {
			continue
		}
		if n := d.Spaces[k.space]; n != nil {
			first = min(first, n.First)
		}
	}
	return first
}

// decode appends the text of an encoded key.
func (k *KeyReader) decode(dst, code []byte, id uint64) (key []byte, ok bool, err error) {
	if len(code) == 0 {
		return dst, false, nil
	}
	if key, ok = format.AppendKeyText(dst, code); !ok {
		return dst, false, noCodec(id, code)
	}
	return key, true, nil
}

func noCodec(id uint64, code []byte) error {
	return model.Corrupt("keys", "ID %d: got no key in codec %d", id, code[0])
}

// Code returns the encoded key of an ID as the pages have it, borrowed; empty when they have none.
func (k *KeyReader) Code(id uint64) ([]byte, error) {
	if k.page == nil || id < k.refs[k.at].First || id > k.refs[k.at].Last() {
		at := k.index.FindRef(k.refs, id)
		if at < 0 || id > k.refs[at].Last() {
			return nil, nil
		}
		p, err := k.snap.pageOf(&k.refs[at], &k.hits)
		if err != nil {
			return nil, err
		}
		k.at, k.page = at, p
	}
	return k.page.Row(id - k.refs[k.at].First), nil
}

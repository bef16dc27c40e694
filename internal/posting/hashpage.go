// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// hashEntry is one key's hash and ID. From a page the hash is known down to the page's shift only:
// its low bits are zero.
type hashEntry struct {
	hash  uint64
	shift uint8 // the low bits of hash that are not known
	id    uint64
	gone  bool // the entry is to be taken out
}

// hashBits is how many bits of a hash are stored for the range of a page. A page that splits keeps
// its shift, so an index that grows to 2 000 pages compares some 20 bits: one look-up in a few
// hundred meets a wrong candidate, at the cost of comparing one more key.
const hashBits = 32

// Of hashes that take a little more than three bytes, because pages have split, the lowest bits are
// left out: wholeBits fit, and spareBits more are not worth a byte of every key.
const (
	wholeBits = 24
	spareBits = 2
)

func (p *page) hashWidth() int { return int(p.width) }
func (p *page) idWidth() int   { return int(p.stride) }

func (p *page) checkHashes(where *ref) error {
	if len(p.data) < hashHeadLen {
		return model.Corrupt(where.String(), "got %d bytes, want at least %d", len(p.data), hashHeadLen)
	}
	slots := p.width
	p.width, p.stride, p.shift = p.data[12], p.data[13], p.data[14]
	hw, iw := p.hashWidth(), p.idWidth()
	if p.data[15] != 0 {
		return errVersion(where.String()+": byte 15", p.data[15])
	}
	if slots != 0 || hw < 1 || hw > 8 || iw < 1 || iw > 8 || p.shift > 63 {
		return model.Corrupt(where.String(), "got widths %d, %d, %d and shift %d, want 0, 1–8, 1–8 and 0–63", slots, hw,
			iw,
			p.shift)
	}
	if want := hashHeadLen + p.count*(hw+iw); len(p.data) != want {
		return model.Corrupt(where.String(), "got %d bytes, want %d", len(p.data), want)
	}
	if p.count > 0 {
		p.each = math.Float32bits(float32(float64(p.count) / (float64(p.storedHash(p.count-1)) + 1)))
	}
	return nil
}

// number returns the number of w bytes at a place, which is not the page's first.
func (p *page) number(at, w int) uint64 {
	// The bytes before it are there, those behind it may not be.
	return binary.LittleEndian.Uint64(p.data[at+w-8:]) >> (64 - 8*w)
}

func (p *page) storedHash(i int) uint64 {
	w := p.hashWidth()
	return p.number(hashHeadLen+i*w, w)
}

func (p *page) hashID(i int) uint64 {
	w, at := p.idWidth(), hashHeadLen+p.count*p.hashWidth()
	return p.number(at+i*w, w)
}

// A page has at least 8 bytes before its numbers: a compile-time check.
const _ = uint(min(hashHeadLen, valueHeadLen) - 8)

// candidates calls fn with the ID of each entry of the page, whose rows begin at first, that may
// have the hash, until fn returns false.
func (p *page) candidates(first, hash uint64, fn func(id uint64) bool) {
	want := (hash - first) >> p.shift
	for at := p.findHash(want); at < p.count && p.storedHash(at) == want; at++ {
		if !fn(p.hashID(at)) {
			return
		}
	}
}

// findHash returns the number of the first entry whose stored hash is at least want. Hashes are
// spread evenly, so that it stands about where its share of the greatest one says: a few steps of
// doubling width from there, and between the last two, find it.
func (p *page) findHash(want uint64) int {
	if p.count == 0 {
		return 0
	}
	from := p.guess(want)
	to := from
	for step := 4; from > 0 && p.storedHash(from-1) >= want; step *= 2 {
		from, to = max(0, from-step), from
	}
	for step := 4; to < p.count && p.storedHash(to) < want; step *= 2 {
		from, to = to+1, min(p.count, to+step)
	}
	return from + sort.Search(to-from, func(i int) bool { return p.storedHash(from+i) >= want })
}

// guess returns where a stored hash stands if hashes are spread evenly. How many there are for each
// unit of a hash is kept with the page, so that its last entry is not looked at.
func (p *page) guess(want uint64) int {
	at := float32(want) * math.Float32frombits(p.each)
	return int(min(max(at, 0), float32(p.count-1)))
}

// touchHash reads some of the bytes that findHash and hashID will need, without waiting for them,
// and returns something that depends on them.
func (p *page) touchHash(want uint64) byte {
	if p.count == 0 {
		return 0
	}
	at := p.guess(want)
	return byte(p.storedHash(at)) + byte(p.hashID(at))
}

// appendHashEntries appends the entries of the page, in their order.
func (p *page) appendHashEntries(dst []hashEntry, first uint64) []hashEntry {
	for i := range p.count {
		dst = append(dst, hashEntry{hash: first + p.storedHash(i)<<p.shift, shift: p.shift, id: p.hashID(i)})
	}
	return dst
}

// appendHashPage lays out a page of entries, ascending by hash, for the hashes first to last. An
// entry whose low bits are unknown cannot be stored more exactly than it is known, and so sets the
// shift of its page. The hashes of the entries are overwritten.
func appendHashPage(entries []hashEntry, first, last uint64) []byte {
	shift, widest := uint8(max(0, bits.Len64(last-first)-hashBits)), uint64(0)
	for _, e := range entries {
		shift, widest = max(shift, e.shift), max(widest, e.id)
	}
	if n := bits.Len64((last - first) >> shift); n > wholeBits && n <= wholeBits+spareBits {
		shift += uint8(n - wholeBits)
	}
	hw := max(1, (bits.Len64((last-first)>>shift)+7)/8)
	iw := max(1, (bits.Len64(widest)+7)/8)
	data := make([]byte, 0, hashHeadLen+len(entries)*(hw+iw))
	data = append(data, magicPage, formatVersion, pageHashes, 0, 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(entries)))
	data = append(data, byte(hw), byte(iw), shift, 0)
	for i := range entries {
		// what is stored; entries known to different precision may change places
		entries[i].hash = (entries[i].hash - first) >> shift
	}
	slices.SortFunc(entries, compareHashes)
	var b [8]byte
	for _, e := range entries {
		binary.LittleEndian.PutUint64(b[:], e.hash)
		data = append(data, b[:hw]...)
	}
	for _, e := range entries {
		binary.LittleEndian.PutUint64(b[:], e.id)
		data = append(data, b[:iw]...)
	}
	return data
}

func compareHashes(a, b hashEntry) int {
	return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
}

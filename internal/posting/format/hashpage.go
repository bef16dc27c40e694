// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package format

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/uproar-db/uproar/internal/posting/model"
)

// HashEntry is one key's hash and ID. From a page the hash is known down to the page's shift only:
// its low bits are zero.
type HashEntry struct {
	Hash  uint64
	Shift uint8 // the low bits of hash that are not known
	ID    uint64
	Gone  bool // the entry is to be taken out
}

// hashBits is how many bits of a hash are stored for the range of a page. A page that splits keeps
// its shift, so an index that grows to 2 000 pages compares some 20 bits: one look-up in a few
// hundred meets a wrong candidate, at the cost of comparing one more key.
const hashBits = 32

// Page splits make hashes grow a little beyond three bytes. Their lowest bits are left out:
// wholeBits fit, and spareBits more are not worth a byte of every key.
const (
	wholeBits = 24
	spareBits = 2
)

// HashWidth returns the bytes of a hash.
func (p *Page) HashWidth() int { return int(p.Width) }
func (p *Page) idWidth() int   { return int(p.Stride) }

// checkHashes checks the head and the order of a page of hashes.
func (p *Page) checkHashes(where *Ref) error {
	if len(p.Data) < HashHeaderLen {
		return model.Corrupt(where.String(), "got %d bytes, want at least %d", len(p.Data), HashHeaderLen)
	}
	slots := p.Width
	p.Width, p.Stride, p.Shift = p.Data[12], p.Data[13], p.Data[14]
	hw, iw := p.HashWidth(), p.idWidth()
	if p.Data[15] != 0 {
		return UnknownVersion(where.String()+": byte 15", p.Data[15])
	}
	if slots != 0 || hw < 1 || hw > 8 || iw < 1 || iw > 8 || p.Shift > 63 {
		return model.Corrupt(where.String(), "got widths %d, %d, %d and shift %d, want 0, 1–8, 1–8 and 0–63", slots, hw,
			iw,
			p.Shift)
	}
	if want := HashHeaderLen + p.Count*(hw+iw); len(p.Data) != want {
		return model.Corrupt(where.String(), "got %d bytes, want %d", len(p.Data), want)
	}
	if p.Count > 0 {
		p.Each = math.Float32bits(float32(float64(p.Count) / (float64(p.StoredHash(p.Count-1)) + 1)))
	}
	return nil
}

// number returns the number of w bytes at a place, which is not the page's first.
func (p *Page) number(at, w int) uint64 {
	// The bytes before it are there, those behind it may not be.
	return binary.LittleEndian.Uint64(p.Data[at+w-8:]) >> (64 - 8*w)
}

// StoredHash returns entry i's hash, as the page has it.
func (p *Page) StoredHash(i int) uint64 {
	w := p.HashWidth()
	return p.number(HashHeaderLen+i*w, w)
}

// HashID returns entry i's ID.
func (p *Page) HashID(i int) uint64 {
	w, at := p.idWidth(), HashHeaderLen+p.Count*p.HashWidth()
	return p.number(at+i*w, w)
}

// A page has at least 8 bytes before its numbers: a compile-time check.
const _ = uint(min(HashHeaderLen, ValueHeaderLen) - 8)

// Candidates calls fn with the ID of each entry that may have the hash. It stops when fn returns
// false. first is where the rows of the page begin.
func (p *Page) Candidates(first, hash uint64, fn func(id uint64) bool) {
	want := (hash - first) >> p.Shift
	for at := p.FindHash(want); at < p.Count && p.StoredHash(at) == want; at++ {
		if !fn(p.HashID(at)) {
			return
		}
	}
}

// FindHash returns the number of the first entry whose stored hash is at least want. Hashes are
// spread evenly, so that it stands about where its share of the greatest one says: a few steps of
// doubling width from there, and between the last two, find it.
func (p *Page) FindHash(want uint64) int {
	if p.Count == 0 {
		return 0
	}
	from := p.guess(want)
	to := from
	for step := 4; from > 0 && p.StoredHash(from-1) >= want; step *= 2 {
		from, to = max(0, from-step), from
	}
	for step := 4; to < p.Count && p.StoredHash(to) < want; step *= 2 {
		from, to = to+1, min(p.Count, to+step)
	}
	return from + sort.Search(to-from, func(i int) bool { return p.StoredHash(from+i) >= want })
}

// guess returns where a stored hash stands if hashes are spread evenly. How many there are for each
// unit of a hash is kept with the page, so that its last entry is not looked at.
func (p *Page) guess(want uint64) int {
	at := float32(want) * math.Float32frombits(p.Each)
	return int(min(max(at, 0), float32(p.Count-1)))
}

// TouchHash reads some of the bytes that FindHash and HashID will need. It does not wait for them.
// It returns a byte that depends on them.
func (p *Page) TouchHash(want uint64) byte {
	if p.Count == 0 {
		return 0
	}
	at := p.guess(want)
	return byte(p.StoredHash(at)) + byte(p.HashID(at))
}

// AppendHashEntries appends the entries of the page, in their order.
func (p *Page) AppendHashEntries(dst []HashEntry, first uint64) []HashEntry {
	for i := range p.Count {
		dst = append(dst, HashEntry{Hash: first + p.StoredHash(i)<<p.Shift, Shift: p.Shift, ID: p.HashID(i)})
	}
	return dst
}

// AppendHashPage lays out a page of entries, ascending by hash, for the hashes first to last. An
// entry whose low bits are unknown cannot be stored more exactly than it is known, and so sets the
// shift of its page. The hashes of the entries are overwritten.
func AppendHashPage(entries []HashEntry, first, last uint64) []byte {
	shift, widest := uint8(max(0, bits.Len64(last-first)-hashBits)), uint64(0)
	for _, e := range entries {
		shift, widest = max(shift, e.Shift), max(widest, e.ID)
	}
	if n := bits.Len64((last - first) >> shift); n > wholeBits && n <= wholeBits+spareBits {
		shift += uint8(n - wholeBits)
	}
	hw := max(1, (bits.Len64((last-first)>>shift)+7)/8)
	iw := max(1, (bits.Len64(widest)+7)/8)
	data := make([]byte, 0, HashHeaderLen+len(entries)*(hw+iw))
	data = append(data, MagicPage, FormatVersion, Hashes, 0, 0, 0, 0, 0)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(entries)))
	data = append(data, byte(hw), byte(iw), shift, 0)
	for i := range entries {
		// what is stored; entries known to different precision may change places
		entries[i].Hash = (entries[i].Hash - first) >> shift
	}
	slices.SortFunc(entries, CompareHashes)
	var b [8]byte
	for _, e := range entries {
		binary.LittleEndian.PutUint64(b[:], e.Hash)
		data = append(data, b[:hw]...)
	}
	for _, e := range entries {
		binary.LittleEndian.PutUint64(b[:], e.ID)
		data = append(data, b[:iw]...)
	}
	return data
}

// CompareHashes orders entries by hash and ID.
func CompareHashes(a, b HashEntry) int {
	if a.Hash != b.Hash {
		return cmp.Compare(a.Hash, b.Hash)
	}
	return cmp.Compare(a.ID, b.ID)
}

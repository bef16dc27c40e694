// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"encoding/binary"
	"math/bits"
)

// keyRun is a run of keys of one space that are given consecutive IDs.
type keyRun struct {
	space uint32
	first uint64
	keys  []string
}

// longNibble is the half of a byte that says that more of a length follows.
const longNibble = 15

// appendTo appends the run as a section: of keys as they are, or of what each adds to the one before, which is the smaller one if many begin alike, as those do that are numbered. spelt is how
// many bytes the keys have that the commit has so far in the second way.
func (run *keyRun) appendTo(b []byte, spelt int) (section []byte, now int) {
	plain, near, text, before := 0, 0, 0, ""
	for _, k := range run.keys {
		shared := common(before, k)
		plain += uvarintLen(len(k)) + len(k)
		near += nearLen(shared, len(k)-shared)
		text += len(k)
		before = k
	}
	tag := byte(sectionKeys)
	if near < plain && spelt+text <= maxEntry {
		tag, spelt = sectionNearKeys, spelt+text
	}
	b = binary.AppendUvarint(append(b, tag), uint64(run.space))
	b = binary.AppendUvarint(b, run.first)
	b = binary.AppendUvarint(b, uint64(len(run.keys)))
	before = ""
	for _, k := range run.keys {
		if tag == sectionKeys {
			b = append(binary.AppendUvarint(b, uint64(len(k))), k...)
			continue
		}
		shared := common(before, k)
		b = append(appendNear(b, shared, len(k)-shared), k[shared:]...)
		before = k
	}
	return b, spelt
}

// common returns how many bytes two keys begin with alike.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// uvarintLen returns how many bytes a varint takes.
func uvarintLen(x int) int { return (bits.Len(uint(x)|1) + 6) / 7 }

// nearLen returns how many bytes a key takes that shares some with the one before, and has a rest.
func nearLen(shared, rest int) int {
	n := 1 + rest
	for _, x := range [...]int{shared, rest} {
		if x >= longNibble {
			n += uvarintLen(x - longNibble)
		}
	}
	return n
}

// appendNear appends the lengths of such a key.
func appendNear(b []byte, shared, rest int) []byte {
	b = append(b, byte(min(shared, longNibble)<<4|min(rest, longNibble)))
	for _, x := range [...]int{shared, rest} {
		if x >= longNibble {
			b = binary.AppendUvarint(b, uint64(x-longNibble))
		}
	}
	return b
}

// keys reads a section of keys.
func (d *sectionReader) keys(near bool) {
	run := keyRun{space: d.varint32(), first: d.varint()}
	n := d.count()
	if d.named += 1 + n; d.named > maxKeys {
		d.ok = false
	}
	if !d.ok {
		return
	}
	run.keys = make([]string, 0, n)
	var key []byte
	for i := 0; i < n && d.ok; i++ {
		if near {
			key = d.near(key)
		} else {
			key = d.bytes()
		}
		if len(key) > MaxKey {
			d.ok = false
		}
		run.keys = append(run.keys, string(key))
	}
	d.entry.keys = append(d.entry.keys, run)
}

// near reads a key that begins like the one before, in whose place it is put. All keys of a commit that are written so have no more bytes together than an entry may have: few bytes must not
// stand for much memory.
func (d *sectionReader) near(before []byte) []byte {
	if len(d.b) == 0 {
		d.ok = false
		return nil
	}
	lengths := [...]uint64{uint64(d.b[0] >> 4), uint64(d.b[0] & longNibble)}
	d.b = d.b[1:]
	for i, n := range lengths {
		if n == longNibble {
			lengths[i] += min(d.varint(), MaxKey)
		}
	}
	shared, rest := lengths[0], lengths[1]
	if shared > uint64(len(before)) || rest > uint64(len(d.b)) {
		d.ok = false
		return nil
	}
	key := append(before[:shared], d.b[:rest]...)
	d.b = d.b[rest:]
	if d.spelt += len(key); d.spelt > maxEntry {
		d.ok = false
	}
	return key
}

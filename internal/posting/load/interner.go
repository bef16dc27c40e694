// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"math/rand/v2"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// interner numbers the keys that a load meets, from 0 on, in the order in which it meets them. It
// is made for many millions of keys: a DID of the PLC method and a short key take 16 bytes, others
// 16 and their text, and each takes a slot of 4 in an open-addressing table that is at most three
// quarters full.
type interner struct {
	seed    maphash.Seed
	secrets [2]uint64

	// in the lower bits, as many as the places of slots have, the number + 1; in the others some of
	// the hash; 0: free
	slots []uint32
	keys  [][]tableKey // by number, in chunks, so that growing copies nothing
	count int
	texts [][]byte // of keys that do not fit into a tableKey: u32 length, text
	bytes int64    // memory of all that, about
	sink  uint64   // what touch has read
}

// tableKey is a key, or says where its text is. The upper 4 bits say which.
type tableKey struct{ high, low uint64 }

// The kinds of a tableKey.
const (
	keyDID   = 1 << 60 // 24 digits of 5 bits, 12 in each half
	keyShort = 2 << 60 // a record's key of at most 14 bytes: 4 bits of length, 7 bytes in each half
	keyValue = 4 << 60 // a key of at most 11 bytes in another space: 4 bits of length, 7 bytes; 4 bytes, the space
	keyLong  = 3 << 60 // high: 60 bits of hash; low: which of texts, and where in it
	keyKinds = 15 << 60
)

const (
	shortKey   = 14
	valueKey   = 11
	keyChunk   = 1 << 12
	leastSlots = 1 << 10
	textChunk  = 1 << 16
)

func newInterner() *interner {
	return &interner{seed: maphash.MakeSeed(), secrets: [2]uint64{rand.Uint64(), rand.Uint64()}}
}

// packKey returns a key as a tableKey, if it fits into one.
func packKey(space uint32, key []byte) (k tableKey, ok bool) {
	switch {
	case space != model.RecordSpace:
		if len(key) > valueKey {
			return k, false
		}
		var room [12]byte
		copy(room[1:], key)
		high := keyValue | uint64(len(key))<<56 | binary.BigEndian.Uint64(room[:])
		return tableKey{high, uint64(binary.BigEndian.Uint32(room[8:]))<<32 | uint64(space)}, true
	case len(key) == format.DIDKeySize && string(key[:len(format.DIDPrefix)]) == format.DIDPrefix:
		a, oka := packDigits(binary.BigEndian.Uint64(key[8:]))
		b, okb := packDigits(binary.BigEndian.Uint64(key[16:]))
		c, okc := packDigits(binary.BigEndian.Uint64(key[24:]))
		return tableKey{keyDID | a<<20 | b>>20, b&(1<<20-1)<<40 | c}, oka && okb && okc
	case len(key) <= shortKey:
		var room [16]byte
		copy(room[1:8], key)
		if len(key) > 7 {
			copy(room[9:], key[7:])
		}
		return tableKey{keyShort | uint64(len(key))<<56 | binary.BigEndian.Uint64(room[:]),
			binary.BigEndian.Uint64(room[8:])}, true
	}
	return k, false
}

// packDigits packs eight base32 digits, the first in the highest byte, into 40 bits: all bytes of a
// word at a time.
func packDigits(x uint64) (packed uint64, ok bool) {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	letter := x >> 6 & ones
	least, most := '2'*ones+letter*('a'-'2'), '7'*ones+letter*('z'-'7')
	ok = ((x|highs)-least)&((most|highs)-x)&^x&highs == highs // no byte borrows from the next
	v := x - ('2'-26)*ones - letter*('a'-('2'-26))
	v = v&0x1f001f001f001f00>>3 | v&0x001f001f001f001f
	v = v&0x03ff000003ff0000>>6 | v&0x000003ff000003ff
	return v>>32<<20 | v&0xfffff, ok
}

// hash returns the hash of a key: that of its text, or of its bits under secrets of this table (a
// multiplication folded, as in wyhash).
func (t *interner) hash(k tableKey) uint64 {
	if k.high&keyKinds == keyLong {
		k.low = 0
	}
	high, low := bits.Mul64(k.high^t.secrets[0], k.low^t.secrets[1])
	high, low = bits.Mul64(high^low, 0x9e3779b97f4a7c15)
	return high ^ low
}

// key returns the key of a space as it is looked for.
func (t *interner) key(space uint32, text []byte) tableKey {
	k, ok := packKey(space, text)
	if !ok {
		var h maphash.Hash
		h.SetSeed(t.seed)
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], space)
		_, _ = h.Write(b[:]) // which never fails
		_, _ = h.Write(text)
		k = tableKey{high: keyLong | h.Sum64()>>4}
	}
	return k
}

// at returns the key of a number.
func (t *interner) at(n int) *tableKey { return &t.keys[n/keyChunk][n%keyChunk] }

// equal reports whether a stored key is one that is looked for.
func (t *interner) equal(stored *tableKey, k tableKey, space uint32, text []byte) bool {
	if k.high&keyKinds != keyLong {
		return *stored == k
	}
	if stored.high != k.high {
		return false
	}
	b := t.texts[stored.low>>32][uint32(stored.low):]
	n := binary.LittleEndian.Uint32(b[4:])
	return binary.LittleEndian.Uint32(b) == space && bytes.Equal(b[8:8+n], text)
}

// add returns the number of a key of a space, and whether it is new.
func (t *interner) add(space uint32, text []byte) (number int, first bool) {
	k := t.key(space, text)
	return t.insert(k, t.hash(k), space, text)
}

// find returns the number of a key with a hash, and its slot. If there is none, it returns -1 and
// the free slot for the key.
func (t *interner) find(k tableKey, hash uint64, space uint32, text []byte) (number int, at uint64) {
	if len(t.slots) == 0 {
		return -1, 0
	}
	mask := uint64(len(t.slots) - 1)
	tag, numbers := uint32(hash>>32)&^uint32(mask), uint32(mask)
	for at = hash & mask; t.slots[at] != 0; at = (at + 1) & mask {
		if s := t.slots[at]; s&^numbers == tag {
			if n := int(s&numbers) - 1; t.equal(t.at(n), k, space, text) {
				return n, at
			}
		}
	}
	return -1, at
}

// insert returns the number of a key with a hash, and whether it is new.
func (t *interner) insert(k tableKey, hash uint64, space uint32, text []byte) (number int, first bool) {
	if t.full() {
		t.grow()
	}
	n, at := t.find(k, hash, space, text)
	if n >= 0 {
		return n, false
	}
	if k.high&keyKinds == keyLong {
		k.low = t.store(space, text)
	}
	n = t.count
	if n%keyChunk == 0 {
		t.keys = append(t.keys, make([]tableKey, keyChunk))
		t.bytes += keyChunk * 16
	}
	*t.at(n) = k
	t.slots[at] = uint32(hash>>32)&^uint32(len(t.slots)-1) | uint32(n+1)
	t.count++
	return n, true
}

// keep keeps the text of a key, and says where.
func (t *interner) store(space uint32, text []byte) uint64 {
	last := len(t.texts) - 1
	if last < 0 || cap(t.texts[last])-len(t.texts[last]) < 8+len(text) {
		t.texts = append(t.texts, make([]byte, 0, max(textChunk, 8+len(text))))
		last++
		t.bytes += int64(cap(t.texts[last]))
	}
	at := len(t.texts[last])
	b := binary.LittleEndian.AppendUint32(t.texts[last], space)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	t.texts[last] = append(b, text...)
	return uint64(last)<<32 | uint64(at)
}

// text appends the text of the key with a number.
func (t *interner) text(dst []byte, number int) []byte {
	k := t.at(number)
	switch k.high & keyKinds {
	case keyDID:
		dst = append(dst, format.DIDPrefix...)
		for _, half := range [...]uint64{k.high, k.low} {
			for shift := 55; shift >= 0; shift -= 5 {
				dst = append(dst, format.Base32[half>>shift&31])
			}
		}
		return dst
	case keyValue:
		var room [12]byte
		binary.BigEndian.PutUint64(room[:], k.high)
		binary.BigEndian.PutUint32(room[8:], uint32(k.low>>32))
		return append(dst, room[1:1+min(int(room[0]&15), valueKey)]...)
	case keyShort:
		var room [16]byte
		binary.BigEndian.PutUint64(room[:], k.high)
		binary.BigEndian.PutUint64(room[8:], k.low)
		n := int(room[0] & 15)
		dst = append(dst, room[1:1+min(n, 7)]...)
		return append(dst, room[9:9+max(0, n-7)]...)
	}
	b := t.texts[k.low>>32][uint32(k.low):]
	return append(dst, b[8:8+binary.LittleEndian.Uint32(b[4:])]...)
}

// nextGrowth returns the memory that the table takes beyond the present while it grows.
func (t *interner) nextGrowth() int64 { return int64(max(leastSlots, 2*len(t.slots))) * 4 }

// full reports whether one more key makes the table grow.
func (t *interner) full() bool { return (t.count+1)*4 > len(t.slots)*3 }

func (t *interner) grow() {
	slots := make([]uint32, max(leastSlots, 2*len(t.slots)))
	mask := uint64(len(slots) - 1)
	for n := range t.count {
		hash := t.hash(*t.at(n))
		at := hash & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = uint32(hash>>32)&^uint32(mask) | uint32(n+1)
	}
	t.bytes += 4 * int64(len(slots)-len(t.slots))
	t.slots = slots
}

// lookGroup is how many keys are looked up together: enough for the processor to wait for many of
// them at a time, few enough for its nearest cache.
const lookGroup = 64

// addAll adds keys of a space, and appends their numbers to dst. It calls fresh with the position
// and number of each new one; without fresh, new ones are not added, and have the number -1. A nil
// text has it as well.
func (t *interner) addAll(dst []int, space uint32, texts [][]byte, fresh func(i, number int)) []int {
	var keys [lookGroup]tableKey
	var hashes [lookGroup]uint64
	for from := 0; from < len(texts); from += lookGroup {
		group := texts[from:min(from+lookGroup, len(texts))]
		for i, text := range group {
			keys[i] = t.key(space, text)
			hashes[i] = t.hash(keys[i])
		}
		t.touch(hashes[:len(group)])
		for i, text := range group {
			n, first := -1, false
			switch {
			case text == nil:
			case fresh == nil:
				n, _ = t.find(keys[i], hashes[i], space, text)
			default:
				n, first = t.insert(keys[i], hashes[i], space, text)
			}
			if first {
				fresh(from+i, n)
			}
			dst = append(dst, n)
		}
	}
	return dst
}

// touch brings what look-ups of hashes read near: none of these loads waits for another, as those
// of insert do.
func (t *interner) touch(hashes []uint64) {
	if len(t.slots) == 0 {
		return
	}
	var found [lookGroup]uint32
	mask := uint64(len(t.slots) - 1)
	for i, hash := range hashes {
		found[i] = t.slots[hash&mask]
	}
	sum := uint64(0)
	for i, hash := range hashes {
		if s := found[i]; s != 0 && s&^uint32(mask) == uint32(hash>>32)&^uint32(mask) {
			sum += t.at(int(s&uint32(mask)) - 1).low
		}
	}
	t.sink += sum // has the compiler keep the loads
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

// firstCoded is the least first byte of a payload that is no low width of a packed container.
//
// A directory has two bits for the kind, and four kinds take them. A kind that comes after these
// stands in the directory as Packed, and its payload begins with a byte of its own from here on.
const firstCoded = 64

// IsCoded reports whether a payload that stands as Packed in a directory is of another kind, which
// only [Decode] knows.
func IsCoded(payload []byte) bool { return len(payload) > 0 && payload[0] >= firstCoded }

// Fits reports whether a payload is read where it lies: whether its size fits its kind and n
// values. It is false of no bytes, of kinds that are not array, bitset or run, and of kinds that
// nobody knows.
func Fits(kind uint8, payload []byte, n int) bool {
	switch kind {
	case Array:
		return len(payload) <= MaxPayload && len(payload) == 2*n && n > 0
	case Bitset:
		return len(payload) == MaxPayload
	case Run:
		return len(payload) <= MaxPayload && len(payload)%4 == 0 && len(payload) > 0
	}
	return false
}

// Decode returns a stored container of one chunk as a block, whatever kind it is stored in: it is
// the one place that knows them all. kind is that of the directory, n the cardinality there.
//
// The block of an array, a bitset or runs borrows the payload. That of another kind is decoded to
// memory of its own, at most 8 192 bytes, which nobody else writes to. A container that breaks the
// rules of the format, is packed or of an unknown kind is the empty block.
func Decode(key uint64, kind uint8, payload []byte, n int) Block {
	if Fits(kind, payload, n) {
		return Block{Key: key, Data: payload, N: int32(n), Kind: kind}
	}
	// A kind that comes next is decoded here: if kind == Packed, by payload[0].
	return Block{Key: key}
}

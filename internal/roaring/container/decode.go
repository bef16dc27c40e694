// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

// firstCoded is the least first byte of a payload that is no low width of a packed container.
//
// A directory has two bits for the kind, and four kinds take them. A kind that comes after these
// stands in the directory as Packed, and its payload begins with a byte of its own from here on.
const firstCoded = 64

// Decoders has the kinds of container that are decoded to be read, by the first byte of their
// payload. Nil stands for a byte that no kind has. It is not changed once sets are read; tests add
// a kind to it.
//
// A decoder returns the chunk of n values that the payload, less its first byte, stands for. The
// block has memory of its own, at most 8 192 bytes. It is the empty block if the payload breaks a
// rule of its kind, or stands for another number of values. The payload need not be valid.
var Decoders [256]func(key uint64, payload []byte, n int) Block

// IsCoded reports whether a payload that stands as Packed in a directory is of another kind, which
// only [Decode] knows.
func IsCoded(payload []byte) bool { return len(payload) > 0 && payload[0] >= firstCoded }

// Fits reports whether a payload is read where it lies: whether its size fits its kind and n
// values. It is false of no bytes, and of kinds that are not array, bitset or run.
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

// Decode returns a stored container of one chunk as a block: it is the one place that knows all
// kinds. kind is that of the directory, n the cardinality there.
//
// The block of an array, a bitset or runs borrows the payload. That of another kind is decoded. A
// container that breaks a rule of constant cost, is packed or of an unknown kind is the empty
// block.
func Decode(key uint64, kind uint8, payload []byte, n int) Block {
	if Fits(kind, payload, n) {
		return Block{Key: key, Data: payload, N: int32(n), Kind: kind}
	}
	if kind == Packed && IsCoded(payload) && len(payload) <= MaxPayload {
		if decode := Decoders[payload[0]]; decode != nil {
			return decode(key, payload[1:], n)
		}
	}
	return Block{Key: key}
}

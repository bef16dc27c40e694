// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
	"github.com/uproar-db/uproar/store"
)

// Badger keeps keys that begin with "!badger!" for itself. So that ours may be any bytes, a key
// that begins with "!" is stored with another "!" before it: the order of keys stays, no key of
// ours is ever "!" and then something else, and all other keys are stored as they are.
const escape = '!'

// engineKey returns the key as Badger stores it: key itself wherever possible.
func engineKey(key []byte) []byte {
	if len(key) == 0 || key[0] != escape {
		return key
	}
	return append([]byte{escape}, key...)
}

// callerKey is the inverse of engineKey; false means that the key is not the caller's: Badger's own
// keys are not, and filler is not.
func callerKey(key []byte) ([]byte, bool) {
	if key[0] != escape {
		return key, len(key) <= store.MaxKey
	}
	return key[1:], len(key) > 1 && key[1] == escape && len(key) <= 1+store.MaxKey
}

// Values shorter than a threshold are stored beside their keys. Badger has room there for 15 % of a
// memtable in one transaction. A batch that would need more has its values of at least padFrom
// bytes filled up beyond the largest threshold, which sends them to the value log. They are marked
// by metaPadded and end with their true length. Where the threshold is padFrom
// (Options.SmallEntries), there is nothing to be padded.
const (
	valueThreshold = 1 << 10
	padFrom        = 64
	paddedSize     = valueThreshold + 2
	metaPadded     = 1
)

// threshold is the length from which on values go to the value log.
type threshold int

// isPadded reports whether a value of n bytes is padded in a batch that is too heavy without.
func (t threshold) isPadded(n int) bool { return n >= padFrom && n < int(t) }

// Weights are Badger's: what an operation takes of a transaction, and how much there is.
const (
	memTableSize   = 4 << 20
	maxWeight      = memTableSize * 15 / 100
	opWeight       = 24 // beside the key: pointer or tombstone, flags, timestamp
	maxTransaction = maxWeight / 96
)

// A batch of the limits must fit, however long its keys are and whatever its values: a compile-time
// check. The constant is negative, and the conversion fails, when it does not. The slack is for
// Badger's own entry that ends a transaction.
const _ = uint(maxWeight - 1<<10 - store.MaxOps*(1+store.MaxKey+padFrom+opWeight))

// weight returns what op takes of a transaction.
func (t threshold) weight(op store.Op, padded bool) int {
	w := 1 + len(op.Key) + opWeight
	if len(op.Value) < int(t) && !(padded && t.isPadded(len(op.Value))) {
		w += len(op.Value)
	}
	return w
}

// newEntry returns the entry that stores op, which is not a deletion. It refers to the bytes of op.
func (t threshold) newEntry(op store.Op, padded bool) *badger.Entry {
	key := engineKey(op.Key)
	n := len(op.Value)
	if !padded || !t.isPadded(n) {
		return badger.NewEntry(key, op.Value)
	}
	value := make([]byte, paddedSize)
	copy(value, op.Value)
	binary.LittleEndian.PutUint16(value[valueThreshold:], uint16(n))
	return badger.NewEntry(key, value).WithMeta(metaPadded)
}

// callerValue returns the value that the caller stored, given what the engine has.
func callerValue(item *badger.Item, value []byte) ([]byte, error) {
	switch {
	case len(value) == 0 && item.ValueSize() > 0:
		// The engine only logs that it cannot read a value, and goes on with none.
		return nil, errUnreadable
	case item.UserMeta() == 0:
		return value, nil
	case item.UserMeta() != metaPadded || len(value) != paddedSize:
		return nil,
			fmt.Errorf("badgerstore: %w: a value of %d bytes marked %d, want %d bytes marked %d or any bytes unmarked",
				store.ErrCorrupt, len(value), item.UserMeta(), paddedSize, metaPadded)
	}
	n := binary.LittleEndian.Uint16(value[valueThreshold:])
	if n >= valueThreshold {
		return nil, fmt.Errorf("badgerstore: %w: a padded value says it has %d bytes, want less than %d",
			store.ErrCorrupt, n, valueThreshold)
	}
	return value[:n], nil
}

// errUnreadable says that a value could not be read: its file was deleted by garbage collection
// after the pointer to it was read, or is damaged.
var errUnreadable = errors.New("badgerstore: value cannot be read")

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"context"
	"strconv"
	"sync"

	"github.com/uproar-db/uproar/internal/binding"
	"github.com/uproar-db/uproar/internal/eval"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/reader"
	"github.com/uproar-db/uproar/query"
)

// Keys is a page of record keys, in the order of their IDs. When there are More, the next page is
// From Next.
type Keys struct {
	Keys []string
	Next uint64
	More bool
}

// Keys returns a page of the keys of the records that a query fits.
func (s Snapshot) Keys(ctx context.Context, q query.Expr, p Page) (Keys, error) {
	s = s.Under(ctx)
	ids, err := s.IDs(ctx, q, p)
	if err != nil {
		return Keys{}, err
	}
	keys, err := s.KeysOf(ids.IDs)
	return Keys{Keys: keys, Next: ids.Next, More: ids.More}, err
}

// KeyForm is the form in which many keys are written, one after the other: what stands before and
// after each, and between two of them. The zero form has nothing but the keys. Safe for concurrent
// use if Escape is.
type KeyForm struct {
	Before, After, Between string

	// Escape appends a key as it is written in this form; nil: as it is. The key is valid until it
	// returns, and must not be changed. It must append what has lower-case letters, digits and
	// colons only as it is: not all keys of that kind, such as DIDs of the PLC method, are shown to
	// it.
	Escape func(dst, key []byte) []byte
}

// keptIDs is the largest list of IDs, in bytes, whose memory is used again.
const keptIDs = 1 << 20

var idLists = sync.Pool{New: func() any { return new([]uint64) }}

// AppendKeys appends the keys of a page of the records that fit a query, in the given form. They
// are in the order of their IDs. next and more are those of Page. AppendKeys is Keys without a
// string for each key: only dst grows with the page. DIDs of the PLC method cost least
// (BenchmarkAppendKeys). Errors as of Count; dst then has what was appended before.
func (s Snapshot) AppendKeys(ctx context.Context, dst []byte, q query.Expr, p Page, form KeyForm) (out []byte,
	next uint64, more bool, err error) {
	s = s.Under(ctx)
	return s.appendKeys(ctx, dst, p, form, func(ids []uint64) ([]uint64, bool, error) {
		return eval.AppendIDs(ctx, ids, s.lists, q, s.bindQuery, p.From, p.Limit)
	})
}

// AppendKeysAnd appends the keys of the records that fit every one of some relations. It is
// AppendKeys from the first record on, without a query: planning one takes about as long as
// intersecting two short lists. CountAnd counts the same records. limit is that of a Page. Without
// relations there are no records.
func (s Snapshot) AppendKeysAnd(ctx context.Context, dst []byte, limit int, form KeyForm,
	of ...query.Related) (out []byte, next uint64, more bool, err error) {
	s = s.Under(ctx)
	return s.appendKeys(ctx, dst, Page{Limit: limit}, form, func(ids []uint64) ([]uint64, bool, error) {
		var room relatedRoom
		rows, err := s.bindRelated(&room, of)
		if err != nil {
			return ids, false, err
		}
		return eval.AppendAnd(ctx, ids, s.lists, limit, rows...)
	})
}

// appendKeys appends the keys of a page of records that list appends.
func (s Snapshot) appendKeys(ctx context.Context, dst []byte, p Page, form KeyForm,
	list func(ids []uint64) ([]uint64, bool, error)) (out []byte, next uint64, more bool, err error) {
	if p.Limit < 0 {
		return dst, 0, false, invalid("limit: got %d, want 0 or more", p.Limit)
	}
	room := idLists.Get().(*[]uint64)
	defer func() {
		if 8*cap(*room) <= keptIDs {
			idLists.Put(room)
		}
	}()
	if *room, more, err = list((*room)[:0]); err != nil {
		return dst, 0, false, err
	}
	if ids := *room; more {
		next = ids[len(ids)-1] + 1
	}
	dst, err = s.AppendKeysOf(ctx, dst, *room, form)
	return dst, next, more, err
}

// growKey finds in a context what WithGrow has put there.
type growKey struct{}

// WithGrow returns a context whose calls ask before they list more keys: grow is told how many
// bytes the answer may have next, and its error ends the call. For servers, whose answers must fit
// into memory together. grow is called by the goroutine that made the call.
func WithGrow(ctx context.Context, grow func(bytes int) error) context.Context {
	return context.WithValue(ctx, growKey{}, grow)
}

// Grow calls the function of WithGrow, if there is one.
func Grow(ctx context.Context, bytes int) error {
	if ctx != nil {
		if grow, ok := ctx.Value(growKey{}).(func(int) error); ok {
			return grow(bytes)
		}
	}
	return nil
}

// AppendKeysOf is AppendKeys of records that are known to exist, by their IDs; it is fastest when
// they ascend.
func (s Snapshot) AppendKeysOf(ctx context.Context, dst []byte, ids []uint64, form KeyForm) ([]byte, error) {
	return binding.AppendKeys(ctx, s.lists, dst, ids, reader.KeyForm(form), Grow)
}

// IDBound returns a number above the IDs of all records. Some below it may be of none.
func (s Snapshot) IDBound() uint64 { return s.lists.RowBound(model.Exists) }

// AppendKey appends the key of a record that is known to exist: [Snapshot.Key] without asking
// whether it does, and without memory of its own. Errors: ErrCorrupt when it has none, or the
// store's.
func (s Snapshot) AppendKey(dst []byte, id uint64) ([]byte, error) {
	dst, ok, err := s.lists.AppendKey(dst, model.RecordSpace, id)
	if err == nil && !ok {
		err = binding.RecordWithoutKey(id)
	}
	return dst, err
}

// KeysOf returns the keys of records by their IDs. The records must exist. All keys share the
// memory of one string. Errors: ErrMemory, ErrCorrupt, or the store's.
func (s Snapshot) KeysOf(ids []uint64) ([]string, error) { return binding.Keys(s.lists, ids, Grow) }

// formatID returns the text of a record ID for errors.
func formatID(id uint64) string { return strconv.FormatUint(id, 10) }

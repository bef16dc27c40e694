// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package reader

import (
	"bytes"
	"context"
	"strings"

	"github.com/uproar-db/uproar/internal/posting/delta"
	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
)

// KeysWith calls fn with the ID of each key that begins with prefix, ascending. It stops at fn's
// first error and returns it. In the key space of the records it may include deleted ones. It reads
// pages past the cache.
//
// Cost: a read of each page of the keys, and a look at each key. Errors: ctx's, ErrCorrupt,
// ErrClosed, or the store's.
func (s Snapshot) KeysWith(ctx context.Context, space uint32, prefix string, fn func(id uint64) error) error {
	pages := PageReader{Snap: s}
	refs := s.St.Version.Fields[space].Refs
	var key []byte
	for i := range refs {
		if s.Closed() {
			return model.ErrClosed
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := pages.Read(&refs[i])
		if err != nil {
			return err
		}
		err = p.All(func(offset uint64, code []byte) error {
			var ok bool
			if key, ok = format.AppendKeyText(key[:0], code); !ok {
				return model.Corrupt(refs[i].String(), "ID %d: got no key in codec %d", refs[i].First+offset, code[0])
			}
			if bytes.HasPrefix(key, []byte(prefix)) {
				return fn(refs[i].First + offset)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, d := range [...]*delta.Table{s.St.Frozen, s.St.Active} {
		if d == nil || d.Spaces[space] == nil {
			continue
		}
		for i, key := range d.Spaces[space].Keys {
			if i%KeysPerLook == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !strings.HasPrefix(key, prefix) {
				continue
			}
			if err := fn(d.Spaces[space].First + uint64(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"bytes"
	"context"
	"errors"

	"github.com/uproar-db/uproar/internal/posting/format"
	"github.com/uproar-db/uproar/internal/posting/model"
	"github.com/uproar-db/uproar/internal/posting/versions"
	"github.com/uproar-db/uproar/store"
)

// Remove closes the index, and deletes all that the store has of it. Snapshots that are open get
// ErrClosed. An index that was not removed to the end has to be removed again by RemoveIndex.
// Errors: ctx's, ErrClosed, or the store's.
func (ix *Index) Remove(ctx context.Context) error {
	if err := ix.Close(); errors.Is(err, model.ErrClosed) {
		return err
	}
	ix.source.State.Load().Version.All(func(r *format.Ref) { ix.source.Cache.Drop(ix.source.ID, r.Generation) })
	return RemoveIndex(ctx, ix.source.Store, ix.source.ID)
}

// RemoveIndex deletes all that a store has of an index that is not open. Its number must not be
// used again. Errors: ctx's, or the store's.
func RemoveIndex(ctx context.Context, s store.Store, index uint32) error {
	for _, kind := range [...]byte{format.KindManifest, format.KindLog, format.KindPage, format.KindSession} {
		prefix := format.AppendIndexPrefix(nil, kind, index)
		for {
			if err := ctx.Err(); err != nil {
				return err
			}
			var b store.Batch
			err := s.Keys(prefix, nil, func(key []byte) error {
				if b.Delete(bytes.Clone(key)); b.Len() == store.MaxOps {
					return store.ErrStop
				}
				return nil
			})
			if err != nil {
				return err
			}
			if b.Len() == 0 {
				break
			}
			if err := s.Apply(&b, false); err != nil {
				return err
			}
		}
	}
	return s.Sync()
}

// RemoveKeys deletes entries of an index that is not open. Errors: the store's.
func RemoveKeys(s store.Store, keys [][]byte) error { return versions.RemoveKeys(s, keys) }

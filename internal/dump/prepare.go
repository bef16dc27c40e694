// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package dump

import (
	"context"
	"fmt"

	"github.com/uproar-db/uproar/internal/schema"
	"github.com/uproar-db/uproar/store"
)

// prepare fails if the store is not empty. It removes what an unfinished restore has left.
func prepare(ctx context.Context, s store.Store) error {
	found, err := schema.ReadOrigin(s)
	if err != nil {
		return err
	}
	database, err := schema.HasHeader(s)
	switch {
	case err != nil:
		return err
	case database:
		return fmt.Errorf("%w: it holds a database", ErrNotEmpty)
	case found.State == schema.Restoring:
		return clearStore(ctx, s)
	}
	return s.Keys(nil, nil, func(key []byte) error {
		return fmt.Errorf("%w: it begins with key %x", ErrNotEmpty, key)
	})
}

// clearStore removes all entries but the origin, which goes on saying what the others are.
func clearStore(ctx context.Context, s store.Store) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var b store.Batch
		err := s.Keys(nil, nil, func(key []byte) error {
			if !schema.IsOrigin(key) {
				b.Delete(append([]byte(nil), key...))
			}
			if b.Len() == store.MaxOps {
				return store.ErrStop
			}
			return nil
		})
		if err != nil || b.Len() == 0 {
			return err
		}
		if err := s.Apply(&b, false); err != nil {
			return err
		}
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship

import (
	"sync/atomic"

	"github.com/uproar-db/uproar/store"
)

// sized is the local store of a node, and tells its size and space.
type sized struct {
	local  store.Store
	closed atomic.Bool
}

// Size implements store.Sizer: that of the local store, zero where it cannot tell.
func (s *sized) Size() (store.Size, error) {
	if s.closed.Load() {
		return store.Size{}, store.ErrClosed
	}
	if sizer, ok := s.local.(store.Sizer); ok {
		return sizer.Size()
	}
	return store.Size{}, nil
}

// Space implements store.Spacer: that of the local store.
func (s *sized) Space() (store.Space, error) {
	if s.closed.Load() {
		return store.Space{}, store.ErrClosed
	}
	return store.SpaceOf(s.local)
}

var (
	_ store.Sizer  = (*sized)(nil)
	_ store.Spacer = (*sized)(nil)
)

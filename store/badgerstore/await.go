// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import "context"

// Await implements store.Pacer: writers wait while a pass of housekeeping is behind.
func (s *Store) Await(ctx context.Context) error { return s.house.pace.wait(ctx) }

// Undisturbed calls fn while the store reclaims no space: for measurements of the disk beside it.
// It waits for the step under way first, some tenths of a second as a rule. What fn writes to the
// store may have to wait for it.
func (s *Store) Undisturbed(fn func()) {
	pace := &s.house.pace
	pace.exempt.Add(1) // writers do not wait for a pass that waits for fn
	pace.ease()
	defer pace.exempt.Add(-1)
	s.house.step.Lock()
	defer s.house.step.Unlock()
	fn()
}

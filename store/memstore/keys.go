// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package memstore

// Keys walks over the keys with a prefix; see store.Store.
func (s *Store) Keys(prefix, start []byte, fn func(key []byte) error) error {
	return s.Scan(prefix, start, func(key, _ []byte) error { return fn(key) })
}

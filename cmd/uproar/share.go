// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/uproar-db/uproar/internal/tolerance"

// share is a share on the command line: 5% or 0.05.
type share float64

// UnmarshalText reads a share.
func (s *share) UnmarshalText(text []byte) error {
	x, err := tolerance.Parse(string(text))
	*s = share(x)
	return err
}

// String returns the share as a percentage.
func (s share) String() string { return tolerance.Format(float64(s)) }

// orNone returns the share as options of imports have it where 0 is the default: negative for none.
func (s share) orNone() float64 {
	if s == 0 {
		return -1
	}
	return float64(s)
}

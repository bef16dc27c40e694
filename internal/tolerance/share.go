// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package tolerance

// Share is a share on the command line: 5% or 0.05.
type Share float64

// UnmarshalText reads a share.
func (s *Share) UnmarshalText(text []byte) error {
	x, err := Parse(string(text))
	*s = Share(x)
	return err
}

// String returns the share as a percentage.
func (s Share) String() string { return format(float64(s)) }

// OrNone returns the share as options of imports have it where 0 is the default: negative for none.
func (s Share) OrNone() float64 {
	if s == 0 {
		return -1
	}
	return float64(s)
}

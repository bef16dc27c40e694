// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bitset

// Words is the payload of a bitset.
type Words = [8192]byte

// part is how many bytes are counted by vectors.
const part = 1024

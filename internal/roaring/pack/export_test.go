// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package pack

// From how many values of a chunk on Balanced chooses otherwise.
const (
	UnpackedFrom = unpackedFrom
	BitsetFrom   = bitsetFrom
)

// LongShape returns the shape of a list of more than MaxList values.
var LongShape = longShape

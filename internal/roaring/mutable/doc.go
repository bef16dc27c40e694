// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package mutable has the set that owns its bytes and changes them in place: adding and removing of
// values and ranges, the sizes in which containers grow, and reading a set from others' encodings.
//
// Its [Bitmap] is that of package bitmap by another name.
package mutable

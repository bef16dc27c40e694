// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package mutable

// String returns the set for people: see [View.String].
func (b Bitmap) String() string { return b.View().String() }

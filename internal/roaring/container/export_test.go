// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package container

// MostCommon is how many blocks AppendCommonLow looks at.
const MostCommon = mostCommon

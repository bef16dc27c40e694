// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package expiry knows which keys and members of sets end next. Their times are in an integer field
// of an index; the first of them are kept in memory, in their order.
package expiry

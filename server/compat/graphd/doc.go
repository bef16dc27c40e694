// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package graphd answers the calls of GraphD as GraphD does, so that its clients need no change.
// The lists are whole, and the errors bare strings (docs/graphd.md).
package graphd

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package prices answers the calls of bitmap-usage, a search of prices. Clients of bitmap-usage
// need no change. It asks a catalog (docs/catalog.md).
package prices

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package picture draws what an audience consists of: as a page of HTML, or as a PNG. Both have the
// same charts in the same places, which are laid out once. Neither needs anything from elsewhere.
package picture

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package people loads a synthetic population, and measures what is asked of audiences.
package people

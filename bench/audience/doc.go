// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package audience asks the database and its peers the same questions about audiences. The
// audiences are of a synthetic population. It compares the answers, and says how long they took.
package audience

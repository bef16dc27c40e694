// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package versions keeps the manifests that somebody can still see. It deletes the pages that
// nobody can see any more, and finds those that no manifest names.
package versions

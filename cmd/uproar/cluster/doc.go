// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package cluster has what the program does with storage that several machines share: it opens the
// engine of a URL, and checks it.
package cluster

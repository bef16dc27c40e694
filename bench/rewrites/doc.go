// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package rewrites measures rewrites of pages at random, each batch synced: of the store on Badger
// with its housekeeping, of Badger by itself with the same settings, and of the disk alone. They
// take turns within one run, because what a disk can do changes from second to second where others
// use it.
package rewrites

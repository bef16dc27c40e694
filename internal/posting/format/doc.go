// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package format makes and parses the bytes of an index as docs/format describes them: pages of
// lists, keys, hashes and values, the keys of entries, and the records of the manifest. It checks
// what it reads, and knows no store and no lock.
package format

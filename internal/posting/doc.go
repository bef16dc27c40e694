// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package posting keeps the posting lists of an index on a store: which records have which value of
// which field.
//
// # Terminology
//
//   - A posting list is the set of records stored under a field and a row; its bytes are a
//     serialized bitmap (package bitmap).
//   - A page holds the lists of consecutive rows of one field. It is immutable; a change writes a
//     new page with a new generation.
//   - The manifest says which page, in which generation, holds which rows. It is immutable too;
//     each flush publishes a new one.
//   - The delta holds the writes since the last flush, in memory; the log holds them on the store,
//     as numbered commits.
//   - A flush merges the delta into pages. While it runs, the delta is frozen and a new one is
//     active; readers overlay both.
//   - A snapshot is one state of all of it: manifest, frozen delta, active delta, sequence number,
//     published as one pointer.
//   - A key space gives dense IDs to strings: the records of the index have one, and each set field
//     has one for its rows.
//
// # Who does what
//
// An Index is made of parts, each a type in a file of its own, and each knows only those before it:
//
//   - changeLog reads and trims the log in the store.
//   - writer keeps the newest state: the active delta, the sequence number, why writing has ended.
//     Its lock is the only one that a commit takes.
//   - manifests makes manifests, one at a time, and deletes pages that nobody sees.
//   - committer, a goroutine, does the commits: it numbers them, gives IDs to new keys, and writes
//     all that wait to the log in one batch of the store.
//   - flusher, a goroutine, merges the delta into pages.
//
// Readers load a pointer; they take no lock and wait for nobody.
//
// The bytes are specified in docs/format: page.md, manifest.md, log.md, keys.md.
package posting

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package listing

// Narrow makes a sorting write a file for so many bytes of lines, and merge so many files at a
// time. It sorts however few records are wanted.
func (s *Sorting) Narrow(bytes int64, files int) {
	s.room, s.bounds.fan, s.bounds.few = bytes, files, 0
}

// NarrowCarried bounds the bytes that lines carry in all.
func (s *Sorting) NarrowCarried(bytes int64) { s.bounds.carried = bytes }

// Files returns how many files a sorting has.
func (s *Sorting) Files() int { return len(s.merged.Open) }

// AppendBehind and ReadBehind are how lines are written.
var AppendBehind, ReadBehind = appendBehind, readBehind

// FilesError is what a sorting fails with whose temporary files do.
func FilesError(err error) error { return &filesError{err} }

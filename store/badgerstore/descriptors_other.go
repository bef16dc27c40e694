// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package badgerstore

// openable returns how many of so many files can be opened: all, on systems on which a process may open as many as it wants.
func openable(files int) (n int, err error) { return files, nil }

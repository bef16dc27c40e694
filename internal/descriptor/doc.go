// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package descriptor tells how many more files the process may have open. None is opened to find
// out: while they were, another part of the process could not open what it needs. Numbers of files
// are given from the lowest on, so that the highest are free, and asked about first: the cost is a
// call of some microseconds for each 256, unless there are few left. It also locks open files, and
// tells how much space a disk has left.
package descriptor

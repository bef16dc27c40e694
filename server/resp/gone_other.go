// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package resp

// atEnd is not known here: Options.Timeout bounds a command.
func atEnd(uintptr) bool { return false }

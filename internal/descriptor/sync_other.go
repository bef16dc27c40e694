// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package descriptor

// SyncFolder does nothing here.
func SyncFolder(string) error { return nil }

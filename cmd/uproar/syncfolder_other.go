// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

// syncFolder does nothing where folders cannot be synced.
func syncFolder(string) error { return nil }

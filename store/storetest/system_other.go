// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package storetest

import "testing"

const elsewhere = "the system is asked for it on Linux only"

func testDescriptors(t *testing.T, _ Opener) { t.Skip(elsewhere) }

func testForbidden(t *testing.T, _ Opener) { t.Skip(elsewhere) }

func testSmallDisk(t *testing.T, _ Opener, _ string, _ func(string) (func() error, error)) {
	t.Skip(elsewhere)
}

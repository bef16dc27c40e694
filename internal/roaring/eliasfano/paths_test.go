// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eliasfano

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/kernel/kerneltest"
)

// TestMain runs every test on every path of this processor.
func TestMain(m *testing.M) { kerneltest.Main(m) }

// FuzzPaths gives the same operands to the kernels on every path.
func FuzzPaths(f *testing.F) { kerneltest.FuzzPaths(f, answersOf) }

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !purego

package kerneltest

import (
	"strings"

	"github.com/uproar-db/uproar/internal/roaring/cpu"
)

// Lacks returns what a function in assembly needs beside its path that this processor has not got,
// or nothing.
func Lacks(name string) string {
	if strings.HasSuffix(name, "PairsAVX512") && !cpu.HasPairs() {
		return "VP2INTERSECT"
	}
	return ""
}

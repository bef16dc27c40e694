// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package eval

import (
	"os"
	"testing"
)

// paced returns how many rounds a random test makes: all of them with UPROAR_LONG=1, otherwise a
// third, less with -short.
func paced(all, short int) int {
	switch {
	case testing.Short():
		return short
	case os.Getenv("UPROAR_LONG") == "1":
		return all
	}
	return max(all/3, short)
}

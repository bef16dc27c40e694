// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"testing"

	"github.com/uproar-db/uproar/internal/roaring/roaringtest"
)

// TestEveryOperationIsExercised: every operation of this package is called on hostile bytes.
func TestEveryOperationIsExercised(t *testing.T) {
	var ran []string
	for _, c := range calls {
		ran = append(ran, c.Name)
	}
	roaringtest.CheckExercised(t, ran, []string{"."}, []string{"."}, nil)
}

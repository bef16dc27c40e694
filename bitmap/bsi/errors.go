// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package bsi

import (
	"errors"

	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/internal/roaring"
)

// formatError returns err with a [*bitmap.FormatError] in the place of the engine's.
func formatError(err error) error {
	if e, ok := errors.AsType[*roaring.FormatError](err); ok {
		return (*bitmap.FormatError)(e)
	}
	return err
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package rewrites

import (
	"errors"
	"fmt"
	"io"
)

// Command measures on Linux only, whose way with mapped files it is about.
func Command([]string, io.Writer, io.Writer) error {
	return fmt.Errorf("rewrites: %w: want Linux", errors.ErrUnsupported)
}

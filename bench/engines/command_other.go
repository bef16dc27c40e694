// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package engines

import (
	"errors"
	"fmt"
	"io"
)

// Command measures on Linux only, which tells what a process writes and how much memory it has.
func Command([]string, io.Writer, io.Writer) error {
	return fmt.Errorf("engines: %w: want Linux", errors.ErrUnsupported)
}

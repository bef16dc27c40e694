// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package sizes

import (
	"io"

	"github.com/uproar-db/uproar/bench/command"
)

// DenseCommand runs "bench dense".
func DenseCommand(args []string, stdout, stderr io.Writer) error {
	return command.Run("dense", new(denseCommand), args, stdout, stderr)
}

// UnionCommand runs "bench union64".
func UnionCommand(args []string, stdout, stderr io.Writer) error {
	return command.Run("union64", new(unionCommand), args, stdout, stderr)
}

// ListsCommand runs "bench lists".
func ListsCommand(args []string, stdout, stderr io.Writer) error {
	return command.Run("lists", new(listsCommand), args, stdout, stderr)
}

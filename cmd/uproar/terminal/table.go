// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"bufio"
	"fmt"
)

// Table writes rows of as many columns each, aligned: the first columns on the left as names
// are, the others on the right as numbers are.
func Table(out *bufio.Writer, rows [][]string, names int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			width := widths[i]
			if i < names {
				width = -width
			}
			if i > 0 {
				out.WriteString("  ")
			}
			fmt.Fprintf(out, "%*s", width, cell)
		}
		out.WriteByte('\n')
	}
}

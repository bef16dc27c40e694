// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package library

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// table is a heading and rows of text. The first row names the columns.
type table struct {
	title string
	rows  [][]string
	notes []string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// write writes the table as text in columns, or as Markdown.
func (t *table) write(w io.Writer, markdown bool) error {
	var b strings.Builder
	if markdown {
		fmt.Fprintf(&b, "### %s\n\n", t.title)
		for i, row := range t.rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(&b, "|---%s\n", strings.Repeat("|--:", len(row)-1)+"|")
			}
		}
	} else {
		fmt.Fprintf(&b, "%s\n", t.title)
		t.columns(&b)
	}
	if len(t.notes) > 0 && markdown {
		b.WriteByte('\n')
	}
	for _, note := range t.notes {
		fmt.Fprintf(&b, "- %s\n", note)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// columns writes the rows with every column as wide as its widest cell, figures to the right.
func (t *table) columns(b *strings.Builder) {
	var widths []int
	for _, row := range t.rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t.rows {
		for i, cell := range row {
			space := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				b.WriteString("  " + cell + space)
			} else {
				b.WriteString("  " + space + cell)
			}
		}
		b.WriteByte('\n')
	}
}

// text returns the cell as nanoseconds and, after a point, allocations.
func (c cell) text() string {
	switch c.state {
	case missing:
		return "–"
	case wrong:
		return "wrong"
	}
	return figure(c.ns) + " · " + allocs(c.allocs)
}

// allocs returns a number of allocations; that a pool was emptied meanwhile does not show.
func allocs(x float64) string {
	switch {
	case x >= 10:
		return fmt.Sprintf("%.0f", x)
	case x >= 0.05:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0")
	}
	return "0"
}

// figure returns three digits of a number, with k and M for thousands and millions.
func figure(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x >= 999_500:
		return digits(x/1e6) + "M"
	case x >= 9995:
		return digits(x/1e3) + "k"
	case x >= 999.5:
		return fmt.Sprintf("%.0f", x)
	}
	return digits(x)
}

func digits(x float64) string {
	switch {
	case x >= 99.95:
		return fmt.Sprintf("%.0f", x)
	case x >= 9.995:
		return fmt.Sprintf("%.1f", x)
	case x >= 0.0995:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

// multiple returns a ratio.
func multiple(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return digits(x) + "×"
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"bufio"
	"strings"

	"github.com/rivo/uniseg"
)

// measured is how many rows are looked at before the widths of columns are settled.
const measured = 1000

// Rows prints rows as they come: as a table with a header on a terminal, as lines with tabs between
// their values elsewhere. Call Flush at the end. Not safe for concurrent use.
type Rows struct {
	out     *bufio.Writer
	table   bool
	numbers map[int]bool // columns that are flush right
	waiting [][]string   // rows whose widths are not settled, the header first
	widths  []int        // nil: not settled
}

// Rows begins a table. A name that begins with # is one of numbers, and shown without it.
func (c *Console) Rows(names ...string) *Rows {
	r := &Rows{out: bufio.NewWriter(c.Out), table: c.Tables, numbers: make(map[int]bool)}
	if r.table {
		header := make([]string, len(names))
		for i, name := range names {
			var number bool
			header[i], number = strings.CutPrefix(name, "#")
			r.numbers[i] = number
		}
		r.waiting = [][]string{header}
	}
	return r
}

// Add adds a row.
func (r *Rows) Add(values ...string) error {
	if !r.table {
		_, err := r.out.WriteString(strings.Join(values, "\t") + "\n")
		return err
	}
	if r.widths != nil {
		return r.print(values)
	}
	if r.waiting = append(r.waiting, values); len(r.waiting) > measured {
		return r.settle()
	}
	return nil
}

// settle settles the widths, and prints the rows that wait for them.
func (r *Rows) settle() error {
	r.widths = []int{}
	for _, row := range r.waiting {
		for i, value := range row {
			if i == len(r.widths) {
				r.widths = append(r.widths, 0)
			}
			r.widths[i] = max(r.widths[i], uniseg.StringWidth(value))
		}
	}
	waiting := r.waiting
	r.waiting = nil
	for _, row := range waiting {
		if err := r.print(row); err != nil {
			return err
		}
	}
	return nil
}

func (r *Rows) print(row []string) error {
	var line strings.Builder
	for i, value := range row {
		if i > 0 {
			line.WriteString("  ")
		}
		pad := 0
		if i < len(r.widths) {
			pad = max(0, r.widths[i]-uniseg.StringWidth(value))
		}
		blanks := strings.Repeat(" ", pad)
		if r.numbers[i] {
			line.WriteString(blanks + value)
		} else {
			line.WriteString(value + blanks)
		}
	}
	_, err := r.out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	return err
}

// Flush prints what is left. A table without rows has no header.
func (r *Rows) Flush() error {
	if r.table && r.widths == nil && len(r.waiting) > 1 {
		if err := r.settle(); err != nil {
			return err
		}
	}
	return r.out.Flush()
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

const (
	rowHeight = 26.0
	mostRows  = 25
	mostHeat  = 12 // rows and columns of a heat map
	textSize  = 14.0
)

// row is an entry of bars: its name, a bar, and what it amounts to.
type row struct {
	name  string
	share float64 // of the whole bar
	among float64 // a mark where the share among all is; negative: none
	notes [2]string
	tip   string
}

// bars draws rows, the first ones. A bar is measured by the greatest share and mark.
func (c *chart) bars(rows []row) {
	if len(rows) > mostRows {
		c.note += fmt.Sprintf(", the first %d of %d", mostRows, len(rows))
		rows = rows[:mostRows]
	}
	most := 0.0
	for _, r := range rows {
		most = max(most, r.share, r.among)
	}
	if most == 0 {
		most = 1
	}
	names, figures := c.width()*0.32, 150.0
	length := c.width() - names - figures
	for i, r := range rows {
		y := rowHeight * float64(i)
		c.label(0, y+18, names-12, named(r.name), shape{size: textSize, ink: plain})
		c.box(names, y+6, length, 14, back, r.tip)
		if r.share > 0 {
			c.box(names, y+6, max(length*r.share/most, 1.5), 14, bar, r.tip)
		}
		if r.among >= 0 {
			c.box(names+length*r.among/most-1, y+3, 2, 20, tick, r.tip)
		}
		c.label(c.width()-66, y+18, 78, r.notes[0], shape{size: textSize, side: right, ink: plain})
		c.label(c.width(), y+18, 60, r.notes[1], shape{size: textSize, side: right, ink: faint})
	}
	c.height = rowHeight * float64(max(len(rows), 1))
	if len(rows) == 0 {
		c.label(0, 18, c.width(), "none", shape{size: textSize, ink: faint})
	}
}

// spread draws least, quartiles and greatest on a line, as far apart as they are.
func (c *chart) spread(at [5]float64, texts [5]string) {
	c.height = 84
	scale := func(v float64) float64 {
		if at[4] <= at[0] {
			return c.width() / 2
		}
		return (v - at[0]) / (at[4] - at[0]) * c.width()
	}
	names := [5]string{"least", "first quartile", "median", "third quartile", "greatest"}
	c.box(0, 19, c.width(), 2, back, "")
	c.box(scale(at[1]), 8, max(scale(at[3])-scale(at[1]), 2), 24, bar, "half of them: "+texts[1]+" to "+texts[3])
	for i, v := range at {
		of := tick
		if i == 2 {
			of = plain
		}
		x := min(max(scale(v)-1, 0), c.width()-2)
		c.box(x, 4, 2, 32, of, names[i]+": "+texts[i])
		column := c.width() / 5 * (float64(i) + 0.5)
		most, y := c.width()/5-8, 58.0
		style := shape{size: textSize, bold: i == 2, side: middle, ink: plain}
		day, clock, isTime := strings.Cut(texts[i], "T")
		c.label(column, y, most, day, style)
		if isTime {
			y += 16
			style.size = 12
			c.label(column, y, most, clock, style)
		}
		c.label(column, y+19, most, names[i], shape{size: 12, side: middle, ink: faint})
		c.height = max(c.height, y+26)
	}
}

// grid draws a number for each row and column, the darker the more. cell returns it and its tip; no
// tip where nobody counted.
func (c *chart) grid(rows, columns []string, cell func(row, column int) (n uint64, tip string)) {
	names := min(c.width()*0.25, 220)
	step := min((c.width()-names)/float64(max(len(columns), 1)), 130)
	for i, text := range columns {
		c.label(names+step*(float64(i)+0.5), 18, step-6, named(text), shape{size: 13, side: middle, ink: faint})
	}
	most := uint64(1)
	for i := range rows {
		for j := range columns {
			n, _ := cell(i, j)
			most = max(most, n)
		}
	}
	for i, text := range rows {
		y := 26 + 30*float64(i)
		c.label(0, y+20, names-12, named(text), shape{size: textSize, ink: plain})
		for j := range columns {
			n, tip := cell(i, j)
			heat := ink(math.Ceil(8 * math.Sqrt(float64(n)/float64(most))))
			of, shownAs := plain, count(n)
			if heat >= 5 {
				of = onHeat
			}
			if n == 0 {
				of = faint
			}
			if tip == "" {
				shownAs = "·"
			}
			x := names + step*float64(j)
			c.box(x+1, y+1, step-2, 28, heat0+heat, tip)
			c.label(x+step/2, y+20, step-6, shownAs, shape{size: 13, side: middle, ink: of, tip: tip})
		}
	}
	c.height = 26 + 30*float64(len(rows))
}

// order returns the names that have most, most first, and how many there are.
func order(sums map[string]uint64) (names []string, all int) {
	for name := range sums {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if sums[a] != sums[b] {
			if sums[a] > sums[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	return names[:min(len(names), mostHeat)], len(names)
}

// named returns what a value is called where it is drawn.
func named(value string) string {
	if value == "" {
		return "(empty)"
	}
	return value
}

// count returns a number with spaces between its thousands.
func count(n uint64) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// percent returns a share in percent, with three digits that count.
func percent(share float64) string {
	switch p := 100 * share; {
	case p == 0:
		return "0 %"
	case p < 0.01:
		return "< 0.01 %"
	case p < 10:
		return fmt.Sprintf("%.2f %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

// times returns a factor.
func times(factor float64) string {
	if factor >= 100 {
		return fmt.Sprintf("%.0f×", factor)
	}
	return fmt.Sprintf("%.2g×", factor)
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package chart

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"math"
	"strings"
)

//go:embed chart.css
var style string

// Sizes, in pixels.
const (
	width     = 920.0
	leftEdge  = 300.0 // of the bars
	rightEdge = 590.0
	top       = 92.0
	rowHeight = 30.0
	groupGap  = 34.0
	below     = 66.0
)

// SVG draws the chart: a bar for each ratio on a scale of powers, and a line where both are equal.
func (c *Chart) SVG() ([]byte, error) {
	if len(c.Bars) == 0 {
		return nil, fmt.Errorf("%w: it has no bars", ErrChart)
	}
	ratios := make([]float64, len(c.Bars))
	least, most := 1.0, 2.0
	height := top
	for i := range c.Bars {
		var err error
		if ratios[i], err = c.Bars[i].Ratio(); err != nil {
			return nil, err
		}
		least, most = min(least, ratios[i]), max(most, ratios[i])
		height += rowHeight
		if c.begins(i) {
			height += groupGap
		}
	}
	low, high := math.Floor(math.Log2(least)), math.Log2(most)
	at := func(ratio float64) float64 {
		return leftEdge + (rightEdge-leftEdge)*(math.Log2(ratio)-low)/(high-low)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" role="img" aria-label="%s">
<title>%s</title>
<style>
%s</style>
<rect class="page" width="%.0f" height="%.0f" rx="12"/>
<text class="title" x="28" y="42">%s</text>
<text class="faint" x="28" y="64">%s</text>
`, width, height+below, width, c.spoken(ratios), text(c.Title), style, width, height+below, text(c.Title), text(c.Note))
	step := math.Max(1, math.Ceil((high-low)/6))
	for power := math.Ceil(low/step) * step; power <= high; power += step {
		x := at(math.Exp2(power))
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" x2="%.1f" y1="%.0f" y2="%.0f"/>`+"\n", x, x, top-8, height+6)
		fmt.Fprintf(&b, `<text class="faint middle" x="%.1f" y="%.0f">%s×</text>`+"\n", x, height+24,
			number(math.Exp2(power)))
	}
	y := top
	for i := range c.Bars {
		bar, x, one := &c.Bars[i], at(ratios[i]), at(1)
		if c.begins(i) {
			y += groupGap
			fmt.Fprintf(&b, `<text class="group" x="28" y="%.0f">%s</text>`+"\n", y-8, text(bar.Group))
		}
		class := "ahead"
		if ratios[i] < 1 {
			class = "behind"
		}
		fmt.Fprintf(&b, `<text x="28" y="%.0f">%s</text>`+"\n", y+19, text(bar.Text))
		fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="%.0f" width="%.1f" height="18" rx="3"/>`+"\n", class,
			min(x, one), y+6, math.Max(math.Abs(x-one), 1))
		fmt.Fprintf(&b, `<text class="ratio" x="%.1f" y="%.0f">%s×</text>`+"\n", max(x, one)+8, y+20, number(ratios[i]))
		said := bar.Said
		if said == "" {
			said = fmt.Sprintf("%s beside %s %s, %s", spaced(bar.Ours), spaced(bar.Theirs), bar.Unit, bar.Peer)
		}
		fmt.Fprintf(&b, `<text class="faint end" x="%.0f" y="%.0f">%s</text>`+"\n", width-28, y+19, text(said))
		y += rowHeight
	}
	fmt.Fprintf(&b, `<line class="equal" x1="%.1f" x2="%.1f" y1="%.0f" y2="%.0f"/>`+"\n", at(1), at(1), top-8, height+6)
	from := c.Machine + ". " + c.Version + ". " + c.Command
	if c.Command == "" {
		from = "Each figure with its command, version and machine: the JSON beside this picture"
	}
	fmt.Fprintf(&b, `<text class="small" x="28" y="%.0f">%s</text>`+"\n</svg>\n", height+below-18, text(from))
	return b.Bytes(), nil
}

// begins reports whether a bar is the first of its group.
func (c *Chart) begins(i int) bool {
	return c.Bars[i].Group != "" && (i == 0 || c.Bars[i-1].Group != c.Bars[i].Group)
}

// spoken says what the picture shows, for those who do not see it.
func (c *Chart) spoken(ratios []float64) string {
	said := c.Title + "."
	for i, bar := range c.Bars {
		said += fmt.Sprintf(" %s, beside %s: %s times.", bar.Text, bar.Peer, number(ratios[i]))
	}
	return text(said)
}

// number returns a ratio with two digits that count, or whole.
func number(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}

// spaced returns a figure with a space between its thousands.
func spaced(figure string) string {
	whole, rest, point := strings.Cut(figure, ".")
	if strings.Contains(whole, " ") || len(whole) < 5 {
		return figure
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + " " + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return whole
}

func text(s string) string { return html.EscapeString(s) }

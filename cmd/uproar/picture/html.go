// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"bufio"
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"
)

//go:embed report.css
var style string

// HTML writes the report as one page. It has no script and asks nobody for anything, as its own
// policy says, too.
func (r *Report) HTML(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>%s: %s</title>
<style>
%s</style>
</head>
<body>
<main>
<header>
<h1>%s</h1>
<p>%s</p>
</header>
`, text(r.Index), text(r.Query), style, text(r.Query), text(r.under()))
	for _, b := range bands(r.charts()) {
		if b.whole != nil {
			b.whole.writeHTML(out)
			continue
		}
		for _, column := range b.columns {
			out.WriteString("<div>\n")
			for _, c := range column {
				c.writeHTML(out)
			}
			out.WriteString("</div>\n")
		}
	}
	out.WriteString("</main>\n</body>\n</html>\n")
	return out.Flush()
}

// under returns what stands below the title.
func (r *Report) under() string {
	return "An audience of the index " + r.Index + ", " + r.Made.Format("2006-01-02 15:04 MST")
}

func (c *chart) writeHTML(out *bufio.Writer) {
	class := "card"
	if c.whole {
		class = "card whole"
	}
	fmt.Fprintf(out, "<section class=%q>\n<h2>%s <small>%s</small></h2>\n", class, text(c.title), text(c.note))
	fmt.Fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">\n", c.width(), c.height,
		text(c.title+", "+c.note+"; the figures follow as a table"))
	for _, s := range c.shapes {
		s.writeSVG(out)
	}
	out.WriteString("</svg>\n")
	if len(c.table) > 1 {
		out.WriteString("<details><summary>Figures</summary><table>\n<thead><tr>")
		for _, name := range c.table[0] {
			fmt.Fprintf(out, `<th scope="col">%s</th>`, text(name))
		}
		out.WriteString("</tr></thead>\n<tbody>\n")
		for _, line := range c.table[1:] {
			out.WriteString("<tr>")
			for _, cell := range line {
				fmt.Fprintf(out, "<td>%s</td>", text(cell))
			}
			out.WriteString("</tr>\n")
		}
		out.WriteString("</tbody></table></details>\n")
	}
	out.WriteString("</section>\n")
}

// text returns a text to stand in HTML, and in its attributes.
func text(s string) string { return html.EscapeString(clean(s)) }

// classes are the names of inks in report.css.
var classes = strings.Fields("plain faint accent bar back tick w0 w1 w2 w3 h0 h1 h2 h3 h4 h5 h6 h7 h8 on-heat")

func (s *shape) writeSVG(out *bufio.Writer) {
	tip := ""
	if s.tip != "" {
		tip = "<title>" + text(s.tip) + "</title>"
	}
	if s.text == "" {
		fmt.Fprintf(out, `<rect class=%q x="%.1f" y="%.1f" width="%.1f" height="%.1f">%s</rect>`+"\n",
			classes[s.ink], s.x, s.y, s.w, s.h, tip)
		return
	}
	fmt.Fprintf(out, `<text class="%s%s" x="%.1f" y="%.1f" font-size="%.1f" text-anchor=%q`, classes[s.ink],
		map[bool]string{true: " bold"}[s.bold], s.x, s.y, s.size, [...]string{"start", "middle", "end"}[s.side])
	if !lacks(s.text) { // letters take the width that was measured, whichever font the browser has
		fmt.Fprintf(out, ` textLength="%.1f" lengthAdjust="spacingAndGlyphs"`, s.w)
	}
	fmt.Fprintf(out, ">%s%s</text>\n", tip, text(s.text))
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package benchwrite

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

const (
	chartWidth  = 60 // columns, of one or more intervals each
	chartHeight = 6  // lines
)

// eighths are bars of no to eight eighths of a line.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// printChart draws throughput over time: a bar for each interval. Of more intervals than there are
// columns, each bar has the slowest of several, so that no stall is smoothed away.
func printChart(out *bufio.Writer, title string, intervals []Interval) {
	if len(intervals) < 2 {
		return
	}
	each := (len(intervals) + chartWidth - 1) / chartWidth
	var bars []float64
	most := 0.0
	for i, in := range intervals {
		if i%each == 0 {
			bars = append(bars, in.PerSecond)
		}
		last := &bars[len(bars)-1]
		*last = min(*last, in.PerSecond)
	}
	for _, bar := range bars {
		most = max(most, bar)
	}
	if most == 0 {
		return
	}
	label := terminal.Count(int64(most))
	fmt.Fprintf(out, "\n%s over %s\n", title, terminal.Seconds(intervals[len(intervals)-1].At))
	for row := chartHeight - 1; row >= 0; row-- {
		var line strings.Builder
		for _, bar := range bars {
			height := int(bar/most*8*chartHeight+0.5) - 8*row
			line.WriteRune(eighths[min(max(height, 0), 8)])
		}
		name := ""
		switch row {
		case chartHeight - 1:
			name = label
		case 0:
			name = "0"
		}
		fmt.Fprintf(out, "%*s %s\n", len(label), name, strings.TrimRight(line.String(), " "))
	}
}

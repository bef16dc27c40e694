// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package picture

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/uproar-db/uproar/api"
)

// Report is what an audience consists of, and how it was asked for.
type Report struct {
	Index   string
	Query   string
	With    string   // the query of the other audience of a comparison
	Overlap []string // the queries of an overlap, without that of the audience
	Made    time.Time
	Answer  api.ReportReply
}

// charts lays out all that the answer has.
func (r *Report) charts() (list []chart) {
	list = append(list, r.size())
	for _, w := range r.Answer.Words {
		list = append(list, words(w.Field+": most frequent", "by count", w.Common, func(v api.Value) float64 {
			return float64(v.Count)
		}), words(w.Field+": most typical", "by lift", w.Typical, func(v api.Value) float64 { return v.Lift }))
	}
	if d := r.Answer.Demographics; d != nil {
		for _, f := range d.Fields {
			if f.Figures != nil {
				list = append(list, figures(f))
			} else {
				list = append(list, r.values(f.Field, fmt.Sprintf("%s have a value", count(f.With)), f.Values))
			}
		}
	}
	for _, v := range r.Answer.Values {
		list = append(list, r.values(v.Field, "values", v.Values))
	}
	if d := r.Answer.Demographics; d != nil {
		for _, x := range d.Crosses {
			list = append(list, cross(x))
		}
	}
	if c := r.Answer.Compare; c != nil {
		list = append(list, r.compared(c)...)
	}
	if len(r.Answer.Overlap) > 0 {
		list = append(list, r.overlap())
	}
	return list
}

func (r *Report) size() chart {
	s := r.Answer.Size
	c := chart{title: "Size", whole: true, height: 96}
	w := c.label(0, 46, c.width(), count(s.Records), shape{size: 48, bold: true, ink: accent})
	c.label(w+14, 46, c.width()-w, fmt.Sprintf("of %s records, %s", count(s.Of), percent(s.Share)),
		shape{size: 20, ink: faint})
	c.box(0, 68, c.width(), 18, back, "")
	if s.Records > 0 {
		c.box(0, 68, max(c.width()*s.Share, 2), 18, bar, percent(s.Share))
	}
	c.table = [][]string{{"records", "of", "share"}, {count(s.Records), count(s.Of), percent(s.Share)}}
	return c
}

var valueColumns = []string{"value", "records", "share", "among all", "lift"}

func valueLine(v api.Value) []string {
	return []string{named(v.Key), count(v.Count), percent(v.Share), count(v.Total), times(v.Lift)}
}

func valueTip(v api.Value) string {
	return fmt.Sprintf("%s: %s, %s; %s as frequent as among all", named(v.Key), count(v.Count), percent(v.Share),
		times(v.Lift))
}

func words(title, note string, values []api.Value, weight func(api.Value) float64) chart {
	c := chart{title: title, note: note, table: [][]string{valueColumns}}
	var list []word
	for _, v := range values {
		list = append(list, word{text: named(v.Key), weight: weight(v), tip: valueTip(v)})
		c.table = append(c.table, valueLine(v))
	}
	c.cloud(list)
	return c
}

func (r *Report) values(title, note string, values []api.Value) chart {
	c := chart{title: title, note: note + "; the mark: among all", table: [][]string{valueColumns}}
	var rows []row
	for _, v := range values {
		among := -1.0
		if r.Answer.Size.Of > 0 {
			among = float64(v.Total) / float64(r.Answer.Size.Of)
		}
		rows = append(rows, row{name: v.Key, share: v.Share, among: among, notes: [2]string{count(v.Count),
			percent(v.Share)}, tip: valueTip(v)})
		c.table = append(c.table, valueLine(v))
	}
	c.bars(rows)
	return c
}

// figures draws how numbers, days or times are spread.
func figures(f api.Distribution) chart {
	x := f.Figures
	if x == nil {
		x = &api.Figures{}
	}
	c := chart{title: f.Field, note: count(f.With) + " have a value", table: [][]string{
		{"least", "first quartile", "median", "third quartile", "greatest"}}}
	if x.Mean != nil {
		c.note += ", mean " + strconv.FormatFloat(*x.Mean, 'g', 6, 64)
	}
	if len(x.Quartiles) != 3 { // nobody has a value
		c.height = 26
		c.label(0, 18, c.width(), "none", shape{size: textSize, ink: faint})
		return c
	}
	var at [5]float64
	var texts [5]string
	for i, raw := range [5]json.RawMessage{x.Min, x.Quartiles[0], x.Quartiles[1], x.Quartiles[2], x.Max} {
		at[i], texts[i] = position(raw)
	}
	c.table = append(c.table, texts[:])
	c.spread(at, texts)
	return c
}

// position returns where a number, day or time stands among others, and its text.
func position(raw json.RawMessage) (at float64, text string) {
	if json.Unmarshal(raw, &text) != nil { // it is a number
		text = string(raw)
	}
	for _, form := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil {
			return float64(t.Unix()), text
		}
	}
	at, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(at, 0) || math.IsNaN(at) {
		return 0, text
	}
	return at, text
}

// cross draws two fields as a map, and three as a list.
func cross(x api.CrossTab) chart {
	c := chart{title: strings.Join(x.Fields, " by "), whole: true, note: "records",
		table: [][]string{append(append([]string{}, x.Fields...), "records", "share")}}
	if x.More {
		c.note = "records; there are more combinations than were asked for (--limit)"
	}
	var rows []row
	sums := [2]map[string]uint64{{}, {}}
	cells := make(map[[2]string]api.Cell)
	for _, cell := range x.Cells {
		c.table = append(c.table, append(append([]string{}, cell.Keys...), count(cell.Count), percent(cell.Share)))
		rows = append(rows, row{name: strings.Join(cell.Keys, ", "), share: cell.Share, among: -1,
			notes: [2]string{count(cell.Count), percent(cell.Share)}})
		if len(cell.Keys) == 2 {
			cells[[2]string(cell.Keys)] = cell
			sums[0][cell.Keys[0]] += cell.Count
			sums[1][cell.Keys[1]] += cell.Count
		}
	}
	if len(x.Fields) != 2 {
		c.bars(rows)
		return c
	}
	down, allDown := order(sums[0])
	along, allAlong := order(sums[1])
	if allDown > len(down) || allAlong > len(along) {
		c.note += fmt.Sprintf(", the %d most frequent of each", mostHeat)
	}
	c.grid(down, along, func(i, j int) (uint64, string) {
		cell, ok := cells[[2]string{down[i], along[j]}]
		if !ok && x.More {
			return 0, ""
		}
		return cell.Count, fmt.Sprintf("%s, %s: %s, %s", named(down[i]), named(along[j]), count(cell.Count),
			percent(cell.Share))
	})
	return c
}

func (r *Report) compared(of *api.CompareReply) (list []chart) {
	c := chart{title: "Beside " + clean(r.With), whole: true, table: [][]string{
		{"", "records"}, {"here", count(of.Records)}, {"there", count(of.Other)}, {"in both", count(of.Both)},
		{"in either", count(of.Either)}, {"Jaccard", strconv.FormatFloat(of.Jaccard, 'g', 3, 64)}}}
	var rows []row
	for i, n := range []uint64{of.Records, of.Other, of.Both} {
		rows = append(rows, row{name: []string{"here", "there", "in both"}[i], among: -1,
			share: float64(n) / float64(max(of.Either, 1)), notes: [2]string{count(n)}})
	}
	c.bars(rows)
	list = append(list, c)
	for _, f := range of.Fields {
		if f.Here != nil && f.There != nil {
			here, there := figures(*f.Here), figures(*f.There)
			here.title, there.title = here.title+": here", there.title+": there"
			list = append(list, here, there)
			continue
		}
		for i, values := range [][]api.Difference{f.More, f.Less} {
			c := chart{title: f.Field + []string{": more frequent here", ": less frequent here"}[i],
				note: "the mark: there", table: [][]string{
					{"value", "records", "share", "there", "share there", "ratio"}}}
			var rows []row
			for _, d := range values {
				tip := fmt.Sprintf("%s: %s here, %s there", named(d.Key), percent(d.Share), percent(d.OtherShare))
				rows = append(rows, row{name: d.Key, share: d.Share, among: d.OtherShare, tip: tip,
					notes: [2]string{percent(d.Share), times(d.Ratio)}})
				c.table = append(c.table, []string{named(d.Key), count(d.Count), percent(d.Share), count(d.OtherCount),
					percent(d.OtherShare), times(d.Ratio)})
			}
			c.bars(rows)
			list = append(list, c)
		}
	}
	return list
}

func (r *Report) overlap() chart {
	c := chart{title: "Overlap", whole: true, note: "records in both"}
	names := append([]string{r.Query}, r.Overlap...)
	names = names[:min(len(names), len(r.Answer.Overlap))]
	both := func(i, j int) uint64 {
		if row := r.Answer.Overlap[i]; j < len(row) {
			return row[j]
		}
		return 0 // a server has left it out
	}
	c.table = append(c.table, append([]string{""}, names...))
	for i, name := range names {
		line := []string{name}
		for j := range names {
			line = append(line, count(both(i, j)))
		}
		c.table = append(c.table, line)
	}
	if len(names) > mostHeat {
		c.note += fmt.Sprintf(", of the first %d", mostHeat)
		names = names[:mostHeat]
	}
	c.grid(names, names, func(i, j int) (uint64, string) {
		return both(i, j), fmt.Sprintf("%s and %s: %s", names[i], names[j], count(both(i, j)))
	})
	return c
}

// band is a part of the page from left to right: one chart, or two columns of them.
type band struct {
	whole   *chart
	columns [2][]*chart
}

// bands lays the charts out: halves go where there is more room above.
func bands(list []chart) (out []band) {
	var heights [2]float64
	for i := range list {
		c := &list[i]
		if c.whole {
			out = append(out, band{whole: c})
			continue
		}
		if len(out) == 0 || out[len(out)-1].whole != nil {
			out, heights = append(out, band{}), [2]float64{}
		}
		at := 0
		if heights[1] < heights[0] {
			at = 1
		}
		heights[at] += c.cardHeight() + gap
		last := &out[len(out)-1]
		last.columns[at] = append(last.columns[at], c)
	}
	return out
}

// cardHeight returns the height of the chart with what is around it.
func (c *chart) cardHeight() float64 { return c.height + heading + padding }

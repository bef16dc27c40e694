// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package chart

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"time"
)

// New returns a chart without bars of what a command measures now, on this machine.
func New(title, command string) *Chart {
	version := "Uproar of this tree"
	if built, ok := debug.ReadBuildInfo(); ok {
		for _, s := range built.Settings {
			if s.Key == "vcs.revision" {
				version = "Uproar at " + s.Value[:min(len(s.Value), 12)]
			}
		}
	}
	return &Chart{Title: title, Note: "Right of the line Uproar is ahead, left of it behind. All of one run.",
		Command: command, Version: version, Machine: fmt.Sprintf("%s/%s, %d processors, %s", runtime.GOOS,
			runtime.GOARCH, runtime.NumCPU(), time.Now().Format(time.DateOnly))}
}

// Add adds a bar of two figures that were measured behind those of its group. It leaves out what
// could not be measured.
func (c *Chart) Add(group string, b Bar, ours, theirs float64) {
	for _, x := range []float64{ours, theirs} {
		if !(x > 0) || math.IsInf(x, 0) {
			return
		}
	}
	b.Ours, b.Theirs = digits(ours), digits(theirs)
	b.Group = group
	at := len(c.Bars)
	for i := range c.Bars {
		if c.Bars[i].Group == group {
			at = i + 1
		}
	}
	c.Bars = slices.Insert(c.Bars, at, b)
}

// digits returns a figure with three digits that count, or whole.
func digits(x float64) string {
	if x >= 100 {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	places := 2 - int(math.Floor(math.Log10(x)))
	return strconv.FormatFloat(x, 'f', min(max(places, 0), 9), 64)
}

// WriteIf writes the chart if there is a name.
func (c *Chart) WriteIf(name string) error {
	if name == "" {
		return nil
	}
	return c.Write(name)
}

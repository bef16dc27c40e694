// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
)

// How often progress is shown: by a bar, and by a line where there cannot be one.
const (
	barEvery  = 100 * time.Millisecond
	lineEvery = 2 * time.Second
)

// progress shows how far something is: as a bar on a terminal, as a line now and then elsewhere.
// Not safe for concurrent use.
type progress struct {
	con   *console
	title string
	start time.Time
	last  time.Time // when it was last shown
	bar   *progressbar.ProgressBar
}

// progress begins to show something of which there are total; 0 if that is not known.
func (c *console) progress(title string, total int64) *progress {
	p := &progress{con: c, title: title, start: time.Now(), last: time.Now()}
	if !c.terminal {
		fmt.Fprintln(c.err, title)
		return p
	}
	if total <= 0 {
		total = -1
	}
	p.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(c.err),
		progressbar.OptionSetDescription(title),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(16), // all of it fits into 80 columns
		progressbar.OptionClearOnFinish(),
	)
	return p
}

// phases shows how far something is that has several phases, one after the other. finish is called
// at its end.
func (c *console) phases() (update func(what string, done, total int64), finish func()) {
	var shown *progress
	finish = func() {
		if shown != nil {
			shown.finish()
		}
	}
	return func(what string, done, total int64) {
		if shown == nil || shown.title != what {
			finish()
			shown = c.progress(what, total)
		}
		shown.update(done, total, "")
	}, finish
}

// update shows that done of total are done. The note says what else there is to say.
func (p *progress) update(done, total int64, note string) {
	every := lineEvery
	if p.bar != nil {
		every = barEvery
	}
	if time.Since(p.last) < every {
		return
	}
	p.last = time.Now()
	if p.bar != nil {
		p.bar.Describe(p.title + ": " + note)
		if total > 0 {
			if p.bar.GetMax64() != total {
				p.bar.ChangeMax64(total)
			}
			done = min(done, total) // a file may grow
		}
		_ = p.bar.Set64(done) // nothing can be done about a terminal that is gone
		return
	}
	left := ""
	if done > 0 && total > done {
		share := float64(done) / float64(total)
		rest := time.Duration(float64(time.Since(p.start)) * (1 - share) / share)
		left = fmt.Sprintf("%.0f%%, %s left, ", share*100, formatTook(rest.Round(time.Second)))
	}
	fmt.Fprintf(p.con.err, "%s: %s%s\n", p.title, left, note)
}

// line prints a line above the bar.
func (p *progress) line(text string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.con.err, text)
}

// finish removes the bar, so that a line can be printed in its place.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"
)

// How often progress is shown: by a bar, and by a line where there cannot be one.
const (
	BarEvery  = 100 * time.Millisecond
	LineEvery = 2 * time.Second
)

// Progress shows how far something is: as a bar on a terminal, as a line now and then elsewhere.
// Not safe for concurrent use.
type Progress struct {
	con   *Console
	title string
	Start time.Time
	Last  time.Time // when it was last shown
	bar   *progressbar.ProgressBar
}

// Progress begins to show progress towards total; 0 if the total is not known.
func (c *Console) Progress(title string, total int64) *Progress {
	p := &Progress{con: c, title: title, Start: time.Now(), Last: time.Now()}
	if !c.Terminal {
		fmt.Fprintln(c.Err, title)
		return p
	}
	if total <= 0 {
		total = -1
	}
	p.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(c.Err),
		progressbar.OptionSetDescription(title),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(16), // all of it fits into 80 columns
		progressbar.OptionClearOnFinish(),
	)
	return p
}

// Phases shows how far something is that has several phases, one after the other. finish is called
// at its end.
func (c *Console) Phases() (update func(what string, done, total int64), finish func()) {
	var shown *Progress
	finish = func() {
		if shown != nil {
			shown.Finish()
		}
	}
	return func(what string, done, total int64) {
		if shown == nil || shown.title != what {
			finish()
			shown = c.Progress(what, total)
		}
		shown.Update(done, total, "")
	}, finish
}

// Update shows that done of total are done. The note says what else there is to say.
func (p *Progress) Update(done, total int64, note string) {
	every := LineEvery
	if p.bar != nil {
		every = BarEvery
	}
	if time.Since(p.Last) < every {
		return
	}
	p.Last = time.Now()
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
		rest := time.Duration(float64(time.Since(p.Start)) * (1 - share) / share)
		left = fmt.Sprintf("%.0f%%, %s left, ", share*100, Took(rest.Round(time.Second)))
	}
	fmt.Fprintf(p.con.Err, "%s: %s%s\n", p.title, left, note)
}

// Line prints a line above the bar.
func (p *Progress) Line(text string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	fmt.Fprintln(p.con.Err, text)
}

// Finish removes the bar, so that a line can be printed in its place.
func (p *Progress) Finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package chart draws how many times as fast a database is as its peers, as an SVG that is legible
// on light and on dark pages. The figures are kept beside it as JSON, with the command that found
// them, so that the same picture can be drawn again.
package chart

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Chart is a picture, and where its figures are from.
type Chart struct {
	Title   string `json:"title"`
	Note    string `json:"note"`              // below the title
	Command string `json:"command,omitempty"` // that found the figures
	Version string `json:"version,omitempty"` // of what was measured
	Machine string `json:"machine,omitempty"`
	Bars    []Bar  `json:"bars"`
}

// Bar is one figure beside that of a peer.
type Bar struct {
	Group string `json:"group,omitempty"` // what several bars, one after the other, have in common
	Text  string `json:"text"`
	Peer  string `json:"peer"`
	// as a document has them: digits, perhaps with a point, and spaces between thousands
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
	Unit   string `json:"unit"`
	More   bool   `json:"more,omitempty"` // is better, as of requests a second; of times less is

	// Said stands in the place of the figures and the peer, if not empty.
	Said string `json:"said,omitempty"`

	// Page is the document that has the figures, and Row what its line in a table begins with;
	// TheirRow that of the peer's, if it is another.
	Page     string `json:"page,omitempty"`
	Row      string `json:"row,omitempty"`
	TheirRow string `json:"their_row,omitempty"`

	// Of a bar that comes from another chart, what that one says of its figures.
	Command string `json:"command,omitempty"`
	Version string `json:"version,omitempty"`
	Machine string `json:"machine,omitempty"`
}

// ErrChart is in the errors of charts that cannot be drawn.
var ErrChart = errors.New("chart: cannot be drawn")

// Ratio returns how many times as good ours is as theirs.
func (b *Bar) Ratio() (float64, error) {
	of := func(text string) (float64, error) {
		x, err := strconv.ParseFloat(strings.ReplaceAll(text, " ", ""), 64)
		if err != nil || !(x > 0 && x < 1e15) {
			return 0, fmt.Errorf("%w: %s: got the figure %q, want a number above 0", ErrChart, b.Text, text)
		}
		return x, nil
	}
	ours, err := of(b.Ours)
	if err != nil {
		return 0, err
	}
	theirs, err := of(b.Theirs)
	if err != nil {
		return 0, err
	}
	if b.More {
		return ours / theirs, nil
	}
	return theirs / ours, nil
}

// Read reads the figures of a file.
func Read(name string) (c Chart, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return c, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("chart: %s: %w", name, err)
	}
	return c, nil
}

// Write writes NAME.json and NAME.svg.
func (c *Chart) Write(name string) error {
	picture, err := c.SVG()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".json", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(name+".svg", picture, 0o644)
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// A joint says which bars of charts that commands have written stand in one picture.
type joint struct {
	Title string `json:"title"`
	Note  string `json:"note"`
	Bars  []pick `json:"bars"`
}

// pick is a bar of a chart, by what its command calls it, and what the picture says of it instead.
type pick struct {
	File  string `json:"file"` // beside the joint
	Group string `json:"group"`
	Text  string `json:"text"`
	Peer  string `json:"peer"`
	Shown Bar    `json:"shown"`
}

// Join returns the chart that a joint's file describes. Its figures are those of the charts that it
// names, each with the command, the version and the machine of its chart.
func Join(name string) (c *Chart, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var j joint
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&j); err != nil {
		return nil, fmt.Errorf("chart: %s: %w", name, err)
	}
	c = &Chart{Title: j.Title, Note: j.Note}
	for _, p := range j.Bars {
		of, err := Read(filepath.Join(filepath.Dir(name), filepath.Base(p.File)))
		if err != nil {
			return nil, err
		}
		b, err := of.find(p)
		if err != nil {
			return nil, err
		}
		s := p.Shown
		s.Ours, s.Theirs, s.Unit, s.More, s.Said = b.Ours, b.Theirs, b.Unit, b.More, b.Said
		s.Command, s.Version, s.Machine = of.Command, of.Version, of.Machine
		c.Bars = append(c.Bars, s)
	}
	return c, nil
}

// find returns the one bar that a pick means.
func (c *Chart) find(p pick) (found Bar, err error) {
	n := 0
	for _, b := range c.Bars {
		if b.Group == p.Group && b.Text == p.Text && b.Peer == p.Peer {
			found = b
			n++
		}
	}
	if n != 1 {
		return found, fmt.Errorf("%w: %s: got %d bars %q, %q beside %q, want one", ErrChart, p.File, n, p.Group, p.Text,
			p.Peer)
	}
	return found, nil
}

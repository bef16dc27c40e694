// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package chart

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// Command draws the charts of files with figures anew, each as an SVG beside its JSON. With -join
// it writes one of bars of several.
func Command(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("chart", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintln(stderr, "usage: bench chart FILE.json ...: draws FILE.svg\n"+
			"bench chart -join BARS.json FILE.json: writes both, of charts that commands have written with -chart")
	}
	join := f.String("join", "", "")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return fmt.Errorf("chart: want files with figures, as docs/images/beside.json")
	}
	if *join != "" && f.NArg() != 1 {
		return fmt.Errorf("chart: got %d files for -join, want one", f.NArg())
	}
	for _, name := range f.Args() {
		base, ok := strings.CutSuffix(name, ".json")
		if !ok {
			return fmt.Errorf("chart: got the file %q, want one that ends in .json", name)
		}
		if *join != "" {
			c, err := Join(*join)
			if err != nil {
				return err
			}
			if err := c.Write(base); err != nil {
				return err
			}
		}
		c, err := Read(name)
		if err != nil {
			return err
		}
		picture, err := c.SVG()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := os.WriteFile(base+".svg", picture, 0o644); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(stdout, base+".svg"); err != nil {
			return err
		}
	}
	return nil
}

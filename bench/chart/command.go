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

// Command draws the charts of files with figures anew, each as an SVG beside its JSON.
func Command(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("chart", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { fmt.Fprintln(stderr, "usage: bench chart FILE.json ...: draws FILE.svg") }
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() == 0 {
		return fmt.Errorf("chart: want files with figures, as docs/images/beside.json")
	}
	for _, name := range f.Args() {
		base, ok := strings.CutSuffix(name, ".json")
		if !ok {
			return fmt.Errorf("chart: got the file %q, want one that ends in .json", name)
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

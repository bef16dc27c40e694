// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"encoding/json"
	"fmt"
	"io"
)

// Report writes what a benchmark measured: as JSON for programs, or by print for people.
func Report[R any](w io.Writer, asJSON bool, r R, print func(io.Writer, R) error) error {
	if !asJSON {
		return print(w, r)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// Tell ends a command that has done something: with an object in JSON on one line for programs, or
// with the text of format for people.
func Tell(w io.Writer, asJSON bool, object any, format string, args ...any) error {
	if asJSON {
		return json.NewEncoder(w).Encode(object)
	}
	_, err := fmt.Fprintf(w, format, args...)
	return err
}

// JSONFlag is the flag of commands that end with Tell.
type JSONFlag struct {
	JSON bool `name:"json" help:"Print what was done as one JSON object."`
}

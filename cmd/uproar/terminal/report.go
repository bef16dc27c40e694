// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"encoding/json"
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

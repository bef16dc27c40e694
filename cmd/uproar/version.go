// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"runtime"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// versionCommand prints the version of the program.
type versionCommand struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// Run prints one line: version, commit, Go and platform.
func (c *versionCommand) Run(con *terminal.Console) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	return terminal.Tell(con.Out, c.JSON, struct {
		Version  string `json:"version"`
		Commit   string `json:"commit,omitempty"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{uproar.Version, uproar.Revision(), runtime.Version(), platform}, "uproar %s, commit %s, %s, %s\n",
		uproar.Version, cmp.Or(uproar.Revision(), "unknown"), runtime.Version(), platform)
}

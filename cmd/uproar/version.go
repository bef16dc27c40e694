// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"runtime/debug"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// versionCommand prints the version of the program.
type versionCommand struct {
	JSON bool `name:"json" help:"Print one JSON object."`
}

// Run prints one line: version, revision if it is known, Go and platform.
func (c *versionCommand) Run(con *terminal.Console) error {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	return terminal.Tell(con.Out, c.JSON, struct {
		Version  string `json:"version"`
		Go       string `json:"go"`
		Platform string `json:"platform"`
	}{programVersion(), runtime.Version(), platform}, "uproar %s %s %s\n", programVersion(), runtime.Version(),
		platform)
}

// programVersion returns what the build recorded: the module's version, or the revision that it was
// built from.
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	version := "devel"
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			version += "-" + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			version += "-modified"
		}
	}
	return version
}

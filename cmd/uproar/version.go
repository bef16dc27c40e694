// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// versionCommand prints the version of the program.
type versionCommand struct{}

// Run prints one line: version, revision if it is known, Go and platform.
func (*versionCommand) Run(con *terminal.Console) error {
	_, err := fmt.Fprintf(con.Out, "uproar %s %s %s/%s\n", programVersion(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
	return err
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

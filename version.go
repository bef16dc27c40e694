// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"regexp"
	"runtime/debug"
)

// Version is the version of this module.
const Version = "0.1.0"

// Revision returns the commit that the program was built from, with "-modified" behind it when its
// files had changed since. It returns "" when the build has recorded none.
func Revision() string {
	if info, ok := debug.ReadBuildInfo(); ok && commit == "" {
		return revision(info)
	}
	return commit
}

// pseudo matches the version of a module that was fetched at a commit without a tag.
var pseudo = regexp.MustCompile(`[-.]\d{14}-[0-9a-f]{12}$`)
var commit string // of builds without Git: -ldflags "-X github.com/uproar-db/uproar.commit=..."

func revision(of *debug.BuildInfo) string {
	at, modified := pseudo.FindString(of.Main.Version), ""
	at = at[max(len(at)-12, 0):]
	for _, s := range of.Settings {
		if s.Key == "vcs.revision" {
			at = s.Value
		} else if s.Key == "vcs.modified" && s.Value == "true" {
			modified = "-modified"
		}
	}
	return at + modified
}

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
	if info, ok := debug.ReadBuildInfo(); ok {
		return revision(info)
	}
	return ""
}

// pseudo matches the version of a module that was fetched at a commit without a tag.
var pseudo = regexp.MustCompile(`[-.]\d{14}-([0-9a-f]{12})$`)

func revision(of *debug.BuildInfo) (commit string) {
	modified := ""
	if m := pseudo.FindStringSubmatch(of.Main.Version); m != nil {
		commit = m[1]
	}
	for _, s := range of.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		} else if s.Key == "vcs.modified" && s.Value == "true" {
			modified = "-modified"
		}
	}
	return commit + modified
}

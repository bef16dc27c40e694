// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import "runtime/debug"

// Version is the version of this module.
const Version = "0.1.0"

// Revision returns the commit that the program was built from, with "-modified" behind it when its
// files had changed since. It returns "" when the build has recorded none.
func Revision() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "-modified"
		}
	}
	if revision == "" {
		return ""
	}
	return revision + modified
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar

import (
	"runtime/debug"
	"testing"
)

// TestRevision: the commit is that of the repository, or that in the version of a module that was
// fetched.
func TestRevision(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, c := range []struct{ module, revision, modified, want string }{
		{"(devel)", commit, "false", commit},
		{"(devel)", commit, "true", commit + "-modified"},
		{"(devel)", "", "", ""},
		{"v0.1.0", "", "", ""},
		{"v0.0.0-20261129123456-0123456789ab", "", "", "0123456789ab"},
		{"v0.1.1-0.20261129123456-0123456789ab", "", "", "0123456789ab"},
		{"v0.1.1-0.20261129123456-0123456789ab+dirty", commit, "true", commit + "-modified"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: c.module}}
		if c.revision != "" { // Go gives them by name
			info.Settings = []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.modified", Value: c.modified},
				{Key: "vcs.revision", Value: c.revision}}
		}
		if got := revision(info); got != c.want {
			t.Errorf("%+v: got %q, want %q", c, got, c.want)
		}
	}
}

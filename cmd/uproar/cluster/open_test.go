// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"strings"
	"testing"
)

// TestPlace: what is printed of a URL tells where the log is, and no secret.
func TestPlace(t *testing.T) {
	for url, want := range map[string]string{
		"cql://me:secret@h1:9042,h2/space/a?timeout=3s": "cql://h1:9042,h2/space/a",
		"cql://me:se@cret@h1/space":                     "cql://h1/space",
		"s3://bucket/prefix?region=x&secret_key=secret": "s3://bucket/prefix",
		"file:///tmp/log":                               "file:///tmp/log",
		"mem://":                                        "mem://",
		"nonsense":                                      "nonsense",
	} {
		if got := place(url); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
	if _, err := Open(t.Context(), "s3://me:secret@%zz/p"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("a URL that cannot be read: got %v, want an error without the password", err)
	}
}

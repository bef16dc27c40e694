// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package blob_test

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/blob"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

func TestMemory(t *testing.T) {
	shiptest.RunEngine(t, func(t *testing.T) ship.Engine { return open(t, "mem://b/a/prefix") })
}

func TestFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("store/ship/folder runs the suite in short")
	}
	shiptest.RunEngine(t, func(t *testing.T) ship.Engine { return open(t, "file://"+t.TempDir()+"/new") })
}

func TestOpenRefuses(t *testing.T) {
	for at, want := range map[string]string{
		"":                                `got scheme "", want one of azblob, gs, mem, s3, file`,
		"/tmp/x":                          `got scheme ""`,
		"s3:///prefix":                    "without a bucket",
		"gs://":                           "without a bucket",
		"s3://b--use1-az4--x-s3?region=r": "directory bucket",
		"ftp://b":                         `got scheme "ftp"`,
		"://":                             "URL of storage",
		"s3://b/a b":                      "prefix of s3://b/a%20b",
		"s3://b/../x":                     "prefix of",
		"s3://b/p?nonsense=1":             "nonsense",
		"s3://b/p?use_path_style=perhaps": "use_path_style",
		"file://folder/x":                 "want file:///folder",
		"file:folder":                     "want file:///folder",
		"file:///tmp/x?a=b":               "want file:///folder",
	} {
		e, err := blob.Open(t.Context(), at)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open(%q): got %v, %v; want an error with %q", at, e, err, want)
		}
	}
}

// TestOpenHidesSecrets: errors do not have the parameters, which may be secrets.
func TestOpenHidesSecrets(t *testing.T) {
	_, err := blob.Open(t.Context(), "s3://b/p?region=r&unknown=hush")
	if err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("Open: got %v, want an error without the value of a parameter", err)
	}
}

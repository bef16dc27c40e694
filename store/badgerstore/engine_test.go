// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package badgerstore

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEngineTexts holds Badger's source to the remarks that logger listens for: a version that
// words them otherwise must not go unnoticed.
func TestEngineTexts(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/dgraph-io/badger/v4").Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("no source of Badger here: %v", err)
	}
	for text, file := range map[string]string{
		`Errorf("Error while curlf sync: %v\n", err)`: "value.go",
		`Infof("` + rewriting + `", f.fid)`:           "value.go",
		`Errorf("Ignoring table %s", `:                "levels.go",
	} {
		source, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(source), text) {
			t.Errorf("Badger's %s no longer has %s: look how it tells of this now, and change logger", file, text)
		}
	}
}

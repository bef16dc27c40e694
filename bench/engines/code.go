// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package engines

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// packages are where the stores are.
var packages = map[string]string{"badger": "github.com/uproar-db/uproar/bench/badgerengine",
	"bbolt": "github.com/uproar-db/uproar/store/bboltstore", "pebble": "github.com/uproar-db/uproar/store/pebblestore"}

// code counts the lines of a store and its rooms, without tests, and the modules that it needs
// beside ours. What stores share is not counted.
func code(engine string) (figures, error) {
	files, err := list("-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`, packages[engine]+"/...")
	if err != nil {
		return nil, err
	}
	lines := 0
	for _, file := range files {
		text, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			return nil, err
		}
		lines += bytes.Count(text, []byte("\n"))
	}
	needed, err := list("-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", packages[engine])
	if err != nil {
		return nil, err
	}
	modules := map[string]bool{}
	for _, m := range needed {
		if !strings.HasPrefix(m, "github.com/uproar-db/") {
			modules[m] = true
		}
	}
	return figures{"lines": float64(lines), "modules": float64(len(modules))}, nil
}

// list returns the words that "go list" prints.
func list(args ...string) ([]string, error) {
	var failed bytes.Buffer
	c := exec.Command("go", append([]string{"list"}, args...)...)
	c.Stderr = &failed
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, failed.String())
	}
	return strings.Fields(string(out)), nil
}

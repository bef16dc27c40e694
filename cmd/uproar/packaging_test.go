// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReleaseFile: goreleaser takes its file, and each file that stands there is made or there.
func TestReleaseFile(t *testing.T) {
	text, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sources := regexp.MustCompile(`(?m)(?:src:|install:|remove:) (\S+)`).FindAllSubmatch(text, -1)
	if len(sources) < 10 {
		t.Errorf("got %d files, want more", len(sources))
	}
	for _, m := range sources {
		name := string(m[1])
		if strings.HasPrefix(name, "bin/package/") {
			continue // scripts/package --files makes it
		}
		if _, err := os.Stat(filepath.Join("../..", name)); err != nil {
			t.Error(err)
		}
	}
	tool, err := exec.LookPath("goreleaser")
	if err != nil {
		t.Skip("there is no goreleaser here: scripts/package says how to get it")
	}
	check := exec.Command(tool, "check")
	check.Dir = "../.."
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("goreleaser check: %v\n%s", err, out)
	}
}

// TestPackagedCommands: the program takes the command lines with which packages start it, and the
// file that they have.
func TestPackagedCommands(t *testing.T) {
	const config = "../../packaging/systemd/uproar.toml"
	for file, pattern := range map[string]string{
		"../../packaging/systemd/uproar.service": `(?m)^ExecStart=/usr/bin/uproar (serve .*)$`,
		"../../packaging/linux/uproar.openrc":    `(?m)^command_args="(serve .*)"$`,
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		line := regexp.MustCompile(pattern).FindSubmatch(text)
		if line == nil {
			t.Fatalf("%s: got no command", file)
		}
		args := strings.Fields(strings.ReplaceAll(string(line[1]), "/etc/uproar/uproar.toml", config))
		args[0] = "config"
		var shown, failed bytes.Buffer
		none := func(string) string { return "" }
		if code := run(t.Context(), args, strings.NewReader(""), &shown, &failed, none); code != 0 ||
			!strings.Contains(shown.String(), config) {
			t.Errorf("%s: got %d, %s\n%s", file, code, failed.String(), shown.String())
		}
	}
	for _, script := range []string{"postinstall.sh", "preremove.sh", "uproar.openrc"} {
		if out, err := exec.Command("sh", "-n", "../../packaging/linux/"+script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
}

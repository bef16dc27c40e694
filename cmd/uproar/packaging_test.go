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

// installed returns where a program is that .ci/run installs, by the variable with which it does.
// If that is set and the program is missing, the test fails; otherwise it is skipped without it.
func installed(t *testing.T, program, variable string) string {
	t.Helper()
	ci, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`["/ ]` + program + `(?:/v\d+)?[=@]`).Match(ci) {
		t.Fatalf(".ci/run does not install %s", program)
	}
	path, err := exec.LookPath(program)
	switch set := os.Getenv(variable); {
	case err != nil && (set == "true" || set == "1"):
		t.Fatalf("there is no %s, though %s=%s", program, variable, set)
	case err != nil:
		t.Skipf("there is no %s here: .ci/run installs it if %s is set", program, variable)
	}
	return path
}

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
	check := exec.Command(installed(t, "goreleaser", "UPROAR_CI_RELEASE"), "check")
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

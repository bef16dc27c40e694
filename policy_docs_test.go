// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

var (
	inlineLink    = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)`)
	referenceLink = regexp.MustCompile(`^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)`)
	codeSpan      = regexp.MustCompile("`+[^`]*`+")
	scheme        = regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
)

// checkLinks finds relative links of Markdown files that lead nowhere, or out of the repository.
func checkLinks(t *tree) (findings []string) {
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		if path.Ext(p) != ".md" {
			continue
		}
		fenced, number := false, 0
		for line := range strings.Lines(t.texts[p]) {
			number++
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") ||
				strings.HasPrefix(trimmed, "~~~") {
				fenced = !fenced
				continue
			}
			if fenced {
				continue
			}
			line = codeSpan.ReplaceAllString(line, "")
			for _, m := range slices.Concat(inlineLink.FindAllStringSubmatch(line, -1),
				referenceLink.FindAllStringSubmatch(line, -1)) {
				if reason := brokenLink(t.fsys, p, m[1]); reason != "" {
					findings = append(findings, fmt.Sprintf("%s:%d: link %s %s", p, number, m[1], reason))
				}
			}
		}
	}
	return findings
}

func brokenLink(fsys fs.FS, from, link string) (reason string) {
	if scheme.MatchString(link) || strings.HasPrefix(link, "#") {
		return ""
	}
	target, _, _ := strings.Cut(link, "#")
	target, err := url.PathUnescape(target)
	if err != nil {
		return "is malformed: " + err.Error()
	}
	if strings.HasPrefix(target, "/") {
		return "is absolute, want one relative to the file"
	}
	target = path.Join(path.Dir(from), target)
	if target == ".." || strings.HasPrefix(target, "../") {
		return "leads out of the repository"
	}
	if _, err := fs.Stat(fsys, target); err != nil {
		return "leads to no file"
	}
	return ""
}

// machinePath is an absolute path below somebody's home or working directory, not a part of a
// longer path or address.
var machinePath = regexp.MustCompile(`(?:^|[^\w.\-/~}*]|file://)(/(?:work|root|home|Users)/[^\s"'` + "`" + `)]*)`)

// checkMachinePaths finds texts and sources that speak of a path that exists on one machine only.
func checkMachinePaths(t *tree) (findings []string) {
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		number := 0
		for line := range strings.Lines(t.texts[p]) {
			number++
			for _, m := range machinePath.FindAllStringSubmatch(line, -1) {
				findings = append(findings, fmt.Sprintf("%s:%d: %s is a path of somebody's machine", p, number, m[1]))
			}
		}
	}
	return findings
}

var changeLine = regexp.MustCompile(`^- \[(FEATURE|CHANGE|PERF|BUGFIX|SECURITY)\] ([a-z0-9/,. ]+): \S.*$`)

// checkChangelog finds entries of the changelog that are not of the form "- [KIND] area: what".
func checkChangelog(t *tree) (findings []string) {
	const name = "CHANGELOG.md"
	text, ok := t.texts[name]
	if !ok || !strings.Contains(text, "\n## Unreleased\n") {
		return []string{name + ": want a changelog with a section \"## Unreleased\""}
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.HasPrefix(strings.TrimSpace(line), "- ") && !changeLine.MatchString(strings.TrimRight(line, "\n")) {
			findings = append(findings, fmt.Sprintf("%s:%d: %q is not of the form %s", name, number,
				strings.TrimSpace(line), changeLine))
		}
	}
	return findings
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"io/fs"
	"iter"
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

// checkLinks finds relative links of Markdown files that lead nowhere, or out of the repository. It
// also finds anchors that are no heading of their target.
func checkLinks(t *tree) (findings []string) {
	headings := make(map[string]map[string]bool)
	for _, p := range slices.Sorted(maps.Keys(t.texts)) {
		if path.Ext(p) != ".md" {
			continue
		}
		for number, line := range unfenced(t.texts[p]) {
			line = codeSpan.ReplaceAllString(line, "")
			for _, m := range slices.Concat(inlineLink.FindAllStringSubmatch(line, -1),
				referenceLink.FindAllStringSubmatch(line, -1)) {
				if reason := brokenLink(t.fsys, headings, p, m[1]); reason != "" {
					findings = append(findings, fmt.Sprintf("%s:%d: link %s %s", p, number, m[1], reason))
				}
			}
		}
	}
	return findings
}

// unfenced returns the lines of a Markdown text that stand outside of code fences, with their
// numbers.
func unfenced(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		fenced, number := false, 0
		for line := range strings.Lines(text) {
			number++
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "```") ||
				strings.HasPrefix(trimmed, "~~~") {
				fenced = !fenced
				continue
			}
			if !fenced && !yield(number, line) {
				return
			}
		}
	}
}

// brokenLink says what is wrong with a link, or nothing. Headings are the anchors of the files that
// were asked for before.
func brokenLink(fsys fs.FS, headings map[string]map[string]bool, from, link string) (reason string) {
	if scheme.MatchString(link) {
		return ""
	}
	target, anchor, _ := strings.Cut(link, "#")
	target, err := url.PathUnescape(target)
	if err != nil {
		return "is malformed: " + err.Error()
	}
	if anchor, err = url.PathUnescape(anchor); err != nil {
		return "is malformed: " + err.Error()
	}
	if strings.HasPrefix(target, "/") {
		return "is absolute, want one relative to the file"
	}
	if target == "" {
		target = from
	} else {
		target = path.Join(path.Dir(from), target)
	}
	if target == ".." || strings.HasPrefix(target, "../") {
		return "leads out of the repository"
	}
	info, err := fs.Stat(fsys, target)
	if err != nil {
		return "leads to no file"
	}
	if info.IsDir() {
		target = path.Join(target, "README.md")
	}
	if anchor == "" || path.Ext(target) != ".md" {
		return ""
	}
	if headings[target] == nil {
		text, err := fs.ReadFile(fsys, target)
		if err != nil {
			return "leads to a heading of no file"
		}
		headings[target] = headingAnchors(string(text))
	}
	if !headings[target][anchor] {
		return "leads to no heading of " + target
	}
	return ""
}

var (
	heading     = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?\s*$`)
	linkedText  = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	notInAnchor = regexp.MustCompile(`[^\p{L}\p{M}\p{N}\p{Pc}\- ]`)
)

// headingAnchors returns the anchors that GitHub gives to the headings of a Markdown text: small
// letters, digits, low lines and hyphens, with a hyphen for each space, and a number where another
// heading has the same text.
func headingAnchors(text string) map[string]bool {
	found := make(map[string]bool)
	for _, line := range unfenced(text) {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		plain := strings.ToLower(linkedText.ReplaceAllString(m[1], "$1"))
		plain = strings.ReplaceAll(notInAnchor.ReplaceAllString(plain, ""), " ", "-")
		anchor := plain
		for n := 1; found[anchor]; n++ {
			anchor = fmt.Sprintf("%s-%d", plain, n)
		}
		found[anchor] = true
	}
	return found
}

// machinePath is an absolute path below somebody's home or working directory. It is not a part of a
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

// maxDocumentWords bounds the words of all documents together, except those in server/. If you add
// a page, shorten another one.
const maxDocumentWords = 75_000

// checkWords finds documents that are too long together.
func checkWords(t *tree) []string {
	n := 0
	for name, text := range t.texts {
		if strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "server/") {
			n += len(strings.Fields(text))
		}
	}
	if n > maxDocumentWords {
		return []string{fmt.Sprintf("documents: have %d words, want at most %d", n, maxDocumentWords)}
	}
	return nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// operationsText says of calls what their summaries do not: rules, and examples.
//
//go:embed operations.md
var operationsText string

// chapter is a part of operations.md.
type chapter struct {
	title string
	calls []string // such as "GET /healthz"; none: the text is about every call
	text  string
}

var callLine = regexp.MustCompile(`^(GET|POST) /`)

// chapters returns the chapters of operations.md, in their order.
func chapters() (all []chapter) {
	for _, part := range strings.Split(operationsText, "\n## ")[1:] {
		title, rest, _ := strings.Cut(part, "\n")
		c := chapter{title: title}
		for callLine.MatchString(rest) {
			var call string
			call, rest, _ = strings.Cut(rest, "\n")
			c.calls = append(c.calls, call)
		}
		c.text = strings.TrimSpace(rest)
		all = append(all, c)
	}
	return all
}

var (
	shownCommand = regexp.MustCompile("(?ms)^```(console)?\n(\\$ )?(curl|uproar) .*?^```\n*")
	markdownLink = regexp.MustCompile(`\[([^\]\n]+)\]\([^)\n]+\)`)
)

// description returns the text as openapi.json has it: without commands, and without links, which
// lead nowhere there.
func (c *chapter) description() string {
	text := shownCommand.ReplaceAllString(c.text+"\n", "")
	return strings.TrimSpace(markdownLink.ReplaceAllString(text, "$1"))
}

// descriptionOf returns what operations.md says of a call, and of every call for "".
func descriptionOf(call string) string {
	var texts []string
	for _, c := range chapters() {
		switch {
		case call == "" && c.calls == nil:
			texts = append(texts, "## "+c.title+"\n\n"+c.description())
		case slices.Contains(c.calls, call):
			texts = append(texts, c.description())
		}
	}
	return strings.Join(texts, "\n\n")
}

// TestOperationTexts checks that each call has its place in operations.md, and that what stands
// there is a call.
func TestOperationTexts(t *testing.T) {
	var described []string
	for _, c := range chapters() {
		described = append(described, c.calls...)
	}
	for _, o := range operations {
		call := o.Method + " " + o.Path
		i := slices.Index(described, call)
		if i < 0 {
			t.Errorf("operations.md has no place for %s", call)
			continue
		}
		described = slices.Delete(described, i, i+1)
	}
	if len(described) > 0 {
		t.Errorf("operations.md has %q twice, or they are no calls", described)
	}
}

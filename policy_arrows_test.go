// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A rule is one rule of the arrows table.
type rule struct {
	text    string
	who     []string
	tests   bool // also for _test.go files
	verb    string
	what    []string
	because string
}

const (
	importsOnly  = "imports only"
	neverImports = "never imports"
	neverReaches = "never reaches"
)

var ruleLine = regexp.MustCompile(`^(.+?) (imports only|never imports|never reaches): (.+)$`)

// parseArrows reads an arrows table: its rules, groups resolved, and the planned packages.
func parseArrows(table string) (rules []rule, planned []string, err error) {
	groups := make(map[string][]string)
	resolve := func(words string) (list []string) {
		for _, w := range strings.Fields(words) {
			if group, ok := groups[w]; ok {
				list = append(list, group...)
			} else if w == strings.ToUpper(w) && w != "C" && strings.ContainsFunc(w, func(r rune) bool {
				return r >= 'A' && r <= 'Z'
			}) {
				err = errors.Join(err, fmt.Errorf("arrows: no group %q", w))
			} else {
				list = append(list, w)
			}
		}
		return list
	}
	for line := range strings.Lines(table) {
		line = strings.TrimRight(line, "\n")
		if text, ok := strings.CutPrefix(line, "\tbecause "); ok && len(rules) > 0 {
			rules[len(rules)-1].because = text
		} else if name, words, ok := strings.Cut(line, " = "); ok {
			groups[strings.TrimSpace(name)] = resolve(words)
		} else if words, ok := strings.CutPrefix(line, "planned: "); ok {
			planned = append(planned, resolve(words)...)
		} else if m := ruleLine.FindStringSubmatch(line); m != nil {
			who, tests := strings.CutSuffix(m[1], " +tests")
			rules = append(rules, rule{text: line, who: resolve(who), tests: tests, verb: m[2], what: resolve(m[3])})
		} else if line != "" {
			err = errors.Join(err, fmt.Errorf("arrows: cannot read line %q", line))
		}
	}
	for _, r := range rules {
		if r.because == "" {
			err = errors.Join(err, fmt.Errorf("arrows: no reason is given for %q", r.text))
		}
	}
	return rules, planned, err
}

// matches reports whether a pattern of the table means a folder of this module (local) or an import
// path.
func matches(pattern, name string, local bool) bool {
	switch first, _, _ := strings.Cut(name, "/"); pattern {
	case "std":
		return !local && !strings.Contains(first, ".")
	case "lib":
		return !local && strings.Contains(first, ".")
	case "...":
		return local
	}
	if rest, ok := strings.CutPrefix(pattern, "!"); ok {
		return !slices.ContainsFunc(strings.Split(rest, "|"), func(p string) bool { return matches(p, name, local) })
	}
	if dir, ok := strings.CutSuffix(pattern, "/..."); ok {
		return name == dir || strings.HasPrefix(name, dir+"/")
	}
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

func anyMatches(patterns []string, im imported) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return p == im.path || !im.use && matches(p, im.path, im.local)
	})
}

// checkArrows finds the imports that a table of arrows forbids.
func checkArrows(t *tree, table string) (findings []string) {
	rules, _, err := parseArrows(table)
	if err != nil {
		return []string{err.Error()}
	}
	packages := t.packages()
	for _, s := range t.sources {
		if s.ignored {
			continue
		}
		for _, r := range rules {
			concerns := slices.ContainsFunc(r.who, func(p string) bool { return matches(p, s.dir(), true) })
			if !concerns || s.test && !r.tests {
				continue
			}
			for _, im := range s.imports {
				if im.local && im.path == s.dir() {
					continue // an external test of the package itself
				}
				if chain := r.broken(packages, s.dir(), im); chain != nil {
					findings = append(findings, fmt.Sprintf("%s:%d: %s\n\tbreaks \"%s\"\n\tbecause %s",
						s.path, im.line, strings.Join(chain, " → "), r.text, r.because))
				}
			}
		}
	}
	return findings
}

// broken returns the way from a package over one of its imports to what the rule forbids, or nil.
func (r rule) broken(packages map[string][]*source, from string, im imported) []string {
	switch r.verb {
	case importsOnly:
		if im.use || anyMatches(r.what, im) {
			return nil
		}
		return []string{from, im.path}
	case neverImports:
		if !anyMatches(r.what, im) {
			return nil
		}
		return []string{from, im.path}
	}
	type step struct {
		imported
		back *step
	}
	queue, seen := []*step{{imported: im}}, map[string]bool{from: true}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if anyMatches(r.what, at.imported) && !seen[at.path] {
			var chain []string
			for ; at != nil; at = at.back {
				chain = append(chain, at.path)
			}
			slices.Reverse(chain)
			return append([]string{from}, chain...)
		}
		if seen[at.path] || !at.local {
			continue
		}
		seen[at.path] = true
		for _, s := range packages[at.path] {
			for _, next := range s.imports {
				queue = append(queue, &step{next, at})
			}
		}
	}
	return nil
}

// checkSubjects finds rules about packages that do not exist: a renamed package must not slip out
// of its rules.
func checkSubjects(t *tree, table string) (findings []string) {
	rules, planned, err := parseArrows(table)
	if err != nil {
		return []string{err.Error()}
	}
	packages := slices.Sorted(maps.Keys(t.packages()))
	exists := func(pattern string) bool {
		return slices.ContainsFunc(packages, func(dir string) bool { return matches(pattern, dir, true) })
	}
	for _, name := range planned {
		if exists(name) {
			findings = append(findings, fmt.Sprintf("arrows: package %s exists now: take it off the planned ones",
				name))
		}
	}
	var reported []string
	for _, r := range rules {
		for _, who := range r.who {
			if exists(who) || slices.Contains(planned, who) || slices.Contains(reported, who) {
				continue
			}
			reported = append(reported, who)
			findings = append(findings, fmt.Sprintf("arrows: there is no package %s, which %q is about", who, r.text))
		}
	}
	return findings
}

func TestParseArrowsRejects(t *testing.T) {
	for _, table := range []string{
		"bitmap imports: std\n\tbecause\n",
		"bitmap imports only: std\n",
		"bitmap imports only: NOBODY\n\tbecause nobody knows it\n",
		"\tbecause of nothing\n",
	} {
		if _, _, err := parseArrows(table); err == nil {
			t.Errorf("parseArrows(%q): no error", table)
		}
	}
}

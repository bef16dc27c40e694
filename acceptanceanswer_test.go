// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package uproar_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/query"
)

// answer checks an answer that is no list of records:
//
//	top FIELD [by=measure] [limit=n] [least=n] [over=saved] in QUERY     lines of key, count, total, score
//	groups FIELD,... [limit=n] in QUERY                                  lines of keys and count
//	distinct FIELD in QUERY                                              a number
//	numbers FIELD [q=p,...] in QUERY                                     len, sum, min, max, mean, and the quantiles
//	sample N in QUERY                                                    how many records are drawn, all from the set
//	overlap QUERY ; QUERY ; ...                                          lines of numbers
//	refused COMMAND ...                                                  the text of the error that one of these gives
func (s *script) answer(command, argument string, body []string) {
	snap := s.ix.Snapshot()
	defer snap.Close()
	want := strings.Join(body, "\n")
	if command == "refused" {
		command, argument, _ = strings.Cut(argument, " ")
		if got, err := s.ask(snap, command, argument); err == nil || strings.TrimPrefix(err.Error(),
			"uproar: ") != want {
			s.fail("%s %s:\n got %s, %v\nwant %s", command, argument, got, err, want)
		}
		return
	}
	if got, err := s.ask(snap, command, argument); err != nil || got != want {
		s.fail("%s %s:\n got %s, %v\nwant %s", command, argument, got, err, want)
	}
}

func (s *script) ask(snap uproar.Snapshot, command, argument string) (string, error) {
	if command == "overlap" {
		return s.overlap(snap, argument)
	}
	words, text, _ := strings.Cut(argument, " in ")
	options := map[string]string{}
	what := strings.Fields(words)
	for _, w := range what[1:] {
		name, value, _ := strings.Cut(w, "=")
		options[name] = value
	}
	number := func(name string) int {
		n, err := strconv.Atoi(options[name])
		if err != nil && options[name] != "" {
			s.fail("%v", err)
		}
		return n
	}
	of, err := snap.Select(s.Context(), s.parse(text))
	if err != nil {
		return "", err
	}
	var lines []string
	switch command {
	case "top":
		o := uproar.TopOptions{By: uproar.Measure(options["by"]), Limit: number("limit"),
			Least: uint64(number("least"))}
		if name := options["over"]; name != "" {
			if o.Background, err = snap.Select(s.Context(), query.Saved{Name: name}); err != nil {
				return "", err
			}
		}
		top, err := of.Top(s.Context(), what[0], o)
		for _, r := range top {
			lines = append(lines, fmt.Sprintf("%s %d %d %.4g", r.Key, r.Count, r.Total, r.Score))
		}
		return strings.Join(lines, "\n"), err
	case "groups":
		groups, err := of.Groups(s.Context(), number("limit"), strings.Split(what[0], ",")...)
		for _, g := range groups {
			lines = append(lines, fmt.Sprintf("%s %d", strings.Join(g.Keys, " "), g.Count))
		}
		return strings.Join(lines, "\n"), err
	case "distinct":
		n, err := of.Distinct(s.Context(), what[0])
		return fmt.Sprint(n), err
	case "numbers":
		return s.numbers(of, what[0], options["q"])
	case "sample":
		n, _ := strconv.Atoi(what[0])
		ids := of.Sample(n, 1)
		keys, err := of.Keys(ids)
		for _, key := range keys {
			if in, err := snap.Contains(s.Context(), s.parse(text), key); !in || err != nil {
				s.fail("%s was drawn, and is not in the set: %v", key, err)
			}
		}
		return fmt.Sprint(len(slices.Compact(ids))), err
	}
	s.fail("got the command %q, want one that there is", command)
	return "", nil
}

func (s *script) numbers(of *uproar.Selection, field, quantiles string) (string, error) {
	var ps []float64
	for _, q := range strings.Split(quantiles, ",") {
		if p, err := strconv.ParseFloat(q, 64); err == nil {
			ps = append(ps, p)
		}
	}
	n, err := of.Numbers(s.Context(), field, ps...)
	if err != nil {
		return "", err
	}
	var f uproar.Field
	for _, x := range s.ix.Fields() {
		if x.Name == field {
			f = x
		}
	}
	sum, _ := n.Sum.Int64()
	line := fmt.Sprintf("%d %s %s %s %.4g", n.Sum.Len, f.Text(sum), f.Text(n.Min), f.Text(n.Max), n.Sum.Mean())
	for _, q := range n.Quantiles {
		line += " " + f.Text(q)
	}
	return line, nil
}

func (s *script) overlap(snap uproar.Snapshot, argument string) (string, error) {
	var of []*uproar.Selection
	for _, text := range strings.Split(argument, " ; ") {
		n, err := snap.Select(s.Context(), s.parse(text))
		if err != nil {
			return "", err
		}
		of = append(of, n)
	}
	matrix, err := uproar.Overlap(s.Context(), of...)
	var lines []string
	for _, row := range matrix {
		lines = append(lines, strings.Trim(fmt.Sprint(row), "[]"))
	}
	return strings.Join(lines, "\n"), err
}

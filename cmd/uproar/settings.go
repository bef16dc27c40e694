// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar/internal/spelling"
)

// settings give a command the flags that its command line does not: those of the environment, and
// of a file. They are for commands that have a flag --config.
type settings struct {
	env func(string) string

	file    string
	values  map[string]any    // of the file, by flag
	from    map[string]string // where flags are from that are not of the command line
	unknown []string          // names in the environment that are of no flag
}

// settingsError is about a file. Kong puts the name of the flag before it that asked first.
type settingsError struct{ error }

// Unwrap returns the error.
func (e *settingsError) Unwrap() error { return e.error }

// Validate implements kong.Resolver.
func (s *settings) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver: it returns what the environment or the file says of a flag.
func (s *settings) Resolve(ctx *kong.Context, command *kong.Path, f *kong.Flag) (any, error) {
	var config *kong.Flag
	for _, other := range command.Flags {
		if other.Name == "config" {
			config = other
		}
	}
	if config == nil || f.Name == "help" {
		return nil, nil
	}
	if s.from == nil {
		if err := s.read(ctx.FlagValue(config).(string), command.Flags); err != nil {
			return nil, &settingsError{err}
		}
	}
	if value := s.env(variable(f)); value != "" {
		s.from[f.Name] = variable(f)
		if f.IsSlice() {
			return separated(value), nil
		}
		return value, nil
	}
	value, ok := s.values[f.Name]
	if ok {
		s.from[f.Name] = s.file
	}
	return value, nil
}

// separated returns the texts of a list in the environment, as those of one in a file.
func separated(list string) (texts []any) {
	for text := range strings.SplitSeq(list, ",") {
		texts = append(texts, strings.TrimSpace(text))
	}
	return texts
}

// variable returns the name that a flag has in the environment.
func variable(f *kong.Flag) string {
	return "UPROAR_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

// read reads a file, if there is one: that of the command line, or of the environment.
func (s *settings) read(file string, flags []*kong.Flag) error {
	s.from, s.values = make(map[string]string), make(map[string]any)
	var names []string
	for _, f := range flags {
		if f.Name != "help" && f.Name != "config" {
			names = append(names, f.Name)
		}
	}
	var err error
	if s.unknown, err = checkEnvironment(os.Environ(), names); err != nil {
		return err
	}
	if s.file = file; s.file == "" {
		s.file = s.env("UPROAR_CONFIG")
	}
	if s.file == "" {
		return nil
	}
	text, err := os.ReadFile(s.file)
	if err != nil {
		return fmt.Errorf("file of flags: %w", err)
	}
	var values map[string]any
	if _, err := toml.Decode(string(text), &values); err != nil {
		if at, ok := errors.AsType[toml.ParseError](err); ok {
			return fmt.Errorf("%s:%d: %s, want lines such as: addr = \"127.0.0.1:7070\"", s.file,
				at.Position.Line, at.Message)
		}
		return fmt.Errorf("%s: %w", s.file, err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		name := strings.ReplaceAll(key, "_", "-")
		if !slices.Contains(names, name) {
			err := fmt.Errorf("%s: got %q, want the name of a flag of uproar serve", s.file, key)
			if near := spelling.Suggest(name, names); near != "" {
				err = fmt.Errorf("%w, did you mean %q?", err, near)
			}
			return err
		}
		if s.values[name], err = plain(values[key]); err != nil {
			return fmt.Errorf("%s: %s: %w", s.file, key, err)
		}
	}
	return nil
}

// elsewhere are names in the environment that have a meaning and are no flags of a server. The last
// two are of tests.
var elsewhere = []string{"UPROAR_CONFIG", "UPROAR_URL", "UPROAR_TOKEN_FILE", "UPROAR_HISTORY", "UPROAR_KERNELS",
	"UPROAR_LONG", "UPROAR_GRAPH"}

// kubernetes matches what Kubernetes says, in each container, of services whose names begin so.
var kubernetes = regexp.MustCompile(`(_SERVICE_HOST|_SERVICE_PORT(_\w+)?|_PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)$`)

// checkEnvironment returns the variables that look like flags and are none. It refuses those whose
// names are nearly those of flags: a server whose tokens are misspelt must not begin without them.
func checkEnvironment(environment, flags []string) (unknown []string, err error) {
	for _, line := range environment {
		name, value, _ := strings.Cut(line, "=")
		flag, ours := strings.CutPrefix(name, "UPROAR_")
		flag = strings.ToLower(strings.ReplaceAll(flag, "_", "-"))
		if !ours || value == "" || slices.Contains(flags, flag) || slices.Contains(elsewhere, name) ||
			kubernetes.MatchString(name) {
			continue
		}
		if near := spelling.Suggest(flag, flags); near != "" {
			return nil, fmt.Errorf("environment: got %s, which is no flag, did you mean UPROAR_%s?", name,
				strings.ToUpper(strings.ReplaceAll(near, "-", "_")))
		}
		unknown = append(unknown, name)
	}
	return unknown, nil
}

// plain returns a value of a file as one of a command line: a text, or several.
func plain(value any) (any, error) {
	switch v := value.(type) {
	case string, bool:
		return v, nil
	case int64, float64:
		return fmt.Sprint(v), nil
	case []any:
		for _, one := range v {
			if _, ok := one.(string); !ok {
				return nil, fmt.Errorf("got %v in a list, want texts in quotes", one)
			}
		}
		return v, nil
	default:
		return nil, fmt.Errorf("got %v, want a text in quotes, a number, true, false, or a list of texts", v)
	}
}

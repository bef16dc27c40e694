// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// configCommand shows the flags of a server.
type configCommand struct {
	Server serveCommand `embed:""`
	JSON   bool         `name:"json" help:"Print one JSON object."`
}

// Help returns what the help of the command says beside its flags.
func (*configCommand) Help() string {
	return `Takes the flags of uproar serve, and starts nothing. What it prints is a file for --config.

Example: UPROAR_ADDR=127.0.0.1:7171 uproar config --dir network`
}

// setting is one flag of a server.
type setting struct {
	Name  string `json:"name"`
	Value any    `json:"value"` // nil: none
	From  string `json:"from"`
}

// Run prints a line for each flag.
func (c *configCommand) Run(parsed *kong.Context, from *settings, con *terminal.Console) error {
	given := make(map[string]bool)
	for _, path := range parsed.Path {
		if path.Flag != nil && !path.Resolved {
			given[path.Flag.Name] = true
		}
	}
	var list []setting
	for _, f := range parsed.Selected().Flags {
		if f.Name == "json" || f.Hidden {
			continue
		}
		s := setting{f.Name, shown(f), "default"}
		if given[f.Name] {
			s.From = "command line"
		} else if source := from.from[f.Name]; source != "" {
			s.From = source
		}
		list = append(list, s)
	}
	for _, name := range from.unknown {
		fmt.Fprintf(con.Err, "uproar: %s in the environment names no flag, and changes nothing\n", name)
	}
	if c.JSON {
		return json.NewEncoder(con.Out).Encode(map[string][]setting{"flags": list})
	}
	out := bufio.NewWriter(con.Out)
	for _, s := range list {
		value, err := json.Marshal(s.Value) // which TOML reads alike
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s = %s", s.Name, value)
		if s.Value == nil || s.Name == "config" {
			line = "# " + strings.TrimSuffix(line, "null")
		}
		fmt.Fprintf(out, "%-45s # %s\n", line, s.From)
	}
	return out.Flush()
}

// shown returns what holds for a flag; nil if nothing does. Passwords are left out.
func shown(f *kong.Flag) any {
	v := f.Target
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	text, isText := v.Interface().(fmt.Stringer)
	switch v.Kind() {
	case reflect.Bool, reflect.Int:
		if !isText {
			return v.Interface()
		}
	case reflect.Slice:
		if v.Len() == 0 {
			return nil
		}
		return v.Interface()
	}
	if v.IsZero() && !f.HasDefault {
		return nil
	}
	if isText {
		return text.String()
	}
	return redacted(fmt.Sprint(v))
}

// secretValue is a parameter of a URL whose name says that its value is a secret.
var secretValue = regexp.MustCompile(`(?i)([?&][^=&]*(?:key|secret|token|sig|pass|cred)[^=&]*=)[^&]*`)

// redacted returns a text without what is secret in it if it is a URL: its password, and values of
// parameters. It need not be one that net/url takes, as one of several hosts is not.
func redacted(text string) string {
	scheme, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	rest, query, asked := strings.Cut(rest, "?")
	if at := strings.LastIndex(rest, "@"); at >= 0 {
		if user, _, secret := strings.Cut(rest[:at], ":"); secret {
			rest = user + ":xxxxx" + rest[at:]
		}
	}
	if asked {
		rest += secretValue.ReplaceAllString("?"+query, "${1}xxxxx")
	}
	return scheme + "://" + rest
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kindsOfFlags has a flag of each kind, with three values: how the file, the environment and the
// command line say them, and how they are shown.
var kindsOfFlags = []struct {
	flag                   string
	file, env, line        string
	inFile, inEnv, onLine  string // as JSON
	otherwise, theirSource string
}{
	{"addr", `"127.0.0.1:1"`, "127.0.0.1:2", "127.0.0.1:3", `"127.0.0.1:1"`, `"127.0.0.1:2"`, `"127.0.0.1:3"`,
		`"127.0.0.1:7070"`, "default"},
	{"tokens", `"a"`, "b", "c", `"a"`, `"b"`, `"c"`, `null`, "default"},
	{"memory", `"1GiB"`, "2GiB", "3GiB", `"1 GiB"`, `"2 GiB"`, `"3 GiB"`, `"512 MiB"`, "default"},
	{"max-waiting", `1`, "2", "3", `1`, `2`, `3`, `1024`, "default"},
	{"drain", `"1s"`, "2s", "3s", `"1s"`, `"2s"`, `"3s"`, `"15s"`, "default"},
	{"log-format", `"json"`, "text", "json", `"json"`, `"text"`, `"json"`, `"text"`, "default"},
	{"log-level", `"warn"`, "error", "debug", `"WARN"`, `"ERROR"`, `"DEBUG"`, `"INFO"`, "default"},
	{"pprof", `true`, "false", "true", `true`, `false`, `true`, `false`, "default"},
	{"remote-backups", `false`, "true", "false", `false`, `true`, `false`, `false`, "default"},
	{"host", `["a", "b"]`, "c, d", "e", `["a","b"]`, `["c","d"]`, `["e"]`, `null`, "default"},
}

// TestSettings: of a flag of any kind the command line overrules the environment, and that the
// file, and what is shown says which of them it was.
func TestSettings(t *testing.T) {
	for _, k := range kindsOfFlags {
		variable := "UPROAR_" + strings.ToUpper(strings.ReplaceAll(k.flag, "-", "_"))
		for given := range 8 {
			file := filepath.Join(t.TempDir(), "uproar.toml")
			args, env, text := []string{"config", "--json", "--dir", "d", "--config", file}, "", ""
			want, from := k.otherwise, k.theirSource
			if given&1 != 0 {
				text, want, from = fmt.Sprintf("%s = %s\n", k.flag, k.file), k.inFile, file
			}
			if given&2 != 0 {
				env, want, from = k.env, k.inEnv, variable
			}
			if given&4 != 0 {
				args, want, from = append(args, fmt.Sprintf("--%s=%s", k.flag, k.line)), k.onLine, "command line"
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			lookup := func(name string) string { return map[string]string{variable: env}[name] }
			var shown, failed bytes.Buffer
			if code := run(t.Context(), args, strings.NewReader(""), &shown, &failed, lookup); code != 0 {
				t.Errorf("%s, given %03b: got %d, %s", k.flag, given, code, failed.String())
				continue
			}
			var all struct {
				Flags []struct {
					Name, From string
					Value      json.RawMessage
				}
			}
			if err := json.Unmarshal(shown.Bytes(), &all); err != nil {
				t.Fatalf("%v: %s", err, shown.String())
			}
			found := false
			for _, s := range all.Flags {
				if s.Name != k.flag {
					continue
				}
				found = true
				if string(s.Value) != want || s.From != from {
					t.Errorf("%s, given %03b: got %s from %s, want %s from %s", k.flag, given, s.Value, s.From, want,
						from)
				}
			}
			if !found {
				t.Errorf("%s is not shown", k.flag)
			}
		}
	}
}

// TestShownSecrets: passwords and keys in URLs are not shown, whatever else the URL has.
func TestShownSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"s3://user:secret@bucket/prefix":                  "s3://user:xxxxx@bucket/prefix",
		"cql://user:secret@a:9042,b:9042/keyspace/prefix": "cql://user:xxxxx@a:9042,b:9042/keyspace/prefix",
		"cql://user:sec%ret@a/keyspace/prefix":            "cql://user:xxxxx@a/keyspace/prefix",
		"cql://user:sec/r@et@a/keyspace/prefix":           "cql://user:xxxxx@a/keyspace/prefix",
		"cql://user@a/keyspace/prefix":                    "cql://user@a/keyspace/prefix",
		"s3://b/p?region=eu&secret_key=secret&endpoint=e": "s3://b/p?region=eu&secret_key=xxxxx&endpoint=e",
		"azblob://b/p?sas_token=sec&sig=secret&x=1":       "azblob://b/p?sas_token=xxxxx&sig=xxxxx&x=1",
		"127.0.0.1:7070":                                  "127.0.0.1:7070",
		"data@home:1":                                     "data@home:1",
		"http://127.0.0.1:4318/traces?accessKeyId=secret": "http://127.0.0.1:4318/traces?accessKeyId=xxxxx",
	} {
		if got := redacted(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	var shown, failed bytes.Buffer
	code := run(t.Context(), []string{"config", "--dir", "d", "--log", "cql://user:secret@a:9042,b/keyspace/prefix"},
		strings.NewReader(""), &shown, &failed, func(string) string { return "" })
	if said := shown.String() + failed.String(); code != 0 || strings.Contains(said, "secret@") ||
		!strings.Contains(said, "user:xxxxx@") {
		t.Errorf("got %d, %s", code, said)
	}
}

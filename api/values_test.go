// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzValues: values are read as package json reads a map.
func FuzzValues(f *testing.F) {
	for _, text := range []string{`{}`, `null`, ` { "a" : [1, {"b":"}"} ] ,"c":"\"\\", "d":-1e5,"e":true } `, `{"a":null}`,
		`{"ä\u00e4":1,"":2,"\ud800":3}`, `{"a":1,"a":2}`, `[1]`, `5`, `"x"`, `{"a":{}}`, `{"a":[]}`, `{"a":1 }`, `{"a`,
		"{\"\xff\":1}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		wrong := json.Unmarshal(text, &want)
		got := Values{"old": nil}
		if err := json.Unmarshal(text, &got); (err == nil) != (wrong == nil) {
			t.Fatalf("%q: got %v, want %v", text, err, wrong)
		}
		if wrong != nil {
			return
		}
		if len(got) != len(want) || (got == nil) != (want == nil) {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
		for name, value := range want {
			if !bytes.Equal(got[name], value) {
				t.Fatalf("%q: %q: got %q, want %q", text, name, got[name], value)
			}
		}
	})
}

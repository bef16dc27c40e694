// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestSearchAnswerJSON compares answers with what encoding/json makes of them.
func TestSearchAnswerJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	texts := []string{"", "a", "tea \"x\"", "\n<é>\u2028", "b\\", "\x00"}
	text := func() string { return texts[rng.IntN(len(texts))] }
	for range 2000 {
		a := SearchAnswer{Found: []string{"", "nothing", "one", "several"}[rng.IntN(4)], More: rng.IntN(2) == 0}
		for range rng.IntN(3) {
			r := CatalogRecord{Key: text()}
			for range rng.IntN(3) {
				if r.Values == nil {
					r.Values = map[string]string{}
				}
				r.Values[text()] = text()
			}
			a.Records = append(a.Records, r)
		}
		if rng.IntN(3) == 0 {
			a.Unknown = text()
		}
		if rng.IntN(3) == 0 {
			a.Deciding = []string{text()}[:rng.IntN(2)]
		}
		if rng.IntN(5) == 0 {
			a.Error = &Error{Code: CodeInvalidQuery, Message: text()}
		}
		var got, want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(a); err != nil {
			t.Fatal(err)
		}
		// Escapes of one character may differ: U+2028 as it is or escaped.
		var x, y any
		got.Write(a.AppendJSON(nil))
		if json.Unmarshal(got.Bytes(), &x) != nil || json.Unmarshal(want.Bytes(), &y) != nil {
			t.Fatalf("got %s, want %s", got.Bytes(), want.Bytes())
		}
		gotText, _ := json.Marshal(x)
		wantText, _ := json.Marshal(y)
		if !bytes.Equal(gotText, wantText) {
			t.Fatalf("got %s, want %s", got.Bytes(), want.Bytes())
		}
	}
}

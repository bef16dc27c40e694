// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestRepeatedKeys: a key that was guessed and turns out to be none fails the import with the line
// and a remedy; one that was named has its last row.
func TestRepeatedKeys(t *testing.T) {
	s := newEmptySite(t)
	var b strings.Builder
	b.WriteString("code,city\n")
	for i := range 20_000 {
		if i == 15_000 {
			i = 5
		}
		fmt.Fprintf(&b, "k%d,c%d\n", i, i%7)
	}
	send := func(query, table string) (int, string) {
		resp, reply := s.do("POST", "/v1/import?index=people"+query, table, "Content-Type", "text/csv")
		return resp.StatusCode, reply
	}
	status, reply := send("", b.String())
	if status != 400 || !strings.Contains(reply, `line 15002, column code: got the key \"k5\" of line 7 once more`) ||
		!strings.Contains(reply, `nothing was imported; if the last row of a key is to count, name the column`) {
		t.Errorf("got %d %s, want line 15002 and a remedy", status, reply)
	}
	if resp, reply := s.do("GET", "/v1/fields?index=people", ""); resp.StatusCode != 404 {
		t.Errorf("after the error: got %d %s, want no index", resp.StatusCode, reply)
	}
	const leave = `nothing was imported; if the last row of a key is to count, leave out parameter \"unique\"`
	if status, reply = send("&key=code&unique=true", b.String()); status != 400 || !strings.Contains(reply, leave) {
		t.Errorf("unique: got %d %s, want advice to leave it out", status, reply)
	}
	if status, reply = send("&unique=true", b.String()); status != 400 || strings.Contains(reply, leave) {
		t.Errorf("unique, and a guessed key: got %d %s, want other advice", status, reply)
	}
	if status, reply = send("&key=code", b.String()); status != 200 || !strings.Contains(reply, `"repeated":1,`) {
		t.Errorf("a key that was named: got %d %s", status, reply)
	}
	if status, reply = send("", "code,city\na,x\nb,y\n"); status != 200 || strings.Contains(reply, "repeated") {
		t.Errorf("no key twice: got %d %s", status, reply)
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package epinions_test

import (
	"bufio"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/cmd/uproar/epinions"
)

// The data is whole, and is what the constants say.
func TestData(t *testing.T) {
	unzip, err := gzip.NewReader(epinions.Open())
	if err != nil {
		t.Fatal(err)
	}
	accounts, follows := map[string]bool{}, map[string]bool{}
	lines := bufio.NewScanner(unzip)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		from, to, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("got line %q, want two numbers with a tab between them", line)
		}
		accounts[from], accounts[to], follows[line] = true, true, true
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(accounts) != epinions.Accounts || len(follows) != epinions.Follows {
		t.Errorf("got %d accounts and %d follows, want %d and %d", len(accounts), len(follows), epinions.Accounts,
			epinions.Follows)
	}
}

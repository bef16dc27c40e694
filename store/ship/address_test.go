// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package ship_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// TestAddress: addresses of one server are the same however they are written.
func TestAddress(t *testing.T) {
	for _, same := range [][]string{
		{"http://db1", "http://DB1:80/", "http://db1.", "HTTP://db1:80"},
		{"https://db1", "https://db1:443"},
		{"http://db1:7070", "http://db1:7070/", "https://Db1:7070"},
		{"http://[::1]:7070", "http://[::1]:7070/"},
		{"http://127.0.0.1:7070"},
		{""},
	} {
		for _, text := range same {
			if got, want := (&ship.Node{URL: text}).Address(), (&ship.Node{URL: same[0]}).Address(); got != want {
				t.Errorf("%q: got %q, want %q, that of %q", text, got, want, same[0])
			}
		}
	}
	one, two := ship.Node{URL: "http://db1:7070"}, ship.Node{URL: "http://db1:7071"}
	if a, b := one.Address(), two.Address(); a == b {
		t.Errorf("two ports of a machine: got %q for both", a)
	}
}

// TestSharedAddress has nodes begin while another says where it is. One at its address tells its
// log so.
func TestSharedAddress(t *testing.T) {
	engine := new(shiptest.Memory)
	node(t, engine, quick(ship.Writer, "one"))
	for _, c := range []struct {
		id, url string
		shared  bool
	}{{"same", "HTTP://One:80/", true}, {"two", "http://two", false}, {"nowhere", "", false}} {
		await(t, "the first has said where it is", func() bool { return len(namesOf(t, engine, "nodes/one/")) > 0 })
		var log logged
		opts := quick(ship.Reader, c.id)
		opts.Node.URL, opts.Logger = c.url, slog.New(slog.NewTextHandler(&log, nil))
		node(t, engine, opts)
		await(t, "it says where it is", func() bool { return len(namesOf(t, engine, "nodes/"+c.id+"/")) > 0 })
		if text := log.String(); strings.Contains(text, "same address") != c.shared {
			t.Errorf("%s: want a warning: %v, got the log %q", c.url, c.shared, text)
		}
	}
}

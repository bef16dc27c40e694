// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server/replica"
	"github.com/uproar-db/uproar/store/ship"
)

// TestCheck: a copy says where it is reached, or is not started.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		listen, advertise string
		role              ship.Role
		want              string // "": no error
	}{
		{"127.0.0.1:7070", "", ship.Auto, ""},
		{"[::1]:7070", "", ship.Writer, ""},
		{"db1:7070", "", ship.Auto, ""},
		{"0.0.0.0:7070", "", ship.Auto, "--advertise"},
		{"[::]:7070", "", ship.Writer, "--advertise"},
		{":7070", "", ship.Auto, "--advertise"},
		{":7070", "", ship.Reader, ""}, // nobody is sent there
		{":7070", "http://db1:7070", ship.Auto, ""},
		{":7070", "https://db1/", ship.Auto, ""},
		{":7070", "db1:7070", ship.Auto, "--advertise"},
		{":7070", "ftp://db1", ship.Auto, "--advertise"},
		{":7070", "http://", ship.Auto, "--advertise"},
		{":7070", "http://:7070", ship.Auto, "--advertise"},
		{":7070", "http://0.0.0.0:7070", ship.Reader, "--advertise"},
		{":7070", "http://[::]", ship.Auto, "--advertise"},
		{":7070", "http://db1/database", ship.Auto, "--advertise"},
		{":7070", "http://me@db1", ship.Auto, "--advertise"},
	} {
		f := CopyFlags{Log: "mem://", Role: c.role, Advertise: c.advertise, Heartbeat: time.Second,
			Forward: replica.Redirect}
		err := f.Check(c.listen)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("--addr %s --advertise %s --role %s: got %v, want %q", c.listen, c.advertise, c.role, err, c.want)
		}
	}
	for _, f := range []CopyFlags{{Role: ship.Reader}, {Node: "a"}, {Forward: replica.Proxy}, {MaxAge: 1}} {
		if f.Role == "" {
			f.Role = ship.Auto
		}
		if f.Forward == "" {
			f.Forward = replica.Redirect
		}
		if err := f.Check("127.0.0.1:7070"); err == nil || !strings.Contains(err.Error(), "--log") {
			t.Errorf("%+v without a log: got %v, want an error", f, err)
		}
	}
}

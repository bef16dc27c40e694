// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package records

import (
	"bufio"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestMain is the server when a test runs this very program as one.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "records" {
		if err := Command(os.Args[2:], os.Stdout, os.Stderr); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestCommand measures few people, with Redis where it is installed.
func TestCommand(t *testing.T) {
	redis, servers := "none", []string{"Uproar"}
	if path, err := exec.LookPath("redis-server"); err == nil {
		redis, servers = path, append(servers, "Redis, fsync always", "Redis, fsync everysec")
	}
	var out strings.Builder
	if err := Command([]string{"--people", "400", "--batch", "100", "--time", "10ms", "--memory", "64MiB", "--redis",
		redis}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range append(servers, "first page of 100, sorted, p50", "export as application/vnd.apache.parquet") {
		if !strings.Contains(out.String(), "\n"+want+" ") {
			t.Errorf("got\n%s\nwant a line of %q", out.String(), want)
		}
	}
}

// TestEqual: a record that is not the one that was written is found.
func TestEqual(t *testing.T) {
	as := func(n int) map[string]string {
		p, values := draw(n), make(map[string]string)
		for i, f := range fields {
			values[f.Name] = p.values[i]
		}
		return values
	}
	if err := equal([]int{3, 4}, []map[string]string{as(3), as(4)}); err != nil {
		t.Error(err)
	}
	for _, f := range fields {
		bad := as(4)
		bad[f.Name] += "0"
		err := equal([]int{3, 4}, []map[string]string{as(3), bad})
		if err == nil || !strings.Contains(err.Error(), f.Name) {
			t.Errorf("%s: got %v, want an error", f.Name, err)
		}
	}
	if err := equal([]int{3, 4}, []map[string]string{as(3)}); err == nil {
		t.Error("got no error for a record that lacks")
	}
}

// TestContents: an export that lacks a person, has one twice, or another value, is found.
func TestContents(t *testing.T) {
	csvOf := func(list ...person) (contents, error) {
		text := "key"
		for _, f := range fields {
			text += "," + f.Name
		}
		for _, p := range list {
			text += "\n" + p.key + "," + strings.Join(p.values[:], ",")
		}
		return readCSV(strings.NewReader(text + "\n"))
	}
	people := people(0, 3)
	other := people[2]
	other.values[0] += "x"
	want := drawn(3)
	for _, c := range []struct {
		list []person
		same bool
	}{
		{people, true}, {[]person{people[2], people[0], people[1]}, true}, {people[:2], false},
		{[]person{people[0], people[1], other}, false}, {[]person{people[0], people[1], people[1]}, false},
		{append(people, people[0]), false},
	} {
		if got, err := csvOf(c.list...); err != nil || (got == want) != c.same {
			t.Errorf("%v: got %v, %v, want %v: %v", c.list, got, err, want, c.same)
		}
	}
}

// TestRedis sends commands to a server that answers as Redis does, and reads every kind of reply.
func TestRedis(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	got := make(chan string, 1)
	go func() {
		var b [1 << 10]byte
		n, _ := theirs.Read(b[:])
		got <- string(b[:n])
		_, _ = io.WriteString(theirs, ":1\r\n*2\r\n$3\r\nage\r\n$2\r\n30\r\n+OK\r\n-ERR wrong\r\n")
	}()
	r := &redis{conn: ours, in: bufio.NewReader(ours)}
	for range 3 {
		r.command("SADD", "a b", "")
	}
	all, err := r.replies()
	if want := [][]string{{"1"}, {"age", "30"}, {"OK"}}; err != nil || !reflect.DeepEqual(all, want) {
		t.Errorf("got %q, %v, want %q", all, err, want)
	}
	const command = "*3\r\n$4\r\nSADD\r\n$3\r\na b\r\n$0\r\n\r\n"
	if sent := <-got; sent != strings.Repeat(command, 3) {
		t.Errorf("sent %q", sent)
	}
	r.sent = 1
	if _, err := r.replies(); err == nil || !strings.Contains(err.Error(), "ERR wrong") {
		t.Errorf("got %v, want what the server said", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := dialRedis(ctx, "127.0.0.1:1"); err == nil {
		t.Error("got a connection to nobody")
	}
}

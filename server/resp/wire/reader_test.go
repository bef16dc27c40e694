// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll reads all commands of a text. It writes each as its quoted arguments.
func readAll(src io.Reader) (commands []string, err error) {
	r := NewReader(src)
	for {
		args, err := r.Read()
		if err != nil {
			return commands, err
		}
		commands = append(commands, fmt.Sprintf("%q", args))
	}
}

func TestReader(t *testing.T) {
	for _, test := range []struct{ in, want, fails string }{
		{"*1\r\n$4\r\nPING\r\n", `["PING"]`, ""},
		{"*2\r\n$4\r\nECHO\r\n$0\r\n\r\n", `["ECHO" ""]`, ""},
		{"*0\r\n*-1\r\n\r\n\n*1\r\n$1\r\nx\r\n", `["x"]`, ""},
		{"*1\r\n$3\r\na\r\n\r\n*1\r\n$2\r\n\x00\xff\r\n", `["a\r\n"] ["\x00\xff"]`, ""},
		{"PING\r\nPING\n  SADD   k \"a b\\n\\x41\\xZZ\\\"\" 'it\\'s \\n'  \r\n",
			`["PING"] ["PING"] ["SADD" "k" "a b\nAxZZ\"" "it's \\n"]`, ""},
		{"set \"a\"b\r\n", "", "unbalanced quotes in request"},
		{"set 'a\r\n", "", "unbalanced quotes in request"},
		{"set \"\"\r\n", `["set" ""]`, ""},
		{"*3000000000\r\n", "", "invalid multibulk length"},
		{"*x\r\n", "", "invalid multibulk length"},
		{"*1\r\n:1\r\n", "", "expected '$', got ':'"},
		{"*1\r\nfoo\r\n", "", "expected '$', got 'f'"},
		{"*1\r\n$-1\r\n", "", "invalid bulk length"},
		{"*1\r\n$2000000000\r\n", "", "invalid bulk length"},
		{"*1\r\n$99999999999999999999\r\n", "", "invalid bulk length"},
		{strings.Repeat("a", MaxLine+2), "", "too big inline request"},
		{"*" + strings.Repeat("1", MaxLine+2), "", "too big mbulk count string"},
		{"*1\r\n$" + strings.Repeat("1", MaxLine+2), "", "too big bulk count string"},
	} {
		for name, src := range map[string]io.Reader{
			"whole": strings.NewReader(test.in), "in halves": iotest.HalfReader(strings.NewReader(test.in)),
			"byte by byte": iotest.OneByteReader(strings.NewReader(test.in)),
		} {
			if len(test.in) > 1000 && name == "byte by byte" {
				continue
			}
			got, err := readAll(src)
			if text := strings.Join(got, " "); text != test.want {
				t.Errorf("%s, %.60q: got %s, want %s", name, test.in, text, test.want)
			}
			var wrong *ProtocolError
			switch {
			case test.fails == "" && err != io.EOF:
				t.Errorf("%s, %.60q: got %v, want the end", name, test.in, err)
			case test.fails != "" && (!errors.As(err, &wrong) || wrong.Text != test.fails):
				t.Errorf("%s, %.60q: got %v, want %s", name, test.in, err, test.fails)
			}
		}
	}
}

func TestReaderBounds(t *testing.T) {
	for _, in := range []string{"*11\r\n", "*1\r\n$16385\r\n"} {
		r := NewReader(strings.NewReader(in))
		r.Stranger = true
		if _, err := r.Read(); err == nil || !strings.Contains(err.Error(), "unauthenticated") {
			t.Errorf("%q of one without a token: got %v, want it refused", in, err)
		}
	}
	if _, err := readAll(strings.NewReader("*1\r\n$4\r\nPI")); err != io.ErrUnexpectedEOF {
		t.Errorf("half of a command: got %v, want io.ErrUnexpectedEOF", err)
	}
	refused := errors.New("no room")
	granted := 0
	r := NewReader(io.MultiReader(strings.NewReader("*1\r\n$1000000\r\n"), bytes.NewReader(make([]byte, 1_000_002))))
	r.Grow = func(n int) error {
		if granted += n; granted > 100_000 {
			return refused
		}
		return nil
	}
	if _, err := r.Read(); err != refused {
		t.Errorf("a large command without room: got %v, want %v", err, refused)
	}
	// What a client announces takes no memory.
	granted = 0
	r = NewReader(strings.NewReader("*1000000\r\n$16000000\r\nabc"))
	r.Grow = func(n int) error { granted += n; return nil }
	if _, err := r.Read(); err != io.ErrUnexpectedEOF || granted != 0 {
		t.Errorf("an announced command took %d bytes (%v), want none", granted, err)
	}
	// A large command gives its room back.
	granted = 0
	r = NewReader(io.MultiReader(strings.NewReader("*1\r\n$1000000\r\n"), bytes.NewReader(make([]byte, 1_000_000)),
		strings.NewReader("\r\n"), strings.NewReader("PING\r\n")))
	r.Grow = func(n int) error { granted += n; return nil }
	for range 2 {
		if _, err := r.Read(); err != nil {
			t.Fatal(err)
		}
	}
	if granted != 0 {
		t.Errorf("after a large command %d bytes are held, want 0", granted)
	}
}

// TestReady returns what has arrived whole, and nothing else.
func TestReady(t *testing.T) {
	r := NewReader(strings.NewReader("PING\r\n*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nPI"))
	if _, err := r.Read(); err != nil {
		t.Fatal(err)
	}
	if args, err := r.Ready(); err != nil || len(args) != 1 {
		t.Errorf("second command: got %q, %v, want it", args, err)
	}
	if args, err := r.Ready(); err != nil || args != nil {
		t.Errorf("half a command: got %q, %v, want none", args, err)
	}
}

func TestParseInt(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-1": -1, "9223372036854775807": 1<<63 - 1,
		"-9223372036854775808": -1 << 63, "10": 10} {
		if n, ok := ParseInt([]byte(text)); !ok || n != want {
			t.Errorf("ParseInt(%q): got %d, %v, want %d", text, n, ok, want)
		}
	}
	for _, text := range []string{"", "-", "-0", "007", "+1", " 1", "1 ", "9223372036854775808", "-9223372036854775809",
		"99999999999999999999", "1x"} {
		if n, ok := ParseInt([]byte(text)); ok {
			t.Errorf("ParseInt(%q): got %d, want none", text, n)
		}
	}
}

// FuzzReader reads the same commands however the bytes arrive.
func FuzzReader(f *testing.F) {
	f.Add([]byte("*2\r\n$4\r\nECHO\r\n$0\r\n\r\nPING \"a\\x00\"\r\n*0\r\n"))
	f.Add([]byte("*1\r\n$3\r\nab"))
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, err := readAll(bytes.NewReader(in))
		parts, err2 := readAll(iotest.OneByteReader(bytes.NewReader(in)))
		if fmt.Sprint(whole, err) != fmt.Sprint(parts, err2) {
			t.Errorf("%q: got %q, %v whole, and %q, %v byte by byte", in, whole, err, parts, err2)
		}
	})
}

func TestWriter(t *testing.T) {
	write := func(three bool) string {
		w := Writer{Three: three}
		w.Status("OK")
		w.Error("ERR a\r\nb")
		w.Int(-7)
		w.Bool(true)
		w.Bool(false)
		w.Array(1)
		w.Set(2)
		w.Map(1)
		w.Text("")
		w.Bulk([]byte("a\r\n"))
		w.Verbatim("hi")
		w.Null()
		w.NullArray()
		return string(w.Bytes())
	}
	const head = "+OK\r\n-ERR a  b\r\n:-7\r\n:1\r\n:0\r\n*1\r\n"
	const texts = "$0\r\n\r\n$3\r\na\r\n\r\n"
	if got, want := write(false), head+"*2\r\n*2\r\n"+texts+"$2\r\nhi\r\n$-1\r\n*-1\r\n"; got != want {
		t.Errorf("version 2: got %q, want %q", got, want)
	}
	if got, want := write(true), head+"~2\r\n%1\r\n"+texts+"=6\r\ntxt:hi\r\n_\r\n_\r\n"; got != want {
		t.Errorf("version 3: got %q, want %q", got, want)
	}
}

func TestWriterBounds(t *testing.T) {
	large := make([]byte, 1<<20)
	var kept Writer
	for range MaxHeld>>20 + 2 {
		kept.Bulk(large)
	}
	if kept.Err() != ErrTooLong || kept.Len() > MaxHeld {
		t.Errorf("replies in memory: got %v with %d bytes, want ErrTooLong", kept.Err(), kept.Len())
	}
	sent, broken := 0, errors.New("broken")
	w := Writer{Send: func(b []byte) error { sent += len(b); return nil }}
	for range 10 {
		w.Bulk(large)
	}
	if sent < 10<<20 || w.Len() != 0 || w.Flush() != nil {
		t.Errorf("10 MiB of replies: sent %d bytes, kept %d, %v", sent, w.Len(), w.Err())
	}
	w.Send = func([]byte) error { return broken }
	w.Int(1)
	if w.Flush() != broken || w.Err() != broken {
		t.Errorf("a connection that is gone: got %v, want %v", w.Err(), broken)
	}
}

// endless repeats a text.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// TestReaderAllocates: commands that arrive together need no memory of their own.
func TestReaderAllocates(t *testing.T) {
	r := NewReader(&endless{text: strings.Repeat("*3\r\n$4\r\nSADD\r\n$5\r\nbench\r\n$20\r\nelement:000000012345\r\n", 16)})
	if n := testing.AllocsPerRun(1000, func() {
		commands := 0
		for args, err := r.Read(); args != nil; args, err = r.Ready() {
			if commands++; err != nil || string(args[2]) != "element:000000012345" {
				t.Fatalf("got %q, %v", args, err)
			}
		}
		if commands != 16 {
			t.Fatalf("got %d commands together, want 16", commands)
		}
	}); n > 0 {
		t.Errorf("16 commands: got %v allocations, want none", n)
	}
}

// TestTruncateAfterSend: what was sent is not there to be kept, be it that it was taken or not.
func TestTruncateAfterSend(t *testing.T) {
	for _, failure := range []error{nil, io.ErrClosedPipe} {
		w := Writer{Send: func([]byte) error { return failure }}
		w.Status("before")
		at, sent := w.Len(), w.Sent()
		w.Bulk(make([]byte, SendAt))
		if w.Sent() == sent || w.Err() != failure {
			t.Errorf("got %d bytes sent and %v, want more than %d and %v", w.Sent(), w.Err(), sent, failure)
		}
		if w.Truncate(at); w.Len() != 0 {
			t.Errorf("%v: got %q again", failure, w.Bytes())
		}
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/trace"
)

// log is a log that is read while it is written.
type log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *log) has(t *testing.T, words ...string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		n := 0
		for _, word := range words {
			if strings.Contains(line, word) {
				n++
			}
		}
		if n == len(words) {
			return
		}
	}
	t.Errorf("log: got %s, want a line with %q", l.text.String(), words)
}

// TestPanics: a fault in a command ends neither the server nor a connection, and writes nothing.
func TestPanics(t *testing.T) {
	addCommand(t, "test.read", reads, func(*call) error { panic("a read") })
	addCommand(t, "test.whole", wholes, func(c *call) error { c.w.Array(2); panic("a whole set") })
	addCommand(t, "test.write", writes, func(c *call) error {
		if err := c.st.SetType([]byte("half"), "string"); err != nil {
			return err
		}
		panic("a write")
	})
	addCommand(t, "test.local", local, func(*call) error { panic("a connection") })
	var logged log
	addr, s := serveKnown(t, Options{Placeholders: true, Logger: slog.New(slog.NewTextHandler(&logged, nil))})
	a, b := dial(t, addr), dial(t, addr)
	fault := "-" + textOf(&panicked{})
	for _, name := range []string{"TEST.READ", "TEST.WHOLE", "TEST.WRITE", "TEST.LOCAL"} {
		a.words(name, fault)
		b.words("PING", "+PONG")
	}
	logged.has(t, "level=ERROR", `error="panic: a whole set"`, "observe_test.go")

	// What was written before in the same pipeline counts, and what others write meanwhile.
	a.send([]string{"SADD", "s", "one"}, []string{"TEST.WRITE"}, []string{"SCARD", "s"})
	b.words("SADD s two", ":1")
	if got := a.reply(); got != ":1" {
		t.Errorf("SADD before a fault: got %s", got)
	}
	for range 2 {
		if got := a.reply(); got != fault {
			t.Errorf("the fault and what is behind it: got %s", got)
		}
	}
	a.words("SCARD s", ":2")
	a.words("EXISTS half", ":0")
	a.words("MULTI", "+OK")
	a.words("SADD s three", "+QUEUED")
	a.words("TEST.WRITE", "+QUEUED")
	a.words("EXEC", fault)
	a.words("SCARD s", ":2")
	wantMemory(t, s, 0)
}

// TestSlowLog: commands that take long are kept, told and logged; what stands in AUTH is not.
func TestSlowLog(t *testing.T) {
	sleeps := func(c *call) error { time.Sleep(20 * time.Millisecond); c.w.Status("OK"); return nil }
	addCommand(t, "test.sleep", reads, sleeps)
	addCommand(t, "test.save", writes, sleeps)
	var logged log
	addr, _ := serveKnown(t, Options{Placeholders: true, Slow: 20 * time.Millisecond,
		Logger: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	c := dial(t, addr)
	c.words("CLIENT SETNAME me", "+OK")
	c.words("TEST.SLEEP", "+OK")
	c.words("SLOWLOG LEN", ":0") // of 100 ms
	c.words("CONFIG SET slowlog-log-slower-than 20000", "+OK")
	c.words("CONFIG GET slowlog-log-slower-than", `*["slowlog-log-slower-than" "20000"]`)
	c.words("SADD s a", ":1")
	c.words("TEST.SLEEP "+strings.Repeat("x", 200), "+OK")
	c.words("TEST.SAVE"+strings.Repeat(" y", 40), "+OK")
	c.words("MULTI", "+OK")
	c.words("TEST.SLEEP", "+QUEUED")
	c.words("EXEC", "*[+OK]")
	c.words("SLOWLOG LEN", ":3")
	c.send([]string{"SLOWLOG", "GET"})
	got := c.reply()
	for _, want := range []string{`["EXEC"]`, `["TEST.SLEEP" "` + strings.Repeat("x", 128) + `... (72 more bytes)"]`,
		`"... (10 more arguments)"]`, ` "me"]`, "*[:2 ", "*[:0 "} {
		if !strings.Contains(got, want) {
			t.Errorf("SLOWLOG GET: got %s, want %s in it", got, want)
		}
	}
	c.words("SLOWLOG RESET", "+OK")
	// Of commands that are answered together it has the one that took long.
	for _, group := range [][][]string{{{"SADD", "s", "b"}, {"TEST.SAVE", "z"}, {"NONE"}, {"SADD", "s", "c"}},
		{{"SCARD", "s"}, {"TEST.SLEEP", "q"}, {"SCARD", "s"}}} {
		c.send(group...)
		for range group {
			c.reply()
		}
	}
	c.send([]string{"SLOWLOG", "GET"})
	if got := c.reply(); !strings.Contains(got, `["TEST.SAVE" "z"]`) || !strings.Contains(got, `["TEST.SLEEP" "q"]`) {
		t.Errorf("SLOWLOG GET: got %s, want the slow commands of two pipelines", got)
	}
	c.words("SLOWLOG GET -2", "-ERR count should be greater than or equal to -1")
	c.words("SLOWLOG RESET", "+OK")
	c.words("SLOWLOG GET -1", "*[]")
	c.words("CONFIG SET slowlog-log-slower-than -1", "+OK")
	c.words("TEST.SLEEP", "+OK")
	c.words("SLOWLOG LEN", ":0")
	logged.has(t, "level=WARN", `msg="slow command"`, "command=test.save", "token=default", "took=")
	logged.has(t, "level=DEBUG", "msg=command", "command=sadd", "together=1")
}

// tracer notes the steps that were ended.
type tracer struct{ log }

func (r *tracer) Answer(ctx context.Context, name string, _ func(string) string) (context.Context, trace.Recorder) {
	return r.Begin(ctx, name)
}

func (r *tracer) Begin(ctx context.Context, name string) (context.Context, trace.Recorder) {
	return ctx, &step{r, name}
}

func (*tracer) Forward(context.Context, func(name, value string)) {}

type step struct {
	of   *tracer
	text string
}

func (s *step) Int(name string, value int64) { s.text += fmt.Sprintf(" %s=%d", name, value) }
func (s *step) Text(name, value string)      { s.text += " " + name + "=" + value }
func (s *step) End(err error)                { fmt.Fprintf(&s.of.log, "%s %v\n", s.text, err) }
func (*step) TraceID() string                { return "id" }

// TestTraces: commands are steps, and what they evaluate is below them.
func TestTraces(t *testing.T) {
	addr, _ := serveKnown(t, Options{})
	c := dial(t, addr)
	var kept tracer
	trace.Install(&kept)
	t.Cleanup(func() { trace.Install(nil) })
	c.words("SADD secret a b", ":2")
	c.words("SINTERCARD 2 secret secret", ":2")
	c.words("SCARD secret", ":2")
	const redis = " db.system.name=redis"
	for _, want := range []string{"SADD" + redis, "SINTERCARD" + redis, "SCARD" + redis, "evaluate"} {
		kept.has(t, want)
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if strings.Contains(kept.text.String(), "secret") {
		t.Errorf("got %s, want no keys in it", kept.text.String())
	}
}

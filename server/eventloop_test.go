// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/internal/eventloop"
)

// TestBriefTime: a brief call has a millisecond at most, whatever others have.
func TestBriefTime(t *testing.T) {
	for others, want := range map[time.Duration]time.Duration{0: brief, -1: brief, time.Second: brief, brief / 2: brief / 2} {
		if got := (&call{brief: true}).timeout(others); got != want {
			t.Errorf("a brief call where others have %v: got %v, want %v", others, got, want)
		}
		if got := new(call).timeout(others); got != others {
			t.Errorf("another call where others have %v: got %v", others, got)
		}
	}
}

// TestBriefTurns: a brief call needs no turn, nor answers that there was no time: it is asked again, and then needs one.
func TestBriefTurns(t *testing.T) {
	block, entered, leave := blocking()
	s, url := newServer(t, &Options{MaxConcurrent: 1, MaxWait: time.Minute, Logger: slog.New(slog.DiscardHandler)}, block)
	a := loopAnswers{s: s, base: context.Background()}
	const body = `{"calls":["/v1/graph/followers?account=a"]}`
	said := fmt.Appendf(nil, "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	ask := func(at time.Time) eventloop.Answered {
		return a.answer([]byte("before"), eventloop.Asked{Said: said, Remote: new(net.TCPAddr), At: at})
	}
	const want = "HTTP/1.1 200 OK\r\n"
	if got := ask(time.Now().Add(time.Hour)); got.Later != nil || !strings.HasPrefix(string(got.Memory[got.From:]), want) {
		t.Errorf("with time: got %.60q, later %t", got.Memory[got.From:], got.Later != nil)
	}
	late := ask(time.Now().Add(-2 * brief))
	if late.Later == nil || string(late.Memory) != "before" {
		t.Errorf("without time: got %q, later %t", late.Memory, late.Later != nil)
	}
	answer, done := late.Later()
	if !strings.HasPrefix(string(answer), want) || !strings.Contains(string(answer), "unknown_account") {
		t.Errorf("later: got %q", answer)
	}
	done()
	go func() { _, _ = get(t, url+"/v1/block") }()
	<-entered
	if got := ask(time.Now().Add(time.Hour)); got.Later != nil || !strings.HasPrefix(string(got.Memory[got.From:]), want) {
		t.Errorf("without a turn: got %.60q, later %t", got.Memory[got.From:], got.Later != nil)
	}
	late = ask(time.Now().Add(-2 * brief))
	answers := make(chan string)
	go func() {
		answer, done := late.Later()
		answers <- string(answer)
		done()
	}()
	for s.turns.waiting.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	leave <- struct{}{}
	if got := <-answers; !strings.HasPrefix(got, want) {
		t.Errorf("later, after a turn: got %q", got)
	}
}

// TestBriefFailure: a brief call that fails for a reason of its own is not asked again, however long it took: it would fail, and be logged, twice.
func TestBriefFailure(t *testing.T) {
	log := new(bytes.Buffer)
	s, _ := newServer(t, &Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	s.routes.at([]byte("/v1/query")).methods["POST"].handle = func(context.Context, call) (reply, error) {
		time.Sleep(2 * brief)
		return nil, errors.New("broken")
	}
	a := loopAnswers{s: s, base: context.Background(), tally: s.metrics.tally(0)}
	said := "POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
	got := a.answer(nil, eventloop.Asked{Said: []byte(said), Remote: new(net.TCPAddr), At: time.Now()})
	if got.Later != nil || !strings.HasPrefix(string(got.Memory[got.From:]), "HTTP/1.1 500 ") || strings.Count(log.String(), "broken") != 1 {
		t.Errorf("got %.60q, later %t, logged %q", got.Memory[got.From:], got.Later != nil, log)
	}
}

// TestFrame puts heads of all lengths before bodies, behind what belongs to others.
func TestFrame(t *testing.T) {
	for _, n := range []int{1, headRoom - 130, headRoom - 60, headRoom, 2 * headRoom} {
		media, body := strings.Repeat("m", n), "the body"
		answer := response{status: 200, contentType: media, body: []byte("others" + strings.Repeat("-", headRoom) + body)}
		from := frame(&answer, len("others"), []byte("\r\nContent-Type: "), true)
		want := "HTTP/1.1 200 OK\r\nContent-Type: " + media + "\r\nContent-Length: 8\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\nthe body"
		if got := string(answer.body[from:]); got != want || !strings.HasPrefix(string(answer.body), "others") {
			t.Errorf("a type of %d bytes: got %q, want %q", n, got, want)
		}
	}
}

// TestSaidAgain: what a loop has read is read first, and then let go of.
func TestSaidAgain(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	c := newCounted(near, new(crowded))
	c.said = []byte("said before")
	go func() { _, _ = io.WriteString(far, " and after"); far.Close() }()
	if got, err := io.ReadAll(c); string(got) != "said before and after" || err != nil || c.said != nil {
		t.Errorf("got %q, %v, kept %q", got, err, c.said)
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// A troubledListener fails as often as failures says before it accepts.
type troubledListener struct {
	net.Listener
	failures atomic.Int64
	err      error
}

func (l *troubledListener) Accept() (net.Conn, error) {
	if l.failures.Add(-1) >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", l.err)}
	}
	return l.Listener.Accept()
}

// TestAcceptAgain has a server meet errors of accepting. It waits for passing ones to pass; others
// end it.
func TestAcceptAgain(t *testing.T) {
	s, _ := newServer(t, &Options{Logger: slog.New(slog.DiscardHandler)})
	for _, passing := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ECONNABORTED} {
		below, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ln := &troubledListener{Listener: below, err: passing}
		ln.failures.Store(3)
		served := make(chan error, 1)
		go func() { served <- s.Serve(t.Context(), ln) }()
		resp, err := http.Get("http://" + below.Addr().String() + "/healthz")
		if err != nil {
			t.Fatalf("%v: %v", passing, err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != 200 || ln.failures.Load() >= 0 {
			t.Errorf("%v: got %d, and %d failures left", passing, resp.StatusCode, ln.failures.Load())
		}
		ln.err = syscall.EBADF
		ln.failures.Store(1)
		conn, err := net.Dial("tcp", below.Addr().String()) // ends the call of Accept that is waiting
		if err != nil {
			t.Fatal(err)
		}
		if err := <-served; !errors.Is(err, syscall.EBADF) {
			t.Errorf("after %v: got %v, want EBADF", passing, err)
		}
		_ = conn.Close()
	}
}

// An unclosableListener ends when it is closed, but says that it does not.
type unclosableListener struct{ net.Listener }

func (l unclosableListener) Close() error { return errors.Join(l.Listener.Close(), syscall.EIO) }

// TestListenerFailsAtTheEnd: a listener that fails when it is closed is an error of its own, and
// not one of requests that were cut off.
func TestListenerFailsAtTheEnd(t *testing.T) {
	s, _ := newServer(t, &Options{Logger: slog.New(slog.DiscardHandler)})
	below, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, unclosableListener{below}) }()
	if status, body := get(t, "http://"+below.Addr().String()+"/healthz"); status != 200 {
		t.Fatalf("got %d %s, want 200", status, body)
	}
	stop()
	if err := <-served; !errors.Is(err, syscall.EIO) || strings.Contains(err.Error(), "cut off") {
		t.Errorf("got %v, want EIO and no word of requests", err)
	}
}

func TestAffordable(t *testing.T) {
	for _, test := range []struct{ wanted, files, most, leaving int64 }{
		{1024, 1 << 20, 1024, 256}, {1024, 2560, 1024, 256}, {1024, 2558, 1023, 256}, {1024, 1000, 375, 125},
		{10, 1000, 10, 10}, {1024, 8, 3, 1}, {1024, 1, 1, 0}, {1024, -5, 1, 0},
	} {
		if most, leaving := affordable(test.wanted, test.files); most != test.most || leaving != test.leaving {
			t.Errorf("%d wanted, %d files: got %d and %d refused, want %d and %d", test.wanted, test.files, most,
				leaving, test.most, test.leaving)
		}
	}
}

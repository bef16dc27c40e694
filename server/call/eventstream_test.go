// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"context"
	"io"
	"testing"
)

// TestStreamOfEventsLetsGo: a stream that is closed leaves nothing in the context of the server,
// and one that is open ends with it.
func TestStreamOfEventsLetsGo(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	defer stop()
	ctx := context.WithValue(t.Context(), StoppingKey{}, stopping)
	var e Events
	begin := func() *eventStream {
		t.Helper()
		r, err := e.Send(ctx, nil, func(ctx context.Context) ([]byte, error) { <-ctx.Done(); return nil, ctx.Err() })
		if err != nil {
			t.Fatal(err)
		}
		return r.(Streamed).Stream.(*eventStream)
	}
	s := begin()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s.detach() {
		t.Error("a stream that was closed is still to be told of the end of the server")
	}
	s = begin()
	stop()
	if rest, err := io.ReadAll(s); err != nil || string(rest) != "retry: 1000\n\n" {
		t.Errorf("at the end of the server: got %q, %v", rest, err)
	}
	if err := s.Close(); err != nil || e.streams.Load() != 0 {
		t.Errorf("got %v, %d streams, want none", err, e.streams.Load())
	}
}

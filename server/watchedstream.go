// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	"errors"
	"io"
)

// watchedStream is a stream whose end is told once: how much was read, and what went wrong.
type watchedStream struct {
	io.ReadCloser
	bytes int64
	err   error
	ended func(bytes int64, err error)
}

// Read reads the next part.
func (w *watchedStream) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	w.bytes += int64(n)
	if err != nil && err != io.EOF && !errors.Is(err, context.Canceled) {
		w.err = err
	}
	return n, err
}

// Close ends the stream, be it read to its end or not.
func (w *watchedStream) Close() error {
	err := w.ReadCloser.Close()
	if ended := w.ended; ended != nil {
		w.ended = nil
		ended(w.bytes, w.err)
	}
	return err
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// backup answers a request for a backup. It returns once the backup has begun, or could not begin.
func (s *Server) backup(_ context.Context, c call.Request) (call.Reply, error) {
	if !s.opts.RemoteBackups {
		if err := mustBeLocal(&c, "a backup has all data and the secrets of the indexes"); err != nil {
			return nil, err
		}
	}
	if c.Query != "" {
		return nil, call.Invalid("parameters after %s, want none", backupPath)
	}
	opts := new(uproar.BackupOptions)
	switch c.Method {
	case "HEAD":
		return call.Text{ContentType: backupMedia}, nil
	case "POST":
		base, err := readBase(&c)
		if err != nil {
			return nil, err
		}
		opts.Since = base
	}
	// The limit of time is that of other requests. This one takes as long as somebody takes what is
	// sent.
	ctx, end, err := s.backups.Begin(context.Background())
	if err != nil {
		return nil, err
	}
	out, in := io.Pipe()
	stream := &backupStream{PipeReader: out, begun: make(chan struct{}), in: in}
	done := make(chan error, 1)
	go s.sendBackup(ctx, end, c.Remote(), stream, opts, done)
	select {
	case <-stream.begun:
		return call.Streamed{ContentType: backupMedia, Stream: stream}, nil
	case err := <-done:
		return nil, err
	}
}

// sendBackup makes a backup, and logs what became of it.
func (s *Server) sendBackup(ctx context.Context, end func(), remote string, stream *backupStream,
	opts *uproar.BackupOptions, done chan<- error) {
	start := time.Now()
	err := func() (err error) {
		defer func() {
			if value := recover(); value != nil {
				err = &call.Panicked{Value: value, Stack: debug.Stack()}
			}
		}()
		_, err = s.db.Backup(ctx, stream, opts)
		return err
	}()
	attrs := []slog.Attr{slog.String("remote", remote), slog.Int64("bytes", stream.bytes),
		slog.Duration("took", time.Since(start))}
	switch {
	case err == nil:
		s.opts.Logger.LogAttrs(ctx, slog.LevelInfo, "backup sent", attrs...)
	case stream.bytes > 0:
		s.opts.Logger.LogAttrs(ctx, slog.LevelWarn, "backup broken off", append(attrs, slog.Any("error", err))...)
	}
	end() // before the client can see the end of this one: it may ask for the next at once
	done <- err
	_ = stream.in.CloseWithError(err) // io.EOF if there is none
}

// readBase reads the beginning of the backup that an increment is to go on from.
func readBase(c *call.Request) (*uproar.BackupInfo, error) {
	if c.ContentType != backupMedia {
		return nil, &api.Error{Code: api.CodeUnsupportedMedia, Message: "Content-Type is " + call.Quote(c.ContentType) +
			", want " + backupMedia}
	}
	if c.BodyErr != nil {
		return nil, c.BodyErr
	}
	head := bytes.NewReader(c.Body)
	base, err := uproar.ReadBackup(struct{ io.Reader }{head})
	if err != nil {
		return nil, call.Invalid("body: %s", call.Public(err))
	}
	if head.Len() > 0 {
		return nil, call.Invalid("body: %d bytes after the head of a backup, want none", head.Len())
	}
	return base, nil
}

// backupStream is a backup between who makes it and who sends it. Closing it ends the backup.
type backupStream struct {
	*io.PipeReader
	in    *io.PipeWriter
	begun chan struct{} // closed by the first write
	bytes int64         // of the writer
}

// Write hands bytes to who sends them.
func (b *backupStream) Write(p []byte) (int, error) {
	if b.bytes == 0 {
		close(b.begun)
	}
	n, err := b.in.Write(p)
	b.bytes += int64(n)
	return n, err
}

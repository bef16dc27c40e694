// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"io"
	"os"

	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// source is something to be imported.
type source struct {
	io.Reader
	name  string
	size  int64  // 0: not known
	media string // of what is sent to a server; "": the file says it itself
	stop  func()
}

type sourceList []*source

// openSources opens files for reading, so that one that is missing is found before anything is
// read. "-" is stdin. Reading ends with ctx.
func openSources(ctx context.Context, names []string, stdin io.Reader) (sourceList, error) {
	var list sourceList
	for _, name := range names {
		s, err := openSource(ctx, name, stdin)
		if err != nil {
			list.close()
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func openSource(ctx context.Context, name string, stdin io.Reader) (*source, error) {
	if name == "-" {
		return &source{Reader: interruptible(ctx, stdin), name: "stdin", stop: func() {}}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := &source{Reader: f, name: name, stop: func() { f.Close() }} // it was only read: nothing can be lost
	info, err := f.Stat()
	switch {
	case err != nil:
		s.stop()
		return nil, err
	case info.IsDir():
		s.stop()
		return nil, terminal.Advise(name+string(os.PathSeparator)+"*", "%s is a folder, want files", name)
	case info.Mode().IsRegular():
		s.size = info.Size()
	default:
		s.Reader = interruptible(ctx, f)
	}
	return s, nil
}

// interruptible returns a reader of r that fails when ctx is done, even while r waits: a terminal
// or a pipe may give nothing for ever.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	from, to := io.Pipe()
	context.AfterFunc(ctx, func() { to.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{r}, make([]byte, 256<<10))
		to.CloseWithError(err)
	}()
	return from
}

// size returns the sum of the sizes; 0 if one is not known.
func (l sourceList) size() (total int64) {
	for _, s := range l {
		if s.size == 0 {
			return 0
		}
		total += s.size
	}
	return total
}

func (l sourceList) close() {
	for _, s := range l {
		s.stop()
	}
}

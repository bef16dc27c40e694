// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"context"
	"io"
	"os"
)

// Input is a file that a command reads.
type Input struct {
	io.Reader
	Name  string
	Size  int64  // 0: not known
	Media string // of what is sent to a server; "": the file says it itself
	stop  func()
}

// Inputs are the files of a command, in the order of its command line.
type Inputs []*Input

// OpenInputs opens files for reading, so that one that is missing is found before anything is
// read. "-" is stdin. Reading ends with ctx.
func OpenInputs(ctx context.Context, names []string, stdin io.Reader) (Inputs, error) {
	var list Inputs
	for _, name := range names {
		s, err := openInput(ctx, name, stdin)
		if err != nil {
			list.Close()
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func openInput(ctx context.Context, name string, stdin io.Reader) (*Input, error) {
	if name == "-" {
		return &Input{Reader: interruptible(ctx, stdin), Name: "stdin", stop: func() {}}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	s := &Input{Reader: f, Name: name, stop: func() { f.Close() }} // it was only read: nothing can be lost
	info, err := f.Stat()
	switch {
	case err != nil:
		s.stop()
		return nil, err
	case info.IsDir():
		s.stop()
		return nil, Advise(name+string(os.PathSeparator)+"*", "%s is a folder, want files", name)
	case info.Mode().IsRegular():
		s.Size = info.Size()
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

// Size returns the sum of the sizes; 0 if one is not known.
func (l Inputs) Size() (total int64) {
	for _, s := range l {
		if s.Size == 0 {
			return 0
		}
		total += s.Size
	}
	return total
}

// Close closes the files.
func (l Inputs) Close() {
	for _, s := range l {
		s.stop()
	}
}

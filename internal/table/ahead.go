// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"context"
	"io"
)

// What is read ahead: aheadBlocks blocks of aheadBytes bytes.
const (
	aheadBlocks = 4
	aheadBytes  = 256 << 10
)

// Ahead is a reader of r. Another goroutine reads r ahead of it until ctx ends, and may wait
// for r a while longer.
type Ahead struct {
	ctx    context.Context
	blocks chan []byte
	free   chan []byte
	err    error // once blocks is closed

	block []byte // being read
	left  []byte // of block
}

// NewAhead returns a reader of r that reads ahead.
func NewAhead(ctx context.Context, r io.Reader) *Ahead {
	a := &Ahead{ctx: ctx, blocks: make(chan []byte, aheadBlocks), free: make(chan []byte, aheadBlocks)}
	for range aheadBlocks {
		a.free <- nil
	}
	go a.fill(r)
	return a
}

// fill reads blocks until r ends or fails. It hands on what there is at once: r may be somebody who
// types.
func (a *Ahead) fill(r io.Reader) {
	defer close(a.blocks)
	for {
		var block []byte
		select {
		case block = <-a.free:
		case <-a.ctx.Done():
			a.err = a.ctx.Err()
			return
		}
		if block == nil {
			block = make([]byte, aheadBytes)
		}
		n, err := r.Read(block[:aheadBytes])
		if n > 0 {
			a.blocks <- block[:n] // there is room for all blocks
		} else {
			a.free <- block
		}
		if err != nil {
			a.err = err
			return
		}
	}
}

// Read implements io.Reader.
func (a *Ahead) Read(p []byte) (int, error) {
	for len(a.left) == 0 {
		if a.block != nil {
			a.free <- a.block
			a.block = nil
		}
		select {
		case block, ok := <-a.blocks:
			if !ok {
				return 0, a.err
			}
			a.block, a.left = block, block
		case <-a.ctx.Done():
			return 0, a.ctx.Err()
		}
	}
	n := copy(p, a.left)
	a.left = a.left[n:]
	return n, nil
}

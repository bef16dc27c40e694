// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// errMore is the error of a page that unpacks to more than it claims. The library would take the
// memory.
var errMore = errors.New("it unpacks to more bytes than it claims")

// checkPacked fails for a page that unpacks to more than it claims, or not at all. What lies behind
// its header begins at a place. Where the compressed bytes say how long they become, nothing is
// unpacked for that: so it is with snappy, and with zstd as most programs write it. room is memory
// for the next page.
func checkPacked(r io.ReaderAt, codec format.CompressionCodec, at int64, p *pageHead, room []byte) ([]byte, error) {
	if codec == format.Uncompressed || p.plain {
		return room, nil
	}
	most := p.uncompressed - p.levels
	room = slices.Grow(room[:0], int(p.compressed-p.levels))
	packed := room[:p.compressed-p.levels]
	if err := readFull(r, packed, at+p.levels); err != nil {
		return room, err
	}
	switch codec {
	case format.Snappy:
		n, length := binary.Uvarint(packed)
		if length <= 0 {
			return room, io.ErrUnexpectedEOF
		}
		return room, atMost(n, most)
	case format.Gzip:
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return room, err
		}
		return room, unpacks(z, most)
	case format.Brotli:
		return room, unpacks(brotli.NewReader(bytes.NewReader(packed)), most)
	case format.Zstd:
		return room, checkZstd(packed, most)
	case format.Lz4Raw:
		// The library tries again with twice the memory until a block can be unpacked. One that is
		// damaged never can.
		n, err := lz4.UncompressBlock(packed, make([]byte, max(1, most)))
		if err != nil {
			return room, fmt.Errorf("%w, or is damaged: %w", errMore, err)
		}
		return room, atMost(uint64(n), most)
	}
	return room, nil // the library knows no other
}

func atMost(n uint64, most int64) error {
	if n > uint64(most) {
		return fmt.Errorf("%w: got %d, want at most %d", errMore, n, most)
	}
	return nil
}

// unpacks fails if there is more to be read than some bytes.
func unpacks(r io.Reader, most int64) error {
	n, err := io.Copy(io.Discard, io.LimitReader(r, most+1))
	if err != nil {
		return err
	}
	return atMost(uint64(n), most)
}

// checkZstd adds up how long frames become, which are held to what they say.
func checkZstd(packed []byte, most int64) error {
	all := uint64(0)
	for rest := packed; len(rest) > 0; {
		var h zstd.Header
		if err := h.Decode(rest); err != nil {
			return err
		}
		if !h.Skippable && !h.HasFCS {
			z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderLowmem(true))
			if err != nil {
				return err
			}
			defer z.Close()
			return unpacks(z, most)
		}
		n, err := frameLength(rest, &h)
		if err != nil {
			return err
		}
		if err := atMost(h.FrameContentSize, most); err != nil {
			return err
		}
		all, rest = all+h.FrameContentSize, rest[n:]
	}
	return atMost(all, most)
}

// frameLength returns how many bytes a frame of zstd has (RFC 8878, 3.1).
func frameLength(frame []byte, h *zstd.Header) (n int, err error) {
	n = h.HeaderSize
	if h.Skippable {
		n += int(h.SkippableSize)
	}
	for last := h.Skippable; !last; {
		if len(frame)-n < 3 {
			return 0, io.ErrUnexpectedEOF
		}
		head := uint32(frame[n]) | uint32(frame[n+1])<<8 | uint32(frame[n+2])<<16
		last, n = head&1 == 1, n+3
		const repeated = 1 // a block of one byte, many times
		if head>>1&3 == repeated {
			n++
		} else {
			n += int(head >> 3)
		}
		if n > len(frame) {
			return 0, io.ErrUnexpectedEOF
		}
	}
	if h.HasCheckSum {
		n += 4
	}
	if n > len(frame) {
		return 0, io.ErrUnexpectedEOF
	}
	return n, nil
}

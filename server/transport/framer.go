// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import "bytes"

// stage is what comes next of a request.
type stage uint8

const (
	atHead    stage = iota
	inBody          // of a known length, or of a chunk
	afterData       // the end of a chunk's line of data
	atChunk         // the line of a chunk's size
	inTrailer       // the fields after the last chunk
)

// A framer finds the ends of requests, and refuses requests whose end is uncertain. It is shown the
// bytes of a connection piece by piece, and says which of them are good.
type framer struct {
	maxHead int                              // bytes of a head, and of a trailer
	maxBody int64                            // bytes of a body whose length is known
	anyBody func(method, target []byte) bool // the body may be longer; nil: none may

	stage    stage
	head     head
	checked  int   // bytes of the head whose lines have been checked
	searched int   // bytes of the element at hand that have no end of a line
	left     int64 // bytes of the body, or of the chunk
	waste    int   // bytes of a body in chunks beyond what its data needs
	trailer  int   // bytes of trailers
}

// scan checks b, which begins with the first byte that was not yet good. It returns how
// many bytes are good. The others must be shown again, with more behind them. After an
// error no more is good.
func (f *framer) scan(b []byte) (good int, err *Error) {
	for good < len(b) {
		n, err := f.element(b[good:])
		if good += n; n == 0 || err != nil {
			return good, err
		}
	}
	return good, nil
}

// between reports whether a request may begin here.
func (f *framer) between() bool { return f.stage == atHead }

// element checks the next element of a request, and returns its length: 0 if it has not
// come as a whole.
func (f *framer) element(b []byte) (n int, err *Error) {
	switch f.stage {
	case atHead:
		n, err = f.scanHead(b)
	case inBody:
		n = int(min(int64(len(b)), f.left))
		if f.left -= int64(n); f.left == 0 {
			f.stage = atHead
			if f.head.length == chunked {
				f.stage = afterData
			}
		}
	case afterData:
		if n, err = lineEnd(b); n > 0 {
			f.stage = atChunk
		}
	case atChunk:
		n, err = f.scanChunk(b)
	case inTrailer:
		n, err = f.scanTrailer(b)
	}
	if err != nil {
		return 0, err // nothing of a bad element is good
	}
	if n > 0 {
		f.searched = 0
	}
	return n, nil
}

// lineEnd checks that b begins with the end of a line.
func lineEnd(b []byte) (int, *Error) {
	if b[0] != '\r' || len(b) > 1 && b[1] != '\n' {
		return 0, bad("a chunk is not followed by the end of a line")
	}
	if len(b) < 2 {
		return 0, nil
	}
	return 2, nil
}

// line returns the line of b that begins at start, without its end, and where the next
// one begins: 0 if it has not come as a whole.
func (f *framer) line(b []byte, start int) (line []byte, next int, err *Error) {
	from := max(start, f.searched)
	i := bytes.IndexByte(b[from:], '\n')
	if i < 0 {
		f.searched = len(b)
		return nil, 0, nil
	}
	end := from + i
	if end == start || b[end-1] != '\r' {
		return nil, 0, bad("a line ends with LF alone, want CR and LF")
	}
	return b[start : end-1], end + 1, nil
}

// scanHead checks the head that b begins with. One empty line may stand before it, as old
// clients send one after a body.
func (f *framer) scanHead(b []byte) (int, *Error) {
	if f.checked == 0 {
		start, err := beginning(b)
		if start == len(b) || err != nil {
			return 0, err
		}
		f.head = head{}
		f.checked = start
	}
	first := f.checked <= 2
	for {
		line, next, err := f.line(b[:min(len(b), f.maxHead)], f.checked)
		switch {
		case err != nil:
			return 0, err
		case next == 0 && len(b) >= f.maxHead && first:
			return 0, refuse(414, "the request line has more than %d bytes", f.maxHead)
		case next == 0 && len(b) >= f.maxHead:
			return 0, refuse(431, "the head has more than %d bytes", f.maxHead)
		case next == 0:
			return 0, nil
		case first:
			err = f.head.requestLine(line)
		case len(line) == 0:
			return next, f.begin(b[:next])
		default:
			err = f.head.field(line)
		}
		if err != nil {
			return 0, err
		}
		first, f.checked = false, next
	}
}

// beginning returns where the request line begins: len(b) if that has not come.
func beginning(b []byte) (int, *Error) {
	start := 0
	if b[0] == '\r' {
		if len(b) > 1 && b[1] != '\n' {
			return 0, bad("a request begins with CR alone, want a method")
		}
		start = min(2, len(b))
	}
	if start < len(b) && classes[b[start]]&isToken == 0 {
		return 0, bad("a request begins with %q, want a method", b[start:start+1])
	}
	return start, nil
}

// begin goes on behind a head.
func (f *framer) begin(head []byte) *Error {
	f.checked, f.waste, f.trailer = 0, 0, 0
	if err := f.head.end(); err != nil {
		return err
	}
	if f.head.length > f.maxBody {
		words := bytes.SplitN(bytes.TrimLeft(head, "\r\n"), []byte{' '}, 3)
		if f.anyBody == nil || !f.anyBody(words[0], words[1]) {
			err := TooLarge(f.maxBody)
			err.Method, err.Target = string(words[0]), string(words[1])
			return err
		}
	}
	switch f.left = f.head.length; {
	case f.left == chunked:
		f.stage = atChunk
	case f.left > 0:
		f.stage = inBody
	}
	return nil
}

// scanChunk checks the line of a chunk's size that b begins with.
func (f *framer) scanChunk(b []byte) (int, *Error) {
	line, next, err := f.line(b[:min(len(b), maxChunkLine)], 0)
	if err != nil {
		return 0, err
	}
	if next == 0 {
		if len(b) >= maxChunkLine {
			return 0, bad("the line of a chunk's size has more than %d bytes", maxChunkLine)
		}
		return 0, nil
	}
	if f.left, err = parseChunk(line); err != nil {
		return 0, err
	}
	f.waste = max(0, f.waste+next-chunkNeeds-int(min(f.left, maxWaste)))
	switch {
	case f.waste > maxWaste:
		return 0, bad("the body is extensions of chunks rather than data")
	case f.left == 0:
		f.stage = inTrailer
	default:
		f.stage = inBody
	}
	return next, nil
}

// scanTrailer checks the line of a trailer that b begins with.
func (f *framer) scanTrailer(b []byte) (int, *Error) {
	line, next, err := f.line(b[:min(len(b), f.maxHead-f.trailer)], 0)
	switch {
	case err != nil:
		return 0, err
	case next == 0 && len(b) >= f.maxHead-f.trailer:
		return 0, refuse(431, "the fields after the body have more than %d bytes", f.maxHead)
	case next == 0:
		return 0, nil
	case len(line) == 0:
		f.stage = atHead
		return next, nil
	}
	if err := checkTrailer(line); err != nil {
		return 0, err
	}
	f.trailer += next
	return next, nil
}

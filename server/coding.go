// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bytes"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/uproar-db/uproar/server/call"
)

// leastCoded is the size of an answer, in bytes, from which on compressing it is worth the time.
const leastCoded = 1 << 10

// preferred are the codings of answers, the best first where a client has no preference.
var preferred = [...]string{"zstd", "gzip"}

// acceptedCoding returns the coding of an answer for a field Accept-Encoding (RFC 9110, 12.5.3); ""
// is none. refused reports whether the client takes no answer without one.
func acceptedCoding(field string) (coding string, refused bool) {
	if field == "" {
		return "", false
	}
	weights := make(map[string]float64)
	for part := range strings.SplitSeq(field, ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		weight, ok := weightOf(params)
		if !ok {
			continue // which says nothing
		}
		if name == "x-gzip" {
			name = "gzip"
		}
		weights[name] = weight
	}
	any, wild := weights["*"]
	best := 0.0
	for _, name := range preferred {
		weight, named := weights[name]
		if !named {
			weight = any
		}
		if weight > best {
			coding, best = name, weight
		}
	}
	plain, named := weights["identity"]
	if !named && wild && any == 0 {
		plain, named = 0, true
	}
	if named && plain > best {
		return "", false
	}
	return coding, named && plain == 0
}

// weightOf returns the weight among the parameters of a coding, 1 if there is none. ok is false for
// what is no weight.
func weightOf(params string) (weight float64, ok bool) {
	for param := range strings.SplitSeq(params, ";") {
		name, text, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			return q, err == nil && q >= 0 && q <= 1
		}
	}
	return 1, true
}

// An encoder compresses answers, one after the other.
type encoder interface {
	io.WriteCloser
	Flush() error
	Reset(io.Writer)
}

func newEncoder(coding string) encoder {
	if coding == "gzip" {
		w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a level that there is
		return w
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("server: " + err.Error()) // the options are right, or they never were
	}
	return w
}

// encoders are those of answers. There are as many as processors, because they do nothing but
// compute, and take up to a MiB each. The others wait.
type encoders struct {
	free map[string]chan encoder
}

func newEncoders() encoders {
	e := encoders{free: make(map[string]chan encoder)}
	for _, name := range preferred {
		e.free[name] = make(chan encoder, runtime.GOMAXPROCS(0))
		for range cap(e.free[name]) {
			e.free[name] <- nil // made when it is needed
		}
	}
	return e
}

// encode compresses the body of an answer in place, from start on. It does so if the client takes
// the coding and the body gets shorter. It treats HEAD as GET, because HEAD's length is that of the
// answer to GET.
func (e *encoders) encode(c *call.Request, r *response, start int) {
	if c.Transport == nil || r.status == 204 || r.status == 304 {
		return
	}
	size := len(r.body) - start
	coding, refused := acceptedCoding(c.Transport.Header("Accept-Encoding"))
	if r.stream == nil && size < leastCoded && !refused {
		return
	}
	r.varies = strings.TrimPrefix(r.varies+", Accept-Encoding", ", ")
	if coding == "" || r.contentType == call.ContentEvents { // an encoder would keep events back
		return
	}
	if r.stream != nil {
		r.stream, r.coding = newCodedStream(r.stream, coding), coding
		return
	}
	enc := <-e.free[coding]
	if enc == nil {
		enc = newEncoder(coding)
	}
	defer func() { e.free[coding] <- enc }()
	out := bytes.NewBuffer(make([]byte, 0, size/4+64))
	enc.Reset(out)
	_, failed := enc.Write(r.body[start:])
	if enc.Close() != nil || failed != nil || out.Len() >= size && !refused { // a buffer never fails
		return
	}
	r.body, r.coding = append(r.body[:start], out.Bytes()...), coding
}

// codedStream compresses a stream while it is sent. What the stream has brought is sent at once.
type codedStream struct {
	from io.ReadCloser
	enc  encoder
	out  bytes.Buffer
	part []byte
	err  error // of from
}

func newCodedStream(from io.ReadCloser, coding string) *codedStream {
	s := &codedStream{from: from, enc: newEncoder(coding), part: make([]byte, 64<<10)}
	s.enc.Reset(&s.out)
	return s
}

// Read reads compressed bytes. An error of the stream comes instead of its end.
func (s *codedStream) Read(p []byte) (int, error) {
	for s.out.Len() == 0 {
		if s.err != nil {
			return 0, s.err
		}
		n, err := s.from.Read(s.part)
		if n > 0 {
			_, _ = s.enc.Write(s.part[:n]) // a buffer never fails
			_ = s.enc.Flush()
		}
		if s.err = err; err == io.EOF {
			_ = s.enc.Close()
		}
	}
	return s.out.Read(p)
}

// Close ends the stream.
func (s *codedStream) Close() error { return s.from.Close() }

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"
)

const plainAsk = "GET /v1/graph/follows?account=a&target=b HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n"

func TestParsePlain(t *testing.T) {
	r, used := parsePlain([]byte(plainAsk + "GET /"))
	if used != len(plainAsk) || r.method != "GET" || len(r.body) > 0 || string(r.target) != "/v1/graph/follows?account=a&target=b" || r.last {
		t.Fatalf("got target %q, %d bytes, last %t", r.target, used, r.last)
	}
	for name, want := range map[string]string{"host": "x", "ACCEPT": "*/*", "Accept": "*/*", "Authorization": "", "": ""} {
		if got := r.header(name); got != want {
			t.Errorf("header %q: got %q, want %q", name, got, want)
		}
	}
	for header, last := range map[string]bool{"Connection: close": true, "connection:close ": true, "Connection: keep-alive": false, "Connection: Keep-Alive": false, "Authorization: Bearer a:b": false} {
		r, used := parsePlain([]byte("GET / HTTP/1.1\r\n" + header + "\r\nHost: x\r\n\r\n"))
		if used == 0 || r.last != last {
			t.Errorf("%s: got %d bytes, last %t, want last %t", header, used, r.last, last)
		}
	}
}

func TestParsePlainBody(t *testing.T) {
	for _, body := range []string{"", "{}", "a\r\n\r\nb"} {
		text := fmt.Sprintf("POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Type: a\r\nContent-LENGTH: %d\r\n\r\n%s", len(body), body)
		if r, used := parsePlain([]byte(text + "GET /")); used != len(text) || r.method != "POST" || string(r.body) != body || string(r.target) != "/v1/query" || r.header("content-type") != "a" {
			t.Errorf("%q: got %s %q, body %q, %d bytes", text, r.method, r.target, r.body, used)
		}
	}
}

// notPlain are for fasthttp to read.
var notPlain = []string{
	"", "GET", "GET / HTTP/1.1\r\n", plainAsk[:len(plainAsk)-1],
	"POST / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab",
	"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -3\r\n\r\nabc",
	"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3, 3\r\n\r\nabc", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0x3\r\n\r\nabc", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\nabc", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551617\r\n\r\na",
	"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc", "GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET / HTTP/1.1\r\nHost: x y\r\n\r\n", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a%zz\r\n\r\n", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: a:b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n", "GET / HTTP/1.1\r\nHost: a:1:2\r\n\r\n", "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
	"HEAD / HTTP/1.1\r\nHost: x\r\n\r\n", "get / HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET / HTTP/1.0\r\nHost: x\r\n\r\n", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", "GET /\r\nHost: x\r\n\r\n", "GET  HTTP/1.1\r\nHost: x\r\n\r\n", "GET HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET  / HTTP/1.1\r\nHost: x\r\n\r\n", "GET /  HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /\x80 HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", "\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET / HTTP/1.1\nHost: x\n\n", "GET / HTTP/1.1\r\nHost: x\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n\n", "GET / HTTP/1.1\r\nHost: x\r\r\n\r\n",
	"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: x\r\n folded\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\n: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: x\r\nA: \x01\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA\xff: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA: \xff\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\ncontent-LENGTH: 5\r\n\r\nabcde", "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nTrailer: a\r\n\r\n",
	"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, close\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n",
}

func TestNotPlain(t *testing.T) {
	for _, text := range notPlain {
		if r, used := parsePlain([]byte(text)); used != 0 {
			t.Errorf("%q: got target %q, %d bytes, want none", text, r.target, used)
		}
	}
}

// FuzzPlain: whatever is plain is the same request to fasthttp.
func FuzzPlain(f *testing.F) {
	for _, text := range append(notPlain, plainAsk, "POST /v1/query?a HTTP/1.1\r\nHost: x\r\nContent-Length: 004\r\nContent-Type: b\r\n\r\nabcdGET /", "GET /a?b=%20&c HTTP/1.1\r\nhost:\tx.y-z:80 \r\nConnection:close\r\nAuthorization:  Bearer z\r\nX-a!#$%&'*+-.^_`|~9: \"q\" \r\n\r\nGET /") {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		before := bytes.Clone(said)
		r, used := parsePlain(said)
		if !bytes.Equal(said, before) {
			t.Fatal("the bytes were changed")
		}
		if used == 0 {
			return
		}
		if used > len(said) {
			t.Fatalf("%d bytes of %d", used, len(said))
		}
		var want fasthttp.Request
		in := bufio.NewReaderSize(bytes.NewReader(said), maxHeader)
		if len(said) > maxHeader {
			return
		}
		if err := want.Header.Read(in); err != nil {
			t.Fatalf("%q is plain, and to fasthttp no request: %v", said[:used], err)
		}
		h := &want.Header
		length := len(r.body)
		if r.method == "GET" {
			length = -2 // fasthttp's for none
		}
		if string(h.Method()) != r.method || !bytes.Equal(h.RequestURI(), r.target) || h.ContentLength() != length || !h.IsHTTP11() || want.MayContinue() || h.ConnectionClose() != r.last {
			t.Errorf("%q: got target %q, last %t; fasthttp has %s %q, length %d, last %t", said[:used], r.target, r.last, h.Method(), h.RequestURI(), h.ContentLength(), h.ConnectionClose())
		}
		if rest := in.Buffered(); len(said)-rest+len(r.body) != used || !bytes.HasSuffix(said[:used], r.body) {
			t.Errorf("%q: got %d bytes, the body %q; fasthttp %d without it", said, used, r.body, len(said)-rest)
		}
		for _, line := range strings.Split(string(r.lines), "\r\n") {
			name, _, ok := strings.Cut(line, ":")
			if got, want := r.header(name), string(h.Peek(name)); ok && got != want && !strings.EqualFold(name, "Cookie") && !repeated(string(r.lines), name) {
				t.Errorf("header %q: got %q, fasthttp %q", name, got, want)
			}
		}
	})
}

// repeated reports whether there are several headers of a name, of which fasthttp has the last for some names.
func repeated(lines, name string) bool {
	return strings.Count("\r\n"+strings.ToLower(lines), "\r\n"+strings.ToLower(name)+":") > 1
}

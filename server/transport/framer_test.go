// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"
)

const (
	testHead = 4 << 10
	testBody = 1 << 10
)

func newFramer() *framer { return &framer{maxHead: testHead, maxBody: testBody} }

// scanPieces shows bytes to a framer in pieces of a size, as a Conn does. It returns how many are
// good.
func scanPieces(said []byte, size int) (good int, err *Error) {
	f := newFramer()
	for came := min(size, len(said)); ; came = min(came+size, len(said)) {
		n, err := f.scan(said[good:came])
		if good += n; err != nil || came == len(said) {
			return good, err
		}
	}
}

// messages returns the requests that bytes begin with, each of them whole.
func messages(said []byte) (all [][]byte) {
	f := newFramer()
	for start, at := 0, 0; at < len(said); {
		n, err := f.element(said[at:])
		if n == 0 || err != nil {
			break
		}
		if at += n; f.between() {
			all = append(all, said[start:at])
			start = at
		}
	}
	return all
}

// TestFramer: what stands between requests, and where they end.
func TestFramer(t *testing.T) {
	const get, post, chunks = "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"\\\"\"\r\nabc\r\n0\r\nA: b\r\n\r\n"
	said := get + post + chunks + "\r\n" + get + post[:len(post)-1]
	want := []string{get, post, chunks, "\r\n" + get}
	var got []string
	for _, message := range messages([]byte(said)) {
		got = append(got, string(message))
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for size := range len(said) {
		if good, err := scanPieces([]byte(said), size+1); good != len(said) || err != nil {
			t.Errorf("in pieces of %d: got %d good of %d, %v", size+1, good, len(said), err)
		}
	}
}

// FuzzFramer: the answer to bytes does not depend on their pieces, and every request that is let
// through is the same one to net/http and to fasthttp.
func FuzzFramer(f *testing.F) {
	for _, said := range []string{
		"GET /a?b=%20&c HTTP/1.1\r\nhost:\tx.y-z:80 \r\nConnection:close\r\nX-a!#$%&'*+-.^_`|~9: \"q\" \r\n\r\nGET " +
			"/ HTTP/1.0\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 003\r\nContent-Type: a\r\n\r\nabc\r\nGET http://y/b " +
			"HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\nExpect: " +
			"100-continue\r\n\r\n00a;a=b;c=\"d\\\"\"\r\n0123456789\r\n000\r\nA: b\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: [::1]:1\r\nOrigin: null\r\nAuthorization:\r\n\r\n",
		"\r\nHEAD / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
		"GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 3\r\n\r\nabc", "GET / HTTP/1.1\nHost: x\n\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		f.Add([]byte(said))
	}
	table, err := os.ReadFile("../testdata/requests.txt")
	if err != nil {
		f.Fatal(err)
	}
	for block := range strings.SplitSeq(string(table), "\n== ") {
		request, _, _ := strings.Cut(block, "\n=> ")
		_, request, _ = strings.Cut(request, "\n")
		f.Add([]byte(strings.ReplaceAll(request, "\n", "\r\n")))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		good, err := scanPieces(said, len(said)+1)
		for _, size := range []int{1, 7} {
			if other, otherErr := scanPieces(said, size); other != good || fmt.Sprint(otherErr) != fmt.Sprint(err) {
				t.Fatalf("%q: in one piece %d are good, %v, in pieces of %d %d, %v", said, good, err, size, other,
					otherErr)
			}
		}
		for _, message := range messages(said) {
			compare(t, message)
		}
	})
}

// A read is what a reader makes of a request.
type read struct {
	method, target, host string
	body                 string
	fields               []string // sorted
	rest                 int      // bytes that it has not read
}

// compare has net/http and fasthttp read a request, and more behind it.
func compare(t *testing.T, message []byte) {
	t.Helper()
	const more = "GET /more HTTP/1.1\r\nHost: more\r\n\r\n"
	stream := append(bytes.Clone(message), more...)
	theirs, err := readFast(stream)
	if err != nil {
		t.Fatalf("%q was let through, and is no request to fasthttp: %v", message, err)
	}
	std, err := readStd(bytes.TrimPrefix(stream, []byte("\r\n"))) // net/http has no empty line before a request
	if err != nil {
		t.Fatalf("%q was let through, and is no request to net/http: %v", message, err)
	}
	if theirs.rest != len(more) || std.rest != len(more) {
		t.Errorf("%q: fasthttp has left %d bytes, net/http %d, want %d", message, theirs.rest, std.rest, len(more))
	}
	if !reflect.DeepEqual(theirs, std) {
		t.Errorf("%q: fasthttp reads\n%#v, net/http\n%#v", message, theirs, std)
	}
}

func readFast(stream []byte) (read, error) {
	in := bufio.NewReaderSize(bytes.NewReader(stream), testHead)
	var request fasthttp.Request
	if err := request.Header.Read(in); err != nil {
		return read{}, err
	}
	h := &request.Header
	got := read{method: string(h.Method()), target: string(h.RequestURI()), host: string(h.Host())}
	if authority := Authority(got.target); authority != "" {
		got.host = authority
	}
	for name, value := range h.All() {
		if name := string(name); kept(name) && len(value) > 0 { // it does not keep an empty Content-Type
			got.fields = append(got.fields, fmt.Sprintf("%s: %s", name, value))
		}
	}
	slices.Sort(got.fields)
	if err := request.ContinueReadBody(in, 0, false); err != nil {
		return read{}, err
	}
	got.body = string(request.Body())
	rest, err := io.ReadAll(in)
	got.rest = len(rest)
	return got, err
}

func readStd(stream []byte) (read, error) {
	in := bufio.NewReader(bytes.NewReader(stream))
	request, err := http.ReadRequest(in)
	if err != nil {
		return read{}, err
	}
	got := read{method: request.Method, target: request.RequestURI, host: request.Host}
	for _, name := range slices.Collect(maps.Keys(request.Header)) {
		for _, value := range request.Header[name] {
			if kept(name) && value != "" {
				got.fields = append(got.fields, name+": "+value)
			}
		}
	}
	slices.Sort(got.fields)
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return read{}, err
	}
	got.body = string(body)
	rest, err := io.ReadAll(in)
	got.rest = len(rest)
	return got, err
}

// kept reports whether both readers keep a field as it came. Of the others, fields of single values
// have been read for them, and this server reads none of the rest.
func kept(name string) bool {
	switch name {
	case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Cookie", "User-Agent", "Trailer", "Te":
		return false
	}
	return !strings.ContainsAny(name, "_.!#$%&'*+^`|~")
}

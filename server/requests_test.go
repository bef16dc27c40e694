// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uproar-db/uproar/server/call"
)

// A said is a case of testdata/requests.txt.
type said struct {
	name    string
	request []byte
	eof     bool     // the client ends
	answers []string // status, and a part of the body
	open    bool     // afterwards
	other   []string // statuses below net/http, and open or closed, if they are others
}

// want returns the statuses that answers have, and open or closed.
func (s *said) want() []string {
	var want []string
	for _, answer := range s.answers {
		want = append(want, answer[:3])
	}
	return append(want, map[bool]string{true: "open", false: "closed"}[s.open])
}

// readSaid reads the cases.
func readSaid(t testing.TB) (cases []*said) {
	t.Helper()
	text, err := os.ReadFile("testdata/requests.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte("\n== "))
	for block := range strings.SplitSeq(string(text), "\n== ") {
		name, rest, _ := strings.Cut(strings.TrimRight(block, "\n"), "\n")
		s := &said{name: name}
		ended := false
		for line := range strings.SplitSeq(rest, "\n") {
			answer, isAnswer := strings.CutPrefix(line, "=> ")
			other, isOther := strings.CutPrefix(line, "net/http: ")
			switch {
			case isAnswer && (answer == "open" || answer == "closed"):
				s.open, ended = answer == "open", true
			case isAnswer:
				s.answers = append(s.answers, answer)
			case isOther:
				s.other = strings.Fields(other)
			case line == "eof":
				s.eof = true
			case ended || len(s.answers) > 0:
				t.Fatalf("case %q: %q follows its answers", name, line)
			default:
				s.request = append(s.request, unquoteLine(t, line)...)
			}
		}
		if !ended || len(s.request) == 0 {
			t.Fatalf("case %q is not complete", name)
		}
		cases = append(cases, s)
	}
	return cases
}

// unquoteLine returns the bytes of a line.
func unquoteLine(t testing.TB, line string) (b []byte) {
	line, whole := strings.CutSuffix(line, `\`)
	for i := 0; i < len(line); i++ {
		if line[i] != '\\' {
			b = append(b, line[i])
			continue
		}
		i++
		switch line[i] {
		case 'x':
			n, err := strconv.ParseUint(line[i+1:i+3], 16, 8)
			if err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			b = append(b, byte(n))
			i += 2
		case '{':
			count, text, _ := strings.Cut(line[i+1:], ":")
			text, inner := cutBraces(text)
			n, err := strconv.Atoi(count)
			if err != nil {
				t.Fatalf("line %q: %v", line, err)
			}
			b = append(b, bytes.Repeat(unquoteLine(t, text), n)...)
			i += len(count) + 1 + inner
		default:
			b = append(b, map[byte]byte{'r': '\r', 'n': '\n', 't': '\t', '0': 0, '\\': '\\'}[line[i]])
		}
	}
	if !whole {
		b = append(b, "\r\n"...)
	}
	return b
}

// cutBraces returns what stands before the brace that closes, and how many bytes that takes with
// the brace.
func cutBraces(text string) (inner string, length int) {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i] + `\`, i + 1
			}
		}
	}
	return text, len(text)
}

// echo answers with what it was asked.
func echo(_ context.Context, c call.Request) (call.Reply, error) {
	if c.BodyErr != nil {
		return nil, c.BodyErr
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, member := range [][2]string{
		{"method", c.Method}, {"path", c.Path}, {"query", c.Query}, {"host", c.Transport.Header("Host")},
		{"type", c.ContentType}, {"body", string(c.Body)},
	} {
		if i > 0 {
			b.WriteByte(',')
		}
		text := json.NewEncoder(&b)
		text.SetEscapeHTML(false)
		_ = text.Encode(member[0])
		b.Truncate(b.Len() - 1)
		b.WriteByte(':')
		_ = text.Encode(member[1])
		b.Truncate(b.Len() - 1)
	}
	b.WriteByte('}')
	return call.Text{ContentType: call.ContentJSON, Body: b.Bytes()}, nil
}

// dripping is a listener whose connections are read byte by byte.
type dripping struct{ net.Listener }

type drippingConn struct{ *net.TCPConn }

func (l dripping) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return drippingConn{conn.(*net.TCPConn)}, nil
}

func (c drippingConn) Read(p []byte) (int, error) { return c.TCPConn.Read(p[:min(len(p), 1)]) }

// A far is a transport as a client sees it.
type far struct {
	name    string
	addr    string
	tls     bool
	pieces  bool // what is sent comes byte by byte
	netHTTP bool
}

// startAll serves the same over all transports.
func startAll(t *testing.T) (all []far) {
	certified := httptest.NewTLSServer(nil)
	config := &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}
	certified.Close()
	for _, secured := range []bool{false, true} {
		opts := &Options{Hosts: []string{"x", "y", "probe", "x.y-z"}, MaxBody: 1000, MaxConnections: 4000,
			Logger: slog.New(slog.DiscardHandler)}
		if secured {
			opts.TLS = config
		}
		s, _ := newServer(t, opts, call.Endpoint{Method: "GET", Path: "/v1/echo", Name: "echo", Handle: echo},
			call.Post("/v1/echo", "echo", echo))
		for _, pieces := range []bool{false, true} {
			for _, netHTTP := range []bool{false, true} {
				ln, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				f := far{addr: ln.Addr().String(), tls: secured, pieces: pieces, netHTTP: netHTTP}
				f.name = fmt.Sprintf("nethttp=%t/tls=%t/pieces=%t", netHTTP, secured, pieces)
				if pieces && !secured {
					ln = dripping{ln}
				}
				if netHTTP {
					hs := &http.Server{Handler: s, ReadHeaderTimeout: time.Minute,
						ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)}
					if secured {
						ln = tls.NewListener(ln, config)
					}
					go func() { _ = hs.Serve(ln) }()
					t.Cleanup(func() { _ = hs.Close() })
				} else {
					ctx, stop := context.WithCancel(t.Context())
					served := make(chan error, 1)
					go func() { served <- s.Serve(ctx, ln) }()
					t.Cleanup(func() {
						stop()
						if err := <-served; err != nil {
							t.Error(err)
						}
					})
				}
				all = append(all, f)
			}
		}
	}
	return all
}

// probe follows each case.
const probe = "GET /healthz HTTP/1.1\r\nHost: probe\r\nConnection: close\r\n\r\n"

// ask sends a case, and returns what came until the connection ended.
func (f *far) ask(s *said) ([]byte, error) {
	raw, err := net.Dial("tcp", f.addr)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(time.Minute))
	conn := raw
	if f.tls {
		conn = tls.Client(raw, &tls.Config{InsecureSkipVerify: true})
	}
	var sending sync.WaitGroup
	defer sending.Wait()
	sending.Go(func() {
		text := s.request
		if !s.eof {
			text = append(slices.Clone(text), probe...)
		}
		piece := len(text)
		if f.pieces {
			piece = 1 + len(text)/5000
		}
		for part := range slices.Chunk(text, piece) {
			if _, err := conn.Write(part); err != nil {
				return
			}
		}
		if s.eof {
			_ = conn.(interface{ CloseWrite() error }).CloseWrite()
		}
	})
	return io.ReadAll(conn)
}

// TestRequests sends every case of testdata/requests.txt over every transport. It does so with TLS
// and without, in one piece and byte by byte.
func TestRequests(t *testing.T) {
	cases := readSaid(t)
	if len(cases) < 150 {
		t.Fatalf("got %d cases, want 150 or more", len(cases))
	}
	all := startAll(t)
	for _, f := range all {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var questions sync.WaitGroup
			room := make(chan struct{}, 16)
			for _, s := range cases {
				room <- struct{}{}
				questions.Go(func() {
					defer func() { <-room }()
					came, err := f.ask(s)
					checkSaid(t, &f, s, came, err)
				})
			}
			questions.Wait()
		})
	}
}

// checkSaid compares what came with what a case wants.
func checkSaid(t *testing.T, f *far, s *said, came []byte, err error) {
	if err != nil && !f.netHTTP { // net/http may reset a connection
		t.Errorf("%s: the connection broke off: %v, after %q", s.name, err, came)
		return
	}
	want, other := s.want(), f.netHTTP && s.other != nil
	if other {
		want = s.other
	}
	var got []string
	answers := bufio.NewReader(bytes.NewReader(came))
	end := "closed"
	for {
		method := "GET"
		if finals := len(got) - strings.Count(strings.Join(got, " "), "100"); finals == 0 {
			method, _, _ = strings.Cut(string(s.request), " ")
		}
		resp, err := http.ReadResponse(answers, &http.Request{Method: method})
		if err != nil {
			break
		}
		body, _ := io.ReadAll(resp.Body)
		if n := len(want) - 1; len(got) == n && resp.StatusCode == 200 && string(body) == "{\"status\":\"ok\"}\n" {
			end = "open"
			continue
		}
		if n := len(got); !other && n < len(s.answers) && method != "HEAD" && !f.netHTTP &&
			!strings.Contains(string(body), strings.TrimSpace(s.answers[n][3:])) {
			t.Errorf("%s: got answer %d %s, want %q in it", s.name, n, body, s.answers[n])
		}
		if resp.StatusCode >= 400 && !f.netHTTP && !strings.HasPrefix(string(body), `{"error":{"code":`) {
			t.Errorf("%s: got the error %q, want JSON", s.name, body)
		}
		got = append(got, strconv.Itoa(resp.StatusCode))
	}
	if got = append(got, end); !slices.Equal(got, want) && !(f.netHTTP && err != nil && end == "closed") {
		t.Errorf("%s: got %q, want %q\n%.300q", s.name, got, want, came)
	}
}

// TestAnswerToOneWhoSends: a client that sends a body above the limit to its end before it reads
// gets the answer, and no reset, on every transport.
func TestAnswerToOneWhoSends(t *testing.T) {
	body := strings.Repeat("x", 8<<20)
	for name, head := range map[string]string{
		"length": fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body)),
		"chunks": fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", len(body)),
	} {
		for _, f := range startAll(t) {
			if f.pieces {
				continue
			}
			t.Run(name+"/"+f.name, func(t *testing.T) {
				t.Parallel()
				conn, err := net.Dial("tcp", f.addr)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				if f.tls {
					conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
				}
				_ = conn.SetDeadline(time.Now().Add(time.Minute))
				if _, err := io.WriteString(conn, "POST /v1/echo HTTP/1.1\r\nHost: x\r\n"+head+body); err != nil {
					t.Fatalf("sending: %v", err)
				}
				resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					t.Fatal(err)
				}
				if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 413 || !resp.Close ||
					!strings.Contains(string(text), "body_too_large") {
					t.Errorf("got %d %s, close %t, %v, want 413 and the end", resp.StatusCode, text, resp.Close, err)
				}
			})
		}
	}
}

// TestAnswerBeforeGarbage: what a client sends behind a request, be it much and no request, does
// not cost it the answers.
func TestAnswerBeforeGarbage(t *testing.T) {
	for _, f := range startAll(t) {
		if f.pieces || f.netHTTP {
			continue
		}
		s := &said{request: []byte("GET /v1/echo HTTP/1.1\r\nHost: x\r\n\r\n" +
			strings.Repeat("no request\r\n", 1<<20)), answers: []string{"200", "400"}}
		came, err := f.ask(s)
		checkSaid(t, &f, s, came, err)
	}
}

// TestSlowRequests: what does not arrive in time is answered with 408, and a connection that has
// said nothing since its last request is closed without a word.
func TestSlowRequests(t *testing.T) {
	s, _ := newServer(t, &Options{Timeout: 200 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()
	for said, want := range map[string]string{
		"": "408", "GET /hea": "408", "GET /healthz HTTP/1.1\r\nHost: x\r\n": "408",
		"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /hea":                 "200 408",
		"POST /v1/query HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{": "408",
	} {
		conn, err := net.Dial("tcp", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = io.WriteString(conn, said)
		var got []string
		for r := bufio.NewReader(conn); ; {
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				break
			}
			text, _ := io.ReadAll(resp.Body)
			if got = append(got, strconv.Itoa(resp.StatusCode)); resp.StatusCode == 408 &&
				!strings.Contains(string(text), `"request_timeout"`) {
				t.Errorf("%q: got %s", said, text)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: got %s, want %s", said, got, want)
		}
		_ = conn.Close()
	}
}

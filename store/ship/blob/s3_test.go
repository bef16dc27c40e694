// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package blob_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uproar-db/uproar/store"
	"github.com/uproar-db/uproar/store/ship"
	"github.com/uproar-db/uproar/store/ship/blob"
	"github.com/uproar-db/uproar/store/ship/shiptest"
)

// serve starts a server and returns the URL of storage below a prefix there.
func serve(t *testing.T, s *shiptest.S3, prefix string) string {
	t.Setenv("AWS_ACCESS_KEY_ID", "id")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return fmt.Sprintf("s3://%s/%s?region=us-east-1&use_path_style=true&endpoint=%s", s.Bucket, prefix,
		url.QueryEscape(server.URL))
}

func open(t *testing.T, at string) ship.Engine {
	t.Helper()
	e, err := blob.Open(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestS3(t *testing.T) {
	for name, s := range map[string]func() *shiptest.S3{
		"plain": func() *shiptest.S3 { return &shiptest.S3{Bucket: "b"} },
		"faulty": func() *shiptest.S3 {
			var n atomic.Uint32
			return &shiptest.S3{Bucket: "b", Fail: func(r *http.Request) (f shiptest.S3Failure) {
				switch i := n.Add(1); {
				case r.Method != http.MethodPut: // the client asks again by itself, after a while
				case i%11 == 0:
					f.Drop = true
				case i%13 == 0:
					f.Drop, f.Late = true, true
				case i%17 == 0:
					f.Status, f.Code = http.StatusConflict, "ConditionalRequestConflict"
				case i%19 == 0:
					f.Status, f.Code, f.Late = http.StatusInternalServerError, "InternalError", true
				}
				return f
			}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			shiptest.RunEngine(t, func(t *testing.T) ship.Engine { return open(t, serve(t, s(), "a/prefix")) })
		})
	}
}

// TestS3Server runs the suite against a server of S3: UPROAR_S3=s3://bucket/prefix?… has its URL,
// credentials come from where clients of S3 look for them.
func TestS3Server(t *testing.T) {
	at := os.Getenv("UPROAR_S3")
	if at == "" {
		t.Skip("UPROAR_S3 is not set: the URL of storage that this test fills and empties")
	}
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	prefix := strings.TrimSuffix(u.Path, "/")
	shiptest.RunEngine(t, func(t *testing.T) ship.Engine {
		u.Path = fmt.Sprintf("%s/%d", prefix, time.Now().UnixNano())
		return open(t, u.String())
	})
}

// TestS3Answers: which answers mean what, of every call. A Create is sent once.
func TestS3Answers(t *testing.T) {
	type outcome struct {
		is  error  // one of the contract, or nil: an error for ever
		say string // what its text has
	}
	for _, c := range []struct {
		status                int
		code                  string
		create, get, deletion outcome
	}{
		{412, "PreconditionFailed", outcome{is: ship.ErrExists}, outcome{}, outcome{}},
		{409, "ConditionalRequestConflict", outcome{is: store.ErrUnavailable}, outcome{is: store.ErrUnavailable},
			outcome{is: store.ErrUnavailable}},
		{500, "InternalError", outcome{is: store.ErrUnavailable}, outcome{is: store.ErrUnavailable},
			outcome{is: store.ErrUnavailable}},
		{503, "SlowDown", outcome{is: store.ErrUnavailable}, outcome{is: store.ErrUnavailable},
			outcome{is: store.ErrUnavailable}},
		{429, "TooManyRequests", outcome{is: store.ErrUnavailable}, outcome{is: store.ErrUnavailable},
			outcome{is: store.ErrUnavailable}},
		{400, "ExpiredToken", outcome{is: store.ErrUnavailable}, outcome{is: store.ErrUnavailable},
			outcome{is: store.ErrUnavailable}},
		{403, "AccessDenied", outcome{say: "try credentials"}, outcome{say: "try credentials"},
			outcome{say: "try credentials"}},
		{404, "NoSuchBucket", outcome{say: "try to make the bucket"}, outcome{say: "try to make the bucket"},
			outcome{say: "try to make the bucket"}},
		{404, "NoSuchKey", outcome{}, outcome{is: store.ErrNotFound}, outcome{is: errNone}},
		{301, "PermanentRedirect", outcome{say: "try the region"}, outcome{say: "try the region"},
			outcome{say: "try the region"}},
		{501, "NotImplemented", outcome{say: "try storage that knows If-None-Match"}, outcome{}, outcome{}},
		{400, "InvalidArgument", outcome{say: "InvalidArgument"}, outcome{say: "InvalidArgument"},
			outcome{say: "InvalidArgument"}},
	} {
		t.Run(fmt.Sprint(c.status, c.code), func(t *testing.T) {
			puts := 0
			e := open(t, serve(t, &shiptest.S3{Bucket: "b", Fail: func(r *http.Request) shiptest.S3Failure {
				if r.Method == http.MethodPut {
					puts++
				}
				return shiptest.S3Failure{Status: c.status, Code: c.code}
			}}, ""))
			check := func(call string, want outcome, err error) {
				t.Helper()
				for _, is := range []error{ship.ErrExists, store.ErrUnavailable, store.ErrNotFound} {
					if errors.Is(err, is) != (is == want.is) {
						t.Errorf("%s: got %v, want %v %q", call, err, want.is, want.say)
					}
				}
				if (err == nil) != (want.is == errNone) || err != nil && !strings.Contains(err.Error(), want.say) {
					t.Errorf("%s: got %v, want %v %q", call, err, want.is, want.say)
				}
			}
			check("Create", c.create, e.Create(t.Context(), "a", []byte("x")))
			if puts != 1 {
				t.Errorf("Create: sent %d requests, want one", puts)
			}
			if c.create.is == store.ErrUnavailable && testing.Short() && c.status != 400 {
				return // the client asks again by itself, after a while
			}
			_, err := e.Get(t.Context(), "a")
			check("Get", c.get, err)
			check("Delete", c.deletion, e.Delete(t.Context(), "a"))
			for _, err := range e.List(t.Context(), "", "") {
				if err == nil {
					t.Error("List: no error")
				} else if got := errors.Is(err, store.ErrUnavailable); got != (c.get.is == store.ErrUnavailable) {
					t.Errorf("List: got %v, want %v", err, c.get.is)
				}
			}
		})
	}
}

// errNone stands for no error.
var errNone = errors.New("none")

// TestS3Unreachable: no answer is store.ErrUnavailable, and the end of the context its error.
func TestS3Unreachable(t *testing.T) {
	hang := atomic.Bool{}
	s := &shiptest.S3{Bucket: "b", Fail: func(*http.Request) shiptest.S3Failure {
		return shiptest.S3Failure{Late: true, Drop: !hang.Load(), Hang: hang.Load()}
	}}
	at := serve(t, s, "")
	e := open(t, at)
	if err := e.Create(t.Context(), "a", nil); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Create without an answer: got %v, want store.ErrUnavailable", err)
	}
	hang.Store(true)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := e.Create(ctx, "b", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Create that hangs: got %v, want the context's error", err)
	}
	if _, err := e.Get(ctx, "b"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Get that hangs: got %v, want the context's error", err)
	}
	s.Fail = nil
	for _, name := range []string{"a", "b"} { // what had no answer did its work
		if err := e.Create(t.Context(), name, nil); !errors.Is(err, ship.ErrExists) {
			t.Errorf("Create of %s once more: got %v, want ship.ErrExists", name, err)
		}
	}
	refused, _, _ := strings.Cut(at, "endpoint=")
	e = open(t, refused+"endpoint="+url.QueryEscape("http://127.0.0.1:1"))
	if err := e.Create(t.Context(), "a", nil); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("Create where nobody listens: got %v, want store.ErrUnavailable", err)
	}
}

// TestS3OutOfOrder: storage that lists in no order is told of, not believed.
func TestS3OutOfOrder(t *testing.T) {
	e := open(t, serve(t, &shiptest.S3{Bucket: "b", Unsorted: true}, "p"))
	for i := range 20 {
		if err := e.Create(t.Context(), fmt.Sprint(i), nil); err != nil {
			t.Fatal(err)
		}
	}
	var last error
	for _, last = range e.List(t.Context(), "", "") {
	}
	if last == nil || !strings.Contains(last.Error(), "ascending") {
		t.Errorf("List: got %v, want an error about the order", last)
	}
}

// TestS3Prefixes: engines below prefixes of one bucket do not see each other's objects.
func TestS3Prefixes(t *testing.T) {
	at := serve(t, &shiptest.S3{Bucket: "b"}, "PREFIX")
	prefixes := []string{"a", "ab", "a/b", "b"}
	for _, p := range prefixes {
		if err := open(t, strings.Replace(at, "PREFIX", p, 1)).Create(t.Context(), "x/y", []byte(p)); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range prefixes[1:] {
		e := open(t, strings.Replace(at, "PREFIX", p+"/", 1))
		if got, err := e.Get(t.Context(), "x/y"); err != nil || string(got) != p {
			t.Errorf("below %s: got %q, %v", p, got, err)
		}
		for name, err := range e.List(t.Context(), "", "") {
			if err != nil || name != "x/y" {
				t.Errorf("below %s: List: got %q, %v; want x/y", p, name, err)
			}
		}
	}
}

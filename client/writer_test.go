// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// aCopy is a server with one of several copies of a database, as far as a client sees it.
type aCopy struct {
	*httptest.Server
	mu       sync.Mutex
	sendsTo  string // where writes are sent on; "": it takes them
	position int    // of its replies
	failing  bool   // no copy takes writes
	asked    []string
}

// newCopy starts a copy.
func newCopy(t *testing.T) *aCopy {
	t.Helper()
	c := new(aCopy)
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

// ServeHTTP notes what is asked, and answers it.
func (c *aCopy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.URL.Path == "/healthz" {
		fmt.Fprintf(w, `{"status":"ok","copy":{"leads":%v,"writerUrl":%q,"forward":"redirect"}}`, c.sendsTo == "", c.sendsTo)
		return
	}
	if r.Method == "POST" && c.sendsTo != "" {
		c.asked = append(c.asked, "sent on")
		w.Header().Set("Location", c.sendsTo+r.URL.RequestURI())
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	body, _ := io.ReadAll(r.Body)
	c.asked = append(c.asked, fmt.Sprintf("%s %s %d %s", r.Method, r.Header.Get("Authorization"), len(body),
		r.Header.Get("Uproar-At-Least")))
	if c.failing {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, `{"error":{"code":"unavailable","reason":"no_writer","message":"m"}}`)
		return
	}
	w.Header().Set("Uproar-Position", fmt.Sprint(c.position))
	fmt.Fprint(w, `{"sequence":1}`)
}

// be changes a copy.
func (c *aCopy) be(sendsTo string, position int, failing bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sendsTo, c.position, c.failing = sendsTo, position, failing
}

// want fails the test unless this was asked since the last time.
func (c *aCopy) want(t *testing.T, what string, asked ...string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.asked, asked) {
		t.Errorf("%s: was asked %q, want %q", what, c.asked, asked)
	}
	c.asked = nil
}

// TestWriterIsRemembered: the client goes to the copy that takes writes with its token, whoever
// made its connections, goes there at once from then on, and asks anew when it takes no more.
func TestWriterIsRemembered(t *testing.T) {
	for name, conn := range map[string]*http.Client{"its own connections": nil, "connections of the caller": {}} {
		t.Run(name, func(t *testing.T) {
			follower, first, second := newCopy(t), newCopy(t), newCopy(t)
			follower.be(first.URL, 0, false)
			c, err := client.New(follower.URL, &client.Options{Token: "secret", HTTP: conn})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			put := api.RecordsWriteRequest{Index: "i", Deletes: []string{"a"}}
			write := func() error { _, err := c.WriteRecords(t.Context(), put); return err }
			const written = "POST Bearer secret 29 "
			for range 2 {
				if err := write(); err != nil {
					t.Fatal(err)
				}
			}
			follower.want(t, "the copy that follows", "sent on")
			first.want(t, "the copy that leads", written, written)
			first.be("", 0, true)
			follower.be(second.URL, 0, false)
			if err := write(); err != nil {
				t.Fatal(err)
			}
			first.want(t, "the one that leads no more", written)
			follower.want(t, "the copy that follows", "sent on")
			second.want(t, "the one that leads now", written)
			second.be(first.URL, 0, false)
			first.be("", 0, false)
			if err := write(); err != nil {
				t.Fatal(err)
			}
			second.want(t, "the one that leads no more", "sent on")
			first.want(t, "the one that leads again", written)
			first.Close()
			c.Close() // a connection that ends meanwhile would leave open whether it was written
			follower.be("", 0, false)
			if err := write(); err != nil {
				t.Fatal(err)
			}
			follower.want(t, "the one that is left", written)
		})
	}
}

// TestImportFindsWriter: a body that can be sent only once goes to the copy that takes writes.
func TestImportFindsWriter(t *testing.T) {
	follower, writer := newCopy(t), newCopy(t)
	follower.be(writer.URL, 0, false)
	c, err := client.New(follower.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	table := strings.Repeat("a\n", 1<<20)
	if _, err := c.Import(t.Context(), "i", strings.NewReader(table), client.TableImportOptions{}); err != nil {
		t.Fatal(err)
	}
	follower.want(t, "the copy that follows")
	if len(writer.asked) != 1 {
		t.Errorf("the copy that leads was asked %q, want one import", writer.asked)
	}
}

// TestSentOnNowhere: copies that send writes to each other end with an error, and a token goes to
// no other call and no other scheme.
func TestSentOnNowhere(t *testing.T) {
	a, b := newCopy(t), newCopy(t)
	write := func() error {
		c, err := client.New(a.URL, &client.Options{Token: "secret"})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, err = c.WriteRecords(t.Context(), api.RecordsWriteRequest{Index: "i", Deletes: []string{"a"}})
		return err
	}
	for name, to := range map[string]struct{ a, b string }{
		"in a circle": {b.URL, a.URL}, "to itself": {a.URL, ""}, "to another call": {b.URL + "/other", ""},
		"to another scheme": {strings.Replace(b.URL, "http:", "https:", 1), ""},
	} {
		a.be(to.a, 0, false)
		b.be(to.b, 0, false)
		b.asked = nil
		failed, ok := errors.AsType[*client.Error](write())
		if !ok || failed.Status != http.StatusTemporaryRedirect || len(b.asked) > 2 ||
			strings.Contains(strings.Join(b.asked, ""), "secret") {
			t.Errorf("%s: got %v, and the other was asked %q", name, failed, b.asked)
		}
	}
}

// TestReadYourWrites: reads name the furthest position of the client's writes, if it is to.
func TestReadYourWrites(t *testing.T) {
	for _, reads := range []bool{false, true} {
		at := newCopy(t)
		c, err := client.New(at.URL, &client.Options{ReadYourWrites: reads})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		read := func(least string) {
			t.Helper()
			if _, err := c.Count(t.Context(), "i", "all"); err != nil {
				t.Fatal(err)
			}
			if !reads {
				least = ""
			}
			if last := at.asked[len(at.asked)-1]; !strings.HasSuffix(last, " "+least) {
				t.Errorf("ReadYourWrites %v: was asked %q, want at least %q", reads, last, least)
			}
		}
		at.be("", 70, false)
		read("")
		for _, position := range []int{12, 9, 40} {
			at.be("", position, false)
			if _, err := c.WriteRecords(t.Context(), api.RecordsWriteRequest{Index: "i"}); err != nil {
				t.Fatal(err)
			}
			at.be("", 90, false) // of reads, which do not count
			read(fmt.Sprint(max(12, position)))
		}
	}
}

// TestOtherCopies: a client with several addresses asks another copy when the one that it asks is
// gone or has no answer, and stays there.
func TestOtherCopies(t *testing.T) {
	gone, failing, good := newCopy(t), newCopy(t), newCopy(t)
	gone.Close()
	failing.be("", 0, true)
	c, err := client.New(gone.URL, &client.Options{Others: []string{failing.URL, good.URL}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range 2 {
		if _, err := c.Count(t.Context(), "i", "all"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.WriteRecords(t.Context(), api.RecordsWriteRequest{Index: "i", Deletes: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if len(failing.asked) != 1 || len(good.asked) != 3 {
		t.Errorf("one that has no answer was asked %q, one that has %q", failing.asked, good.asked)
	}
	if _, err := client.New(good.URL, &client.Options{Others: []string{"nowhere"}}); err == nil {
		t.Error("another address that is none: got no error")
	}
}

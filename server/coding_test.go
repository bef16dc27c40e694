// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/server"
)

func gzippedText(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.Bytes()
}

func zstded(text string) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll([]byte(text), nil)
}

// plain undoes a coding.
func plain(t *testing.T, coding string, body []byte) string {
	t.Helper()
	var r io.Reader = bytes.NewReader(body)
	var err error
	switch coding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fetch asks without any client's own mind about codings.
func fetch(t *testing.T, method, url, accept string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		req.Header.Set("Accept-Encoding", accept)
	}
	resp, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, body
}

// TestAnswerCodings: answers of a KiB and more are compressed as the client prefers, and others are
// not.
func TestAnswerCodings(t *testing.T) {
	bothTransports(t, server.Options{}, func(t *testing.T, url string) {
		if strings.HasPrefix(url, "https") {
			t.Skip("the same")
		}
		_, want := fetch(t, "GET", url+"/v1/openapi.json", "")
		for accept, coding := range map[string]string{
			"": "", "gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "gzip;q=1.0, zstd;q=0.5": "gzip",
			"GZIP": "gzip", "x-gzip": "gzip", "*": "zstd", "zstd;q=0, *": "gzip",
			"br": "", "deflate": "", "gzip;q=0": "", "gzip;q=0, zstd;q=0": "", "*;q=0": "", "identity": "",
			"identity;q=1, gzip;q=0.5": "", "identity;q=0.1, gzip;q=0.5": "gzip", "gzip;q=2": "",
			"gzip;q=x, zstd": "zstd",
			"gzip;q=NaN":     "", "identity;q=0, gzip": "gzip", "gzip ; q = 0.5": "gzip", ",,gzip,": "gzip",
			"gzip;q=0.001": "gzip", "identity;q=0": "",
			"gzip;\tq=0": "", "gzip;q\t=\t0, zstd;q=0.1": "zstd", "gzip;level=9;q=0": "", "gzip;q=0.5;level=9": "gzip",
			"gzip;": "gzip",
		} {
			resp, body := fetch(t, "GET", url+"/v1/openapi.json", accept)
			if got := resp.Header.Get("Content-Encoding"); got != coding ||
				resp.Header.Get("Vary") != "Accept-Encoding" || plain(t, coding, body) != string(want) {
				t.Errorf("Accept-Encoding %q: got %q and %d bytes, Vary %q; want %q", accept, got, len(body),
					resp.Header.Get("Vary"), coding)
			}
			if coding != "" && len(body) > len(want)/4 {
				t.Errorf("Accept-Encoding %q: got %d bytes of %d", accept, len(body), len(want))
			}
			head, nothing := fetch(t, "HEAD", url+"/v1/openapi.json", accept)
			if head.Header.Get("Content-Encoding") != coding || len(nothing) > 0 ||
				head.ContentLength != int64(len(body)) {
				t.Errorf("HEAD, Accept-Encoding %q: got %q, length %d, want %q, %d", accept,
					head.Header.Get("Content-Encoding"), head.ContentLength, coding, len(body))
			}
		}
		for accept, coding := range map[string]string{"gzip": "", "gzip, identity;q=0": "gzip"} {
			if resp, body := fetch(t, "GET", url+"/healthz", accept); resp.Header.Get("Content-Encoding") != coding ||
				plain(t, coding, body) != `{"status":"ok"}`+"\n" {
				t.Errorf("a short answer, Accept-Encoding %q: got %q", accept, resp.Header.Get("Content-Encoding"))
			}
		}
		// A backup is a stream; what is decoded is one.
		for _, coding := range []string{"", "gzip", "zstd"} {
			resp, body := fetch(t, "GET", url+"/v1/backup", coding)
			if resp.StatusCode != 200 || resp.Header.Get("Content-Encoding") != coding {
				t.Fatalf("backup, Accept-Encoding %q: got %d, %q", coding, resp.StatusCode,
					resp.Header.Get("Content-Encoding"))
			}
			if _, err := uproar.ReadBackup(strings.NewReader(plain(t, coding, body))); err != nil {
				t.Errorf("backup, Accept-Encoding %q: %v", coding, err)
			}
		}
	})
}

// TestBodyCodings: bodies may be compressed, and are bounded by what they decode to.
func TestBodyCodings(t *testing.T) {
	const ask = `{"index":"accounts","q":"all","answer":"count"}`
	const limit = 100 << 10
	long := ask + strings.Repeat(" ", limit-len(ask))
	bomb := strings.Repeat(" ", 32<<20)
	bothTransports(t, server.Options{MaxBody: limit}, func(t *testing.T, url string) {
		if strings.HasPrefix(url, "https") {
			t.Skip("the same")
		}
		for _, c := range []struct {
			name, coding string
			body         []byte
			want         int
		}{
			{"plain", "", []byte(ask), 200}, {"identity", "identity", []byte(ask), 200},
			{"gzip", "gzip", gzippedText(ask), 200}, {"upper case", "GZIP", gzippedText(ask), 200},
			{"zstd", "zstd", zstded(ask), 200},
			{"as long as may be", "gzip", gzippedText(long), 200}, {"as long as may be", "zstd", zstded(long), 200},
			{"a byte more", "gzip", gzippedText(long + " "), 413}, {"a byte more", "zstd", zstded(long + " "), 413},
			{"unknown", "br", []byte(ask), 415}, {"unknown", "deflate", []byte(ask), 415},
			{"two", "gzip, gzip", gzippedText(string(gzippedText(ask))), 415},
			{"unknown and cut", strings.Repeat("x", 4000), []byte(ask), 415},
			{"no gzip", "gzip", []byte(ask), 400}, {"no zstd", "zstd", []byte(ask), 400}, {"empty", "gzip", nil, 400},
			{"broken off", "gzip", gzippedText(long)[:60], 400}, {"broken off", "zstd", zstded(long)[:20], 400},
			{"more behind", "gzip", append(gzippedText(ask), 'x'), 400},
			{"two members", "gzip", append(gzippedText(ask), gzippedText("  ")...), 200},
			{"bomb", "gzip", gzippedText(bomb), 413}, {"bomb", "zstd", zstded(bomb), 413},
		} {
			req, err := http.NewRequestWithContext(t.Context(), "POST", url+"/v1/query", bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			if c.coding != "" {
				req.Header.Set("Content-Encoding", c.coding)
			}
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatalf("%s, %s: %v", c.name, c.coding, err)
			}
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != c.want || len(text) > 500 {
				t.Errorf("%s, %.10s: got %d %s, want %d", c.name, c.coding, resp.StatusCode, text, c.want)
			}
		}
		// Imports, whole or in parts.
		parts := "--b\r\n\r\na b\nb c\n\r\n--b--\r\n"
		many := ""
		for i := range 10_000 {
			many += fmt.Sprintf("%d %d\n", i, i*i)
		}
		damaged := gzippedText(many)
		damaged[len(damaged)/2] ^= 0x55
		for _, c := range []struct {
			media, coding string
			body          []byte
			want          string
		}{
			{"text/csv", "gzip", gzippedText("a b\nb c\n"), ""}, {"text/csv", "zstd", zstded("a b\nb c\n"), ""},
			{"application/gzip", "gzip", gzippedText(string(gzippedText("a b\nb c\n"))), ""},
			{"multipart/mixed; boundary=b", "gzip", gzippedText(parts), ""},
			{"multipart/mixed; boundary=b", "zstd", zstded(parts), ""},
			{"text/csv", "gzip", gzippedText(many)[:300], "nothing was imported"},
			{"text/csv", "zstd", zstded(many)[:300], "nothing was imported"},
			{"text/csv", "gzip", damaged, "nothing was imported"},
			{"text/csv", "gzip", []byte("a b\n"), "nothing was imported"},
			{"text/csv", "br", []byte("a b\n"), "want gzip, zstd or none"},
		} {
			req, err := http.NewRequestWithContext(t.Context(), "POST",
				url+"/v1/graph/import?separator=spaces&header=no", bytes.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", c.media)
			req.Header.Set("Content-Encoding", c.coding)
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if c.want == "" && resp.StatusCode != 200 || !strings.Contains(string(text), cmp.Or(c.want, `"lines":2`)) {
				t.Errorf("import of %s as %s: got %d %s", c.media, c.coding, resp.StatusCode, text)
			}
		}
	})
}

// BenchmarkCodings asks for a page of 10 000 followers with and without compression.
func BenchmarkCodings(b *testing.B) {
	s := newSite(b, nil)
	var follows []graph.Follow
	for i := range 10_000 {
		follows = append(follows, graph.Follow{Account: fmt.Sprintf("did:plc:%024d", i*7919), Target: "star"})
	}
	if _, err := s.graph.Follow(b.Context(), follows...); err != nil {
		b.Fatal(err)
	}
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		b.Run("coding="+coding, func(b *testing.B) {
			client := &http.Transport{DisableCompression: true}
			defer client.CloseIdleConnections()
			var sent int64
			for b.Loop() {
				req, _ := http.NewRequestWithContext(b.Context(), "GET",
					s.url+"/v1/graph/followers?account=star&limit=10000", nil)
				req.Header.Set("Accept-Encoding", coding)
				resp, err := client.RoundTrip(req)
				if err != nil {
					b.Fatal(err)
				}
				sent, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			b.ReportMetric(float64(sent), "bytes/answer")
		})
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/uproar-db/uproar/server"
)

const (
	mediaCSV     = "text/csv"
	mediaNDJSON  = "application/x-ndjson"
	mediaParquet = "application/vnd.apache.parquet"
	mediaArrow   = "application/vnd.apache.arrow.stream"
)

// answerOf is the body of a request with one question.
func answerOf(q, question string) string {
	return `{"index":"guests","q":"` + q + `","answers":[{"name":"x",` + question + `}]}`
}

// TestLists: records, values and groups are sent as tables and as lines of JSON, all of them, and
// have the entries that the pages of JSON have.
func TestLists(t *testing.T) {
	s := newEmptySite(t)
	guests := s.addGuests()
	for name, c := range map[string]struct {
		path, body  string
		csv, ndjson string // how they begin
		entries     int
	}{
		"keys": {"/v1/query", `{"index":"guests","q":"all"}`, "key\ng0000\ng0001\n",
			"{\"key\":\"g0000\"}\n{\"key\":\"g0001\"}\n", guests},
		"a part of the keys": {"/v1/query", `{"index":"guests","q":"age <= 2","limit":1}`, "key\ng2498\n",
			"{\"key\":\"g2498\"}\n", 1},
		"IDs": {"/v1/query", `{"index":"guests","q":"all","answer":"ids","limit":20000}`, "id\n0\n1\n",
			"{\"id\":0}\n{\"id\":1}\n", guests},
		"both": {"/v1/query", `{"index":"guests","q":"age < 3","answer":"records"}`, "id,key\n2498,g2498\n",
			"{\"id\":2498,\"key\":\"g2498\"}\n", 2},
		"no records": {"/v1/query", `{"index":"guests","q":"nothing"}`, "key\n", "", 0},
		"top": {"/v1/answers", answerOf("all", `"answer":"top","field":"likes"`),
			"likes,count,total,score\ntea,2500,2500,2500\n\"cake, or \"\"pie\"\"\",1250,1250,1250\n",
			"{\"key\":\"tea\",\"count\":2500,\"total\":2500,\"score\":2500}\n", 2},
		"the first of top": {"/v1/answers", answerOf("age < 3", `"answer":"top","field":"likes","by":"lift","limit":1`),
			"likes,count,total,score\ntea,2,2500,1\n", "{\"key\":\"tea\",\"count\":2,\"total\":2500,\"score\":1}\n", 1},
		"groups": {"/v1/answers", answerOf("all", `"answer":"groups","fields":["age by 1000","likes"]`),
			"age by 1000,likes,count\n1000,tea,1000\n", "{\"keys\":[\"1000\",\"tea\"],\"count\":1000}\n", 6},
		"many groups": {"/v1/answers", answerOf("age <= 2200", `"answer":"groups","fields":["age"]`),
			"age,count\n1,1\n2,1\n",
			"{\"keys\":[\"1\"],\"count\":1}\n", 2200},
		"some groups": {"/v1/answers", answerOf("all", `"answer":"groups","fields":["age"],"limit":1200`),
			"age,count\n1,1\n",
			"{\"keys\":[\"1\"],\"count\":1}\n", 1200},
		"sample": {"/v1/answers", answerOf("age = 1", `"answer":"sample","limit":7,"seed":3`), "key\ng2499\n",
			"{\"key\":\"g2499\"}\n", 1},
		"values": {"/v1/records/find", `{"index":"guests","q":"all","fields":["age"],"sort":["age"]}`,
			"key,age\ng2499,1\n", "{\"key\":\"g2499\",\"values\":{\"age\":1}}\n", guests},
	} {
		resp, text := s.do("POST", c.path, c.body, "Accept", mediaCSV)
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != mediaCSV || !strings.HasPrefix(text, c.csv) ||
			err != nil || len(rows) != 1+c.entries {
			t.Errorf("%s, CSV: got %d %s, %d rows, %v, want %d: %.200q", name, resp.StatusCode,
				resp.Header.Get("Content-Type"), len(rows), err, 1+c.entries, text)
		}
		resp, text = s.do("POST", c.path, c.body, "Accept", mediaNDJSON)
		if lines := strings.Count(text, "\n"); resp.StatusCode != 200 || !strings.HasPrefix(text, c.ndjson) ||
			lines != c.entries || resp.Header.Get("Content-Type") != mediaNDJSON {
			t.Errorf("%s, NDJSON: got %d, %d lines, want %d: %.200q", name, resp.StatusCode, lines, c.entries, text)
		}
		resp, text = s.do("POST", c.path, c.body, "Accept", mediaArrow)
		in, err := ipc.NewReader(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s, Arrow: got %d, %v", name, resp.StatusCode, err)
			continue
		}
		n := int64(0)
		for in.Next() {
			n += in.RecordBatch().NumRows()
		}
		if n != int64(c.entries) || in.Err() != nil {
			t.Errorf("%s, Arrow: got %d rows, %v, want %d", name, n, in.Err(), c.entries)
		}
		if resp, text = s.do("POST", c.path, c.body, "Accept", mediaParquet); resp.StatusCode != 200 ||
			!strings.HasPrefix(text, "PAR1") || !strings.HasSuffix(text, "PAR1") {
			t.Errorf("%s, Parquet: got %d %.100q", name, resp.StatusCode, text)
		}
	}
	if resp, text := s.do("GET", "/v1/query?index=guests&q=all", "", "Accept", mediaCSV); resp.StatusCode != 200 ||
		strings.Count(text, "\n") != 1+guests {
		t.Errorf("GET: got %d, %d lines", resp.StatusCode, strings.Count(text, "\n"))
	}
	s.check("GET", "/v1/query?index=guests&q=all&answer=count", "", 200, `{"count":2500}`)
	if resp, text := s.do("GET", "/v1/query?index=guests&q=all&answer=count", "", "Accept", mediaCSV); text !=
		"{\"count\":2500}\n" {
		t.Errorf("a count as CSV: got %d %s, want JSON", resp.StatusCode, text)
	}
}

// TestListsRefused: what cannot be a table is refused before anything is sent.
func TestListsRefused(t *testing.T) {
	s := newEmptySite(t)
	s.addGuests()
	for _, c := range []struct{ path, body, want string }{
		{"/v1/answers", answerOf("all", `"answer":"count"`), "want top, groups or sample"},
		{"/v1/answers", `{"index":"guests","q":"all","answers":[{"name":"a","answer":"top","field":"likes"},` +
			`{"name":"b","answer":"top","field":"city"}]}`, "has 2 questions, want 1"},
		{"/v1/answers", answerOf("all", `"answer":"groups","fields":["age by 0"]`), "age"},
		{"/v1/answers", answerOf("all", `"answer":"groups","fields":["agee"]`), `unknown field \"agee\"`},
		{"/v1/answers", answerOf("all", `"answer":"groups","fields":["age","city","likes","age by 10"]`), "got 4 fields"},
		{"/v1/answers", answerOf("all", `"answer":"top","field":"age"`), "want a set, a single value"},
		{"/v1/answers", answerOf("all", `"answer":"top","field":"likes","limit":-1`), "limit"},
		{"/v1/query", `{"index":"guests","q":"all","limit":-1}`, "limit"},
		{"/v1/query", `{"index":"guests","q":"all","cursor":"x"}`, "cursor"},
		{"/v1/query", `{"index":"guests","q":"agee = 1"}`, "agee"},
		{"/v1/query", `{"index":"none","q":"all"}`, "none"},
	} {
		if resp, text := s.do("POST", c.path, c.body, "Accept", mediaCSV); resp.StatusCode/100 != 4 ||
			!strings.Contains(text, c.want) {
			t.Errorf("%s %s: got %d %s, want it refused for %q", c.path, c.body, resp.StatusCode, text, c.want)
		}
	}
}

// TestListCodings: a list is compressed as the client asks, while it is sent.
func TestListCodings(t *testing.T) {
	s := newEmptySite(t)
	s.addGuests()
	const body = `{"index":"guests","q":"all","sort":["-age"]}`
	_, want := s.do("POST", "/v1/records/find", body, "Accept", mediaCSV, "Accept-Encoding", "identity")
	for _, coding := range []string{"gzip", "zstd"} {
		resp, text := s.do("POST", "/v1/records/find", body, "Accept", mediaCSV, "Accept-Encoding", coding)
		if got := plain(t, coding, []byte(text)); resp.Header.Get("Content-Encoding") != coding || got != want ||
			len(text) > len(want)/2 || resp.ContentLength >= 0 {
			t.Errorf("%s: got %q, %d bytes of %d, %d when decoded, length %d", coding, resp.Header.Get("Content-Encoding"),
				len(text), len(want), len(got), resp.ContentLength)
		}
	}
}

// TestListsAreBounded: beyond so many lists at a time another is refused, and there is room again
// when a client has gone.
func TestListsAreBounded(t *testing.T) {
	bothTransports(t, server.Options{MaxStreams: 1, Logger: slog.New(slog.DiscardHandler)},
		func(t *testing.T, url string) {
			if strings.HasPrefix(url, "https") {
				t.Skip("the same")
			}
			post := func(path, body, media string) *http.Response {
				t.Helper()
				req, err := http.NewRequestWithContext(t.Context(), "POST", url+path, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Accept", media)
				resp, err := (&http.Transport{DisableKeepAlives: true, DisableCompression: true}).RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				return resp
			}
			_ = post("/v1/indexes/create", `{"index":"crowd","fields":[{"name":"about","type":"single"}]}`, "").Body.Close()
			long := strings.Repeat("long", 1000)
			for from := 0; from < 6000; from += 1000 {
				var puts []string
				for i := range 1000 {
					puts = append(puts, fmt.Sprintf(`{"key":"p%d","values":{"about":"%s%d"}}`, from+i, long, i))
				}
				resp := post("/v1/records/write", `{"index":"crowd","puts":[`+strings.Join(puts, ",")+`]}`, "")
				if _ = resp.Body.Close(); resp.StatusCode != 200 {
					t.Fatal(resp.Status)
				}
			}
			const all = `{"index":"crowd","q":"all"}`
			first := post("/v1/records/find", all, mediaCSV) // 24 MB, of which nothing is read
			defer first.Body.Close()
			second := post("/v1/query", all, mediaCSV)
			text, _ := io.ReadAll(second.Body)
			_ = second.Body.Close()
			if second.StatusCode != 503 || !bytes.Contains(text, []byte(`"overloaded"`)) ||
				second.Header.Get("Retry-After") == "" {
				t.Errorf("the second: got %s %s, want 503, overloaded", second.Status, text)
			}
			_ = first.Body.Close()
			for status := 0; status != 200; {
				third := post("/v1/query", all, mediaCSV)
				_ = third.Body.Close()
				if status = third.StatusCode; status != 200 && status != 503 {
					t.Fatalf("after the first has gone: got %s", third.Status)
				}
			}
		})
}

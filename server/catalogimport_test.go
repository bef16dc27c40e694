// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
)

const catalogImportPath = "/v1/catalog/import"

// colours is a table of records that all have one colour, and the schema of such tables.
func colours(colour string, keys ...string) string {
	return "id,colour\n" + strings.Join(keys, ","+colour+"\n") + "," + colour + "\n"
}

const coloursSchema = `{"key": "id", "attributes": [{"name": "colour"}]}`

// parted returns a body of parts, "media", "text" each, and its media type.
func parted(t testing.TB, parts ...string) (body, media string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Type": {parts[i]}})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, parts[i+1])
	}
	_ = w.Close()
	return b.String(), "multipart/mixed; boundary=" + w.Boundary()
}

// addColours makes the catalog c, and its records.
func (s *site) addColours(colour string, keys ...string) {
	s.t.Helper()
	body, media := parted(s.t, "application/json", coloursSchema, "text/csv", colours(colour, keys...))
	if resp, got := s.do("POST", catalogImportPath+"?catalog=c", body, "Content-Type", media); resp.StatusCode != 200 {
		s.t.Fatalf("got %d %s", resp.StatusCode, got)
	}
}

// records checks which records a catalog has, and what they have.
func (s *site) records(name, show, want string) {
	s.t.Helper()
	_, text := s.do("POST", "/v1/catalog/sorted", fmt.Sprintf(`{"catalog":%q,"show":[%s]}`, name, show))
	var reply api.SortedReply
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
	got := ""
	for _, r := range reply.Records {
		got += " " + r.Key
		for _, name := range slices.Sorted(maps.Keys(r.Values)) {
			got += ":" + r.Values[name]
		}
	}
	if got = strings.TrimSpace(got); got != want {
		s.t.Errorf("got the records %s of %s, want %s", got, text, want)
	}
}

// TestCatalogImport puts tables in each form in the place of others.
func TestCatalogImport(t *testing.T) {
	s := newSite(t, nil)
	s.addColours("red", "a", "b")
	s.records("c", `"colour"`, "a:red b:red")
	tables, tablesMedia := parted(t, "text/csv", colours("green", "a", "b"), "", gzipped("colour,id\nblue,d\nblue,a\n"))
	named, namedMedia := partsOf(t, "one.csv", "id,colour\na,red\nb\n", "two.csv", "id,colour\n,red\nc,red\n")
	const sized = `{"key": "id", "priority": "p", "attributes": [{"name": "colour"}, {"name": "size",
		"type": "number", "rule": true}]}`
	another, anotherMedia := parted(t, "application/json; charset=utf-8", sized, "text/csv",
		"id,colour,size,p\nx,red,1..9,\ny,red,,7\n")
	for _, c := range []struct{ media, query, body, reply, show, want string }{
		{"text/csv", "", colours("blue", "c", "a"), `{"records":2,"bad":0,"bad_lines":[]}`, `"colour"`,
			"c:blue a:blue"},
		{"application/gzip", "&strict=true", gzipped(colours("red", "d")), `{"records":1,"bad":0,"bad_lines":[]}`,
			`"colour"`, "d:red"},
		{"text/csv", "&check=true", colours("blue", "e", "f"), `{"records":2,"bad":0,"bad_lines":[]}`, `"colour"`,
			"d:red"},
		{tablesMedia, "&bad=25%25", tables,
			`{"records":3,"bad":1,"bad_lines":["line 3: record \"a\": two records of the same key"]}`, `"colour"`,
			"a:green b:green d:blue"},
		{namedMedia, "&bad=0.5", named,
			`{"records":2,"bad":2,"bad_lines":["one.csv: line 3: table: got 1 values, want 2, as many as the header has columns",` +
				`"two.csv: line 2: record \"\": invalid: record: got 0 bytes, want 1 to 65534"]}`, `"colour"`,
			"a:red c:red"},
		{"application/octet-stream", "&empty=true", "id,colour\n", `{"records":0,"bad":0,"bad_lines":[]}`, `"colour"`,
			""},
		{anotherMedia, "", another, `{"records":2,"bad":0,"bad_lines":[]}`, `"colour","size"`, "x:red:1..9 y:red"},
		{"text/csv", "", "id,p,size,colour\nz,5,7,red\n", `{"records":1,"bad":0,"bad_lines":[]}`, `"colour","size"`,
			"z:red:7"},
	} {
		resp, got := s.do("POST", catalogImportPath+"?catalog=c"+c.query, c.body, "Content-Type", c.media)
		if resp.StatusCode != 200 || got != c.reply+"\n" {
			t.Errorf("%s%s %.60q: got %d %s want %s", c.media, c.query, c.body, resp.StatusCode, got, c.reply)
		}
		s.records("c", c.show, c.want)
	}
	if indexes := s.db.Indexes(); len(indexes) != 2 { // that of the graph, and the one of the catalog
		t.Errorf("got the indexes %v, want none of an import before", indexes)
	}
	// What is wrong with long lines and with many is told in part.
	long := "id,colour\n" + strings.Repeat("a,"+strings.Repeat("x", 70_000)+"\n", 2) +
		strings.Repeat(strings.Repeat("ä", 5_000)+",red\n", 120) + "b,red\n"
	s.addColours("red", "a")
	resp, got := s.do("POST", catalogImportPath+"?catalog=c&bad=99%25", long, "Content-Type", "text/csv")
	var reply api.CatalogImportReply
	if err := json.Unmarshal([]byte(got), &reply); err != nil || resp.StatusCode != 200 || reply.Records != 2 ||
		reply.Bad != 121 || len(reply.BadLines) != 100 || len(got) > 150_000 {
		t.Errorf("got %d and %d bytes %.300s, %v, want 2 records, 121 bad lines, and 100 of them in few words",
			resp.StatusCode, len(got), got, err)
	}
}

// TestCatalogImportRefused sends what is no import: the catalog stays as it was.
func TestCatalogImportRefused(t *testing.T) {
	s := newSite(t, nil)
	s.addColours("red", "a", "b")
	const csv, table = "text/csv", "id,colour\nn,blue\n"
	packed := gzipped(strings.Repeat("x", 100) + table)
	type refusal struct {
		media, query, body string
		status             int
		want               string
	}
	refusals := []refusal{
		{"application/json", "catalog=c", "{}", 415, "unsupported_media_type"},
		{"multipart/form-data; boundary=x", "catalog=c", table, 415, "unsupported_media_type"},
		{"application/x-ndjson", "catalog=c", table, 415, "unsupported_media_type"},
		{"multipart/mixed", "catalog=c", table, 415, "boundary"},
		{csv, "", table, 400, `parameter \"catalog\" is missing`},
		{csv, "catalog=c&strict=perhaps", table, 400, "strict"},
		{csv, "catalog=c&schema=x", table, 400, `unknown parameter \"schema\"`},
		{csv, "catalog=none", table, 404, `unknown catalog \"none\"; to make it, send multipart/mixed`},
		{csv, "catalog=accounts", table, 400, `index \"accounts\" is no catalog`},
		{csv, "catalog=c", "", 400,
			"table: header: got an empty table, want the names of the columns in its first line; nothing was imported"},
		{csv, "catalog=c", "id,color\nn,blue\n", 400, `got no column \"colour\"`},
		{csv, "catalog=c", "id,colour\nn\n", 400, "got 1 bad of 1 line, want at most 0%: line 2: table: got 1 " +
			"values, want 2, as many as the header has columns; nothing was imported; parameter \\\"bad\\\" says"},
		{csv, "catalog=c", table + strings.Repeat("o\n", 19), 400,
			"got 19 bad of 20 lines, want at most 0%: line 3: table: got 1 values, want 2, as many as the header " +
				"has columns; line 4:"},
		{csv, "catalog=c&bad=94.9%25", table + strings.Repeat("o\n", 19), 400, "want at most 94.9%"},
		{csv, "catalog=c&check=true", table + "o\n", 400, "got 1 bad of 2 lines"},
		{csv, "catalog=c", "id,colour\n", 400,
			"got no record, want at least one; nothing was imported; parameter \\\"empty\\\" says"},
		{csv, "catalog=c&check=true", "id,colour\n", 400, "got no record"},
		{csv, "catalog=c&bad=100%25", "id,colour\nn\n", 400, "got no record"},
		{csv, "catalog=c&bad=5", table, 400, "parameter \\\"bad\\\": got share \\\"5\\\", want 0% to 100%"},
		{csv, "catalog=c&strict=true", table + "n,red\no\n", 400,
			"line 3: record \\\"n\\\": two records of the same key; nothing was imported"},
		{csv, "catalog=c", packed[:len(packed)/2], 400, "nothing was imported"},
		{csv, "catalog=c", "\x1f\x8bno gzip, though it begins so", 400, "nothing was imported"},
		{csv, "catalog=c", table + `o,"` + strings.Repeat("never closed\n", 1<<21), 400,
			"line 3: a quote begins here that is not closed within 16777216 bytes"},
	}
	part := func(status int, want string, parts ...string) {
		body, media := parted(t, parts...)
		refusals = append(refusals, refusal{media, "catalog=c", body, status, want})
	}
	part(400, "body has no table; nothing was imported")
	part(400, "body has no table; nothing was imported", "application/json", coloursSchema)
	part(400, "got attribute", "application/json", `{"attributes":[{"name":""}]}`, csv, table)
	part(400, "unknown field", "application/json", `{"attributes":[{"name":"a","colour":1}]}`, csv, table)
	part(400, "schema at byte 34: member \\\"attributes\\\" twice", "application/json",
		`{"attributes":[{"name":"colour"}],"attributes":[{"name":"id"}]}`, csv, table)
	part(400, "UTF-8", "application/json", "{\"key\":\"\xff\"}", csv, table)
	part(400, `got no column \"size\"`, "application/json", `{"attributes":[{"name":"size"}]}`, csv, table)
	part(413, "body_too_large", "application/json", coloursSchema+strings.Repeat(" ", 1<<20), csv, table)
	part(400, "it is JSON", csv, table, "application/json", coloursSchema)
	cut, cutMedia := parted(t, "application/json", coloursSchema, csv, table)
	for _, n := range []int{len(cut) - 10, len(cut) / 2, 20, 0} {
		refusals = append(refusals, refusal{cutMedia, "catalog=c", cut[:n], 400, "nothing was imported"})
	}
	for _, c := range refusals {
		resp, got := s.do("POST", catalogImportPath+"?"+c.query, c.body, "Content-Type", c.media)
		if resp.StatusCode != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s %.90q: got %d %s want %d %q", c.media, c.query, c.body, resp.StatusCode, got, c.status,
				c.want)
		}
	}
	if resp, got := s.do("POST", catalogImportPath+"?catalog=c", table, "Content-Type", csv, "Content-Encoding",
		"br"); resp.StatusCode != 415 {
		t.Errorf("Content-Encoding: got %d %s", resp.StatusCode, got)
	}
	// Bodies that break off, and a text whose end would not show.
	for _, raw := range []string{
		"Content-Type: text/csv\r\nContent-Length: 100\r\n\r\n" + table,
		"Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\na\r\nid,colour\n\r\n0\r\n\r\n",
		"Content-Type: " + cutMedia + "\r\nTransfer-Encoding: chunked\r\n\r\n" +
			fmt.Sprintf("%x\r\n%s\r\n", len(cut)-20, cut[:len(cut)-20]),
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, "POST "+catalogImportPath+"?catalog=c HTTP/1.1\r\nHost: x\r\n"+raw)
		_ = conn.(*net.TCPConn).CloseWrite()
		answer, _ := io.ReadAll(conn)
		_ = conn.Close()
		if !bytes.HasPrefix(answer, []byte("HTTP/1.1 400")) {
			t.Errorf("%.60q: got %q", raw, answer)
		}
	}
	s.records("c", `"colour"`, "a:red b:red")
	if indexes := s.db.Indexes(); len(indexes) != 2 {
		t.Errorf("got the indexes %v, want nothing left of imports that were refused", indexes)
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/uproar-db/uproar/api"
)

const (
	tableImportPath = "/v1/import"
	parquetMedia    = "application/vnd.apache.parquet"
)

// parquetPeople returns a Parquet file of five people.
func parquetPeople(t *testing.T) string { return parquetFile(t, "people") }

// parquetFile returns a Parquet file that other packages are tested with.
func parquetFile(t *testing.T, name string) string {
	t.Helper()
	file, err := os.ReadFile("../apps/audience/parquet/testdata/" + name + ".parquet")
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

// TestImportParquet makes an index of a Parquet file that arrives in one piece, in parts,
// compressed, or without a name for what it is. Nothing is left of it in the folder of temporary
// files.
func TestImportParquet(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := newSite(t, nil)
	file := parquetPeople(t)
	parts, partsMedia := partsOf(t, "people.parquet", file)
	for i, c := range []struct{ media, body, encoding string }{
		{parquetMedia, file, ""}, {partsMedia, parts, ""}, {"application/octet-stream", file, ""},
		{parquetMedia, gzipped(file), "gzip"},
	} {
		index := fmt.Sprintf("people%d", i)
		resp, got := s.do("POST", tableImportPath+"?index="+index, c.body, "Content-Type", c.media, "Content-Encoding",
			c.encoding)
		if resp.StatusCode != 200 || !strings.Contains(got, `"records":5,`) {
			t.Errorf("%s %s: got %d %s", c.media, c.encoding, resp.StatusCode, got)
		}
		s.counts(index, "5 all")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v in the folder of temporary files, want nothing", left, err)
	}
}

// zstandard returns what zstd makes of a text.
func zstandard(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// counts checks how many records of an index queries match; "count query".
func (s *site) counts(index string, want ...string) {
	s.t.Helper()
	for _, line := range want {
		n, q, _ := strings.Cut(line, " ")
		body, _ := json.Marshal(map[string]string{"index": index, "q": q, "answer": "count"})
		if _, got := s.do("POST", "/v1/query", string(body)); got != `{"count":`+n+"}\n" {
			s.t.Errorf("%s of %s: got %s, want %s", q, index, got, n)
		}
	}
}

// TestTableImport makes indexes of tables in each form, and adds to them.
func TestTableImport(t *testing.T) {
	s := newSite(t, nil)
	const people = "id,likes,city,age,born\nann,tea|cake,Oslo,30,1996-01-31\nbob,tea|coffee,,40,1986-01-31\n"
	const more = "age;name;id\n31;Eve;eve\n32;Cid;cid\n"
	const objects = `{"id":"dan","likes":["tea","rum"],"age":33}` + "\n" +
		`{"id":"eve","likes":["rum"],"city":null}` + "\n"
	const schema = `{"key":"id","null":["?"],"columns":[{"name":"age","type":"integer"},{"name":"h","type":"decimal",` +
		`"scale":2},{"name":"likes","field":"drinks","type":"set","split":"/"}]}`
	given, givenMedia := parted(t, "application/json", schema, "text/csv", "id,age,h,likes\na,1,2.5,x/y\nb,?,,\n",
		"application/x-ndjson", `{"id":"c","age":7,"h":1.25,"likes":"y"}`)
	named, namedMedia := partsOf(t, "a.ndjson", `{"id":"z1","age":50}`+"\n", "b.csv.gz", gzipped("id,age\nz2,51\n"))
	for _, c := range []struct{ media, query, body, reply string }{
		{"text/csv", "index=people", people, `{"records":2,"values":9,"bad":0,"bad_lines":[],"fields":[{"name":"likes",` +
			`"type":"set"},{"name":"city","type":"single"},{"name":"age","type":"integer"},{"name":"born",` +
			`"type":"integer","format":"date"}],"schema":{"key":"id","columns":[{"name":"likes","type":"set",` +
			`"split":"|"},{"name":"city","type":"single"},{"name":"age","type":"integer"},{"name":"born","type":"date"}]}}`},
		{"application/zstd", "index=people&ignore=true", zstandard(t, more), `"columns":[{"name":"age",` +
			`"type":"integer"}]},"notes":["column \"name\" is no field: left out"]}`},
		{"application/x-ndjson", "index=people", objects, `{"records":2,"values":4,"bad":0,`},
		{"application/gzip", "index=people", gzipped(objects), `{"records":2,"values":4,"bad":0,`},
		{"text/csv", "index=people&bad=50%25", "id,age\nx1,60\nx2,old\nx3\n", `{"records":2,"values":1,"bad":2,` +
			`"bad_lines":["line 3, column age: age: got \"old\", want a number`},
		{"text/csv", "index=people&check=true", "id,age\nx4,61\n", `{"records":1,"values":1,"bad":0,`},
		{namedMedia, "index=people", named, `{"records":2,"values":2,`},
		{givenMedia, "index=given", given, `{"records":3,"values":7,"bad":0,"bad_lines":[],"fields":[{"name":"age",` +
			`"type":"integer"},{"name":"h","type":"integer","scale":2},{"name":"drinks","type":"set"}],"schema":` + schema},
		{"text/tab-separated-values", "index=numbered&key=", "a\tb\n1\t2\n1\t2\n", `"notes":["no column has another`},
		{"text/tab-separated-values", "index=keyed&key=b&null=-", "a\tb\n-\t2\n1\t3\n", `"schema":{"key":"b",` +
			`"null":["-"],"columns":[{"name":"a","type":"integer"}]}}`},
		{"application/octet-stream", "index=guess", `{"_id":1,"x":{"y":1},"z":[1]}`,
			`"schema":{"key":"_id","columns":` + `[{"name":"z","type":"set"}]},"notes":["column \"x\" has objects: left out"]}`},
	} {
		resp, got := s.do("POST", tableImportPath+"?"+c.query, c.body, "Content-Type", c.media)
		if resp.StatusCode != 200 || !strings.Contains(got, c.reply) {
			t.Errorf("%s %s %.60q: got %d %s want %s", c.media, c.query, c.body, resp.StatusCode, got, c.reply)
		}
	}
	if resp, got := s.do("POST", tableImportPath+"?index=coded", gzipped(people), "Content-Type", "text/csv",
		"Content-Encoding", "gzip"); resp.StatusCode != 200 {
		t.Errorf("got %d %s", resp.StatusCode, got)
	}
	s.counts("people", "9 all", "3 likes = tea", "2 likes = rum", "1 born = 1996-01-31", "1 age = 31",
		"2 age > 49 and age < 60", "0 age = 61", "1 none(age)")
	s.counts("given", "3 all", "1 h = 2.5", "2 drinks = y", "2 any(age)")
	s.counts("numbered", "2 all")
	s.counts("keyed", "2 all", "1 any(a)")
}

// TestTableImportRefused sends what is no import: nothing of it is left, and no index.
func TestTableImportRefused(t *testing.T) {
	s := newSite(t, nil)
	s.addColours("red", "a")
	s.do("POST", tableImportPath+"?index=people", "id,age\na,1\nb,2\n", "Content-Type", "text/csv")
	s.follow("alice>bob")
	if resp, got := s.do("POST", "/v1/fields", `{"index":"accounts","add":[{"name":"age","type":"integer"}]}`); resp.
		StatusCode != 200 {
		t.Fatal(got)
	}
	s.do("POST", tableImportPath+"?index=rows", "a,b\n1,x\n1,x\n", "Content-Type", "text/csv")
	before := s.db.Indexes()
	late := "id,n,d\n"
	var objects strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&objects, "{\"id\":%d,\"n\":%d}\n", i, i)
	}
	rows := strings.Repeat("1,5,2026-01-31\n", 11_000)
	const csv, ndjson = "text/csv", "application/x-ndjson"
	people := parquetPeople(t)
	packed := gzipped("id,n\n" + strings.Repeat("some,1\n", 1000))
	type refusal struct {
		media, query, body string
		status             int
		want               string
	}
	refusals := []refusal{
		{"application/json", "index=new", "{}", 415, "unsupported_media_type"},
		{"multipart/mixed", "index=new", "x", 415, "boundary"},
		{parquetMedia, "index=new", "PAR1", 400, "parquet: "},
		{parquetMedia, "index=new", people[:len(people)-1], 400, "parquet: "},
		{parquetMedia, "index=new&key=nr", people, 400, `got no column \"nr\"`},
		{parquetMedia, "index=new", parquetFile(t, "hostile"), 400, "got 2147483647 bytes uncompressed, want at most"},
		{csv, "", "id,n\n", 400, `parameter \"index\" is missing`},
		{csv, "index=", "id,n\n", 400, `parameter \"index\" is empty`},
		{csv, "index=new&schema=x", "id,n\n", 400, `unknown parameter \"schema\"`},
		{csv, "index=new&format=parquet", "id,n\n", 400, "parquet: "},
		{csv, "index=new&format=avro", "id,n\n", 400, "want detect, csv, tsv, ndjson or parquet"},
		{csv, "index=new&separator=dot", "id,n\n", 400, "separator"},
		{csv, "index=new&bad=2", "id,n\n", 400, "share"},
		{csv, "index=new", "", 400, "empty table"},
		{csv, "index=new", "id\n1\n", 400, "got no columns"},
		{csv, "index=new&key=nr", "id,n\n1,2\n", 400, `got no column \"nr\"`},
		{csv, "index=new", `{"id":1}`, 400, "it is JSON"},
		{ndjson, "index=new", "[1]", 400, "a JSON array"},
		{csv, "index=no index!", "id,n\n1,2\n", 400, "index"},
		// What comes behind the sample.
		{csv, "index=new&key=id", late + rows + "7,many,2026-01-31\n", 400,
			`line 11002, column n: n: got \"many\", want a ` +
				`number; nothing was imported; types were guessed: send a schema with {\"name\":\"n\",\"type\":\"single\"} in ` +
				`the place of {\"name\":\"n\",\"type\":\"integer\"}`},
		{csv, "index=new&key=id&bad=99%25", late + rows + "7,1.5,2026-01-31\n", 400,
			`\"type\":\"decimal\",\"scale\":1}`},
		{csv, "index=new&key=id", late + rows + "7,1,31.1.2026\n", 400, "line 11002, column d"},
		{csv, "index=new&key=id", late + rows + "7,1\n", 400, "got 1 bad of 11001 lines, want at most 0%: line 11002"},
		{csv, "index=new&key=id", late + rows + "8,\"never closed\n", 400, "a quote begins here"},
		{ndjson, "index=new", objects.String() + `{"id":"x","m":1}`, 400, `line 12001: got the member \"m\"`},
		{ndjson, "index=new", objects.String() + `{"id":"x","n":[1,2]}`, 400, "got a list of several values"},
		{"application/gzip", "index=new", packed[:len(packed)-9], 400, "damaged or cut short"},
		// What does not fit an index that is there.
		{csv, "index=people", "id,age,city\na,1,x\n", 400, `got the columns [\"city\"], which are no fields`},
		{csv, "index=people", "id,age\na,old\n", 400, `got 1 bad of 1 value`},
		{csv, "index=people&bad=99%25&strict=true", "id,age\nc,1\na,old\n", 400, "line 3, column age"},
		{csv, "index=people", "age\n1\n", 400, "have keys"},
		{csv, "index=rows", "id,a\nk,1\n", 400, "numbers its records"},
		{csv, "index=c", "id,colour\nk,1\n", 400, "the records of a catalog"},
		{csv, "index=accounts", "id,follows\nk,1\n", 400, "relation"},
		{csv, "index=accounts", "id,age\nx,1\ny\x01,2\n", 400, `line 3, column id: graph: account \"y\\x01\" has the`},
		{csv, "index=accounts&bad=40%25", "id,age\nx,1\ny\x01,2\n", 400, "got 1 bad of 2 lines"},
		{ndjson, "index=accounts", `{"id":"\u0085","age":1}`, 400, "control character U+0085"},
	}
	part := func(query, want string, parts ...string) {
		body, media := parted(t, parts...)
		refusals = append(refusals, refusal{media, query, body, 400, want})
	}
	const schema = `{"key":"id","columns":[{"name":"n","type":"integer"}]}`
	part("index=new", "body has no table")
	part("index=new", "body has no table", "application/json", schema)
	part("index=new&guessed=true", "which it is about", csv, "id,n\n1,2\n")
	part("index=new&guessed=true&bad=99%25", "line 4, column n: n: got \\\"x\\\"", "application/json", schema, csv,
		"id,n\n1,2\n2,3\n3,x\n")
	part("index=new&guessed=true", `member \"m\"`, "application/json", schema, ndjson, `{"id":1,"n":2}`, ndjson,
		`{"id":2,"m":2}`)
	part("index=new", "got no columns", "application/json", `{"columns":[]}`, csv, "id,n\n1,2\n")
	part("index=new", "twice", "application/json", `{"columns":[{"name":"n","type":"set"}],"columns":[{"name":"n",`+
		`"type":"set"}]}`, csv, "id,n\n1,2\n")
	part("index=new&key=id", "which it has itself", "application/json", schema, csv, "id,n\n1,2\n")
	part("index=people", `field \"n\" of index \"people\": has none`, "application/json", schema, csv, "id,n\n1,2\n")
	part("index=new", `no column \"n\"`, "application/json", schema, csv, "id,m\n1,2\n")
	part("index=new", `no column \"b\"`, csv, "id,b\nx,2\n", csv, "id,c\ny,3\n")
	cut, cutMedia := parted(t, csv, "id,n\n1,2\n", csv, "id,n\n3,4\n")
	for _, n := range []int{len(cut) - 10, len(cut) / 2, 20} {
		refusals = append(refusals, refusal{cutMedia, "index=new", cut[:n], 400, "nothing was imported"})
	}
	for _, c := range refusals {
		resp, got := s.do("POST", tableImportPath+"?"+strings.ReplaceAll(c.query, " ", "%20"), c.body, "Content-Type",
			c.media)
		if resp.StatusCode != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s %.60q: got %d %s want %d %q", c.media, c.query, c.body, resp.StatusCode, got, c.status,
				c.want)
		}
	}
	// A body that breaks off in the midst.
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(conn, "POST "+tableImportPath+"?index=new HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\n"+
		"Content-Length: 10000000\r\n\r\n"+late+rows)
	_ = conn.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(conn)
	_ = conn.Close()
	if !bytes.HasPrefix(answer, []byte("HTTP/1.1 400")) || !bytes.Contains(answer, []byte("broke off")) {
		t.Errorf("got %q", answer)
	}
	if now := s.db.Indexes(); !slices.Equal(now, before) {
		t.Errorf("got the indexes %v, want %v", now, before)
	}
	s.counts("people", "2 all")
	// An import of nothing says whether one would be refused.
	for _, c := range []struct {
		index string
		want  int
	}{{"new", 200}, {"people", 400}} {
		body, media := parted(t, "application/json", schema)
		if resp, got := s.do("POST", tableImportPath+"?check=true&index="+c.index, body, "Content-Type",
			media); resp.StatusCode != c.want {
			t.Errorf("%s: got %d %s", c.index, resp.StatusCode, got)
		}
	}
	var reply api.TableImportReply
	if _, got := s.do("POST", tableImportPath+"?index=new", "id,n\n1,2\n", "Content-Type",
		csv); json.Unmarshal([]byte(got), &reply) != nil || reply.Records != 1 {
		t.Errorf("got %s after all that was refused", got)
	}
}

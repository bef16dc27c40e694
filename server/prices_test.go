// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server"
	"github.com/uproar-db/uproar/store/memstore"
)

const pricesSchema = `{%s"attributes": [{"name": "offering"}, {"name": "group"}, {"name": "spec"}, {"name": "Term"},
	{"name": "B2B Traffic"}, {"name": "VPN"}, {"name": "B2B Bandwidth"},
	{"name": "Router"}, {"name": "value", "type": "number", "info": true}], "combined": [["offering", "group", "spec",
		"Term", "B2B Traffic", "VPN", "B2B Bandwidth", "Router"]]}`

const somePrices = `id,value,offering,group,spec,Term,B2B Traffic,VPN,B2B Bandwidth,Router
p1,2320,o1,group3,MRC,18,10GB,v1,1Mbps,Included
p2,7,o1,group3,MRC,18,10GB,v1,2Mbps,Included
p3,8,o2,group3,NRC,12,1GB,v2,1Mbps,Not Included
`

// servePrices serves a catalog of prices under the paths of bitmap-usage.
func servePrices(t testing.TB, schema string, table io.Reader) (url string) {
	t.Helper()
	h := httptest.NewServer(priceServer(t, schema, table))
	t.Cleanup(h.Close)
	return h.URL
}

func priceServer(t testing.TB, schema string, table io.Reader) *server.Server {
	t.Helper()
	db, err := uproar.Open(t.Context(), memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	parsed, err := catalog.ParseSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(t.Context(), db, "prices", parsed, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	if _, _, err := r.Read(t.Context(), catalog.Table{}, table); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(db, &server.Options{Paths: server.Paths{Prices: "prices"}, Hosts: []string{"example.com"}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// send posts a body, and returns the answer.
func send(t testing.TB, url, body string) (status int, answer string) {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

const priceBody = `{"offeringId":"o1","groupId":"group3","priceSpecId":"MRC","charValues":[{"char":"Term","value":"18"},{"char":"B2B Traffic","value":"10GB"},{"char":"VPN","value":"v1"},` +
	`{"char":"B2B Bandwidth","value":"1Mbps"},{"char":"Router","value":"Included"}]}`

func TestPricesOne(t *testing.T) {
	url := servePrices(t, fmt.Sprintf(pricesSchema, `"key": "id", `), strings.NewReader(somePrices)) +
		"/v1/search/bitmap/prices"
	found := `{"id":"p1","spec":"MRC","value":2320,"currency":""}`
	change := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(priceBody) }
	for name, c := range map[string]struct {
		body   string
		status int
		want   string
	}{
		"found":          {priceBody, 200, found},
		"escapes":        {change("group3", `\u0067roup3`), 200, found},
		"unknown member": {change(`{"offeringId"`, `{"more":[1,{"x":null}],"offeringId"`), 200, found},
		"other order, spaces": {change(`"offeringId":"o1",`, "", `}]}`, "} ],\n \"offeringId\" : \"o1\" }"), 200,
			found},
		"rubbish behind": {priceBody + "rubbish", 200, found},
		"the same value twice": {change(`{"char":"Term"`, `{"char":"Term","value":"18"},{"char":"Term"`), 200,
			found},
		"Router left out": {change(`,{"char":"Router","value":"Included"}`, ""), 200, found},
		"two values": {change(`{"char":"Term"`, `{"char":"Term","value":"12"},{"char":"Term"`), 404,
			"unable find price"},
		"several": {change(`{"char":"B2B Bandwidth","value":"1Mbps"},`, ""), 404,
			"unable find price, no default and >1 found"},
		"no conditions": {`{"offeringId":"o1","groupId":"group3","priceSpecId":"MRC","charValues":null}`,
			404, "unable find price, no default and >1 found"},
		"none":                      {change("2320", "", `"18"`, `"12"`), 404, "unable find price"},
		"unknown offering":          {change("o1", "o9"), 404, "unable find offeringId in index"},
		"unknown group":             {change("group3", "group9"), 404, "unable find groupId in index"},
		"unknown spec":              {change("MRC", "XRC"), 404, "unable find specId in index"},
		"unknown name":              {change("Term", "Turn"), 404, "unable to find charId in index"},
		"unknown value":             {change(`"18"`, `"19"`), 404, "unable to find charValue in index"},
		"unknown group before name": {change("group3", "group9", "Term", "Turn"), 404, "unable find groupId in index"},
		"null":                      {"null", 404, "unable find offeringId in index"},
		"cut off":                   {priceBody[:40], 400, "Request body contains badly-formed JSON"},
		"bad character": {`{"offeringId":x}`, 400,
			"Request body contains badly-formed JSON (at position 15)"},
		"empty": {"", 400, "Request body must not be empty"},
		"wrong type": {`{"offeringId":5}`, 400,
			`Request body contains an invalid Value for the "offeringId" field (at position 15)`},
	} {
		if status, got := send(t, url, c.body); status != c.status || got != c.want+"\n" {
			t.Errorf("%s: got %d %q, want %d %q", name, status, got, c.status, c.want)
		}
	}
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 405 {
		t.Errorf("GET: got %d, want 405", resp.StatusCode)
	}
	for path, want := range map[string]string{"/health": "", "/ready": "", "/info": `{"catalog":"prices","prices":3}` +
		"\n"} {
		resp, err := http.Get(strings.TrimSuffix(url, "/v1/search/bitmap/prices") + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 200 || string(text) != want || err != nil {
			t.Errorf("%s: got %d %q, %v, want 200 and %q", path, resp.StatusCode, text, err, want)
		}
	}
}

// TestPricesVariants asks under the other paths of bitmap-usage. A scan over maps says only that
// there is no price; of some of its arrays all are answered, or none.
func TestPricesVariants(t *testing.T) {
	const table = "id,value,std,offering,group,spec,Term,Router\n" +
		"p1,1,,o1,g1,MRC,18,In\np2,2,yes,o1,g1,MRC,18,Out\np3,3,yes,o1,g1,MRC,12,Out\np4,4,,o2,g1,MRC,12,Out\n" +
		"p5,5,,o2,g1,MRC,18,In\n"
	url := servePrices(t, `{"key": "id", "default": "std", "attributes": [{"name": "offering"}, {"name": "group"},
		{"name": "spec"}, {"name": "Term"}, {"name": "Router"},
		{"name": "value", "type": "number", "info": true}]}`, strings.NewReader(table))
	request := func(offering, chars string) string {
		return `{"offeringId":"` + offering + `","groupId":"g1","priceSpecId":"MRC","charValues":[` + chars + `]}`
	}
	price := func(id string) string { return `{"id":"p` + id + `","spec":"MRC","value":` + id + `,"currency":""}` }
	bulk := func(id string) string { return `{"price":` + price(id) + `,"error":{},"id":0}` }
	in, odd := `{"char":"Router","value":"In"}`, `{"char":"Colour","value":"In"}`
	const none, many = "unable find price", "unable find price, no default and >1 found"
	for _, path := range []string{"/v1/search/bitmap/prices", "/v1/search/bitmap/prices/ugorji",
		"/v1/search/bitmap/prices/jsoniter", "/v1/search/kelindar/prices", "/v1/search/map/prices",
		"/v1/search/map/prices/ugorji"} {
		unknown, unnamed := "unable find offeringId in index", "unable to find charId in index"
		if strings.Contains(path, "/map/") {
			unknown, unnamed = none, none
		}
		for body, want := range map[string]string{request("o1", in): price("1"), request("o1", ""): price("2"),
			request("o2", ""): many, request("o9", ""): unknown, request("o1", odd): unnamed} {
			wantStatus := 200
			if !strings.HasPrefix(want, "{") {
				wantStatus = 404
			}
			if status, got := send(t, url+path, body); status != wantStatus || got != want+"\n" {
				t.Errorf("%s: %s: got %d %q, want %d %q", path, body, status, got, wantStatus, want)
			}
		}
	}
	good, bad := request("o1", in), request("o9", "")
	failed := `{"error":{"message":"unable find price"},"id":0}`
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/v4/search/bitmap/bulk/prices/ugorji", "[" + good + "]", 200, "[" + bulk("1") + "]"},
		{"/v1/search/map/bulk/prices", "[" + good + "," + bad + "]", 200, "[" + bulk("1") + "," + failed + "]"},
		{"/v2/search/map/bulk/prices", "[" + good + "]", 200, "[" + bulk("1") + "]"},
		{"/v2/search/map/bulk/prices", "[" + good + "," + bad + "]", 400,
			"Unable to find prices for at least one in a group"},
		{"/v4/search/map/bulk/prices", good + "\n" + bad, 200, bulk("1") + "\n" + failed},
		{"/v4/search/map/bulk/prices", good + "\n{x", 200, ""},
		{"/v4/search/map/bulk/prices", "[" + good + "]", 200, ""},
	} {
		if status, got := send(t, url+c.path, c.body); status != c.status || strings.TrimSuffix(got, "\n") != c.want {
			t.Errorf("%s: %s: got %d %q, want %d %q", c.path, c.body, status, got, c.status, c.want)
		}
	}
}

func TestPricesBulk(t *testing.T) {
	url := servePrices(t, fmt.Sprintf(pricesSchema, `"key": "id", `), strings.NewReader(somePrices))
	with := func(id, body string) string { return `{"id":` + id + "," + body[1:] }
	wrong := strings.Replace(priceBody, "o1", "o9", 1)
	several := `{"offeringId":"o1","groupId":"group3","priceSpecId":"MRC"}`
	const found = `{"price":{"id":"p1","spec":"MRC","value":2320,"currency":""},"error":{},"id":`
	notFound := `{"error":{"message":"unable find offeringId in index"},"id":7}`
	many := `{"error":{"message":"unable find price, no default and \u003e1 found"},"id":65535}`
	for name, c := range map[string]struct {
		path, body string
		status     int
		want       string
	}{
		"array": {"/v4", "[" + with("3", priceBody) + "," + with("7", wrong) + ", " + with("65535", several) +
			"]", 200, "[" + found + "3}," + notFound + "," + many + "]"},
		"v2":          {"/v2", "[" + priceBody + "]", 200, "[" + found + "0}]"},
		"v1":          {"/v1", "[" + priceBody + "]", 200, "[" + found + "0}]"},
		"no requests": {"/v4", " [ ] ", 200, "[]"},
		"repeats": {"/v4", "[" + with("3", priceBody) + "," + with("3", priceBody) + "]", 200, "[" + found +
			"3}," + found + "3}]"},
		"out of range": {"/v4", "[" + with("65536", priceBody) + "]", 400,
			`Request body contains an invalid Value for the "id" field (at position 12)`},
		"empty":   {"/v4", "", 400, "Request body must not be empty"},
		"cut off": {"/v4", "[" + priceBody, 400, "Request body contains badly-formed JSON"},
		"no array": {"/v4", priceBody, 400,
			`Request body contains an invalid Value for the "" field (at position 1)`},
		"lines": {"/v5", with("1", priceBody) + "\r\n\n" + with("7", wrong) + with("2", priceBody), 200,
			found + "1}\n" + notFound + "\n" + found + "2}"},
		"pretty": {"/v5", with("1", priceBody) + "\n{\n  \"offeringId\" : \"o\\u0039\",\n \"id\" : 7\n}\n" +
			with("2", priceBody), 200, found + "1}\n" + notFound + "\n" + found + "2}"},
		"no lines":        {"/v5", " \n", 200, ""},
		"first is bad":    {"/v5", "[]" + priceBody, 400, "Unable decode body"},
		"fraction":        {"/v5", with("1.5", priceBody), 400, "Unable decode body"},
		"bad behind good": {"/v5", with("1", priceBody) + "\n{x", 200, found + "1}\nUnable decode body"},
	} {
		if status, got := send(t, url+c.path+"/search/bitmap/bulk/prices", c.body); status != c.status ||
			strings.TrimSuffix(got, "\n") != c.want {
			t.Errorf("%s: got %d %q, want %d %q", name, status, got, c.status, c.want)
		}
	}
}

// Parts of a large bulk are answered beside one another, and in order.
func TestPricesParts(t *testing.T) {
	url := servePrices(t, fmt.Sprintf(pricesSchema, `"key": "id", `), strings.NewReader(somePrices))
	bodies := []string{priceBody, strings.Replace(priceBody, "1Mbps", "2Mbps", 1),
		strings.Replace(priceBody, "o1", "o9", 1)}
	answers := []string{`{"price":{"id":"p1","spec":"MRC","value":2320,"currency":""},"error":{},"id":%d}`,
		`{"price":{"id":"p2","spec":"MRC","value":7,"currency":""},"error":{},"id":%d}`,
		`{"error":{"message":"unable find offeringId in index"},"id":%d}`}
	for _, n := range []int{1023, 2048, 5001} {
		var requests, want []string
		for i := range n {
			requests = append(requests, fmt.Sprintf(`{"id":%d,%s`, i, bodies[i%3][1:]))
			want = append(want, fmt.Sprintf(answers[i%3], i))
		}
		for path, around := range map[string][3]string{"/v4": {"[", ",", "]"}, "/v5": {"", "\n", ""}} {
			status, got := send(t, url+path+"/search/bitmap/bulk/prices",
				around[0]+strings.Join(requests, around[1])+around[2])
			if all := around[0] + strings.Join(want, around[1]) + around[2]; status != 200 ||
				strings.TrimSuffix(got, "\n") != all {
				t.Errorf("%s, %d requests: got %d and %d bytes, want %d", path, n, status, len(got), len(all))
			}
		}
	}
}

// TestPricesTooMany checks the bounds of a request's characteristics, and of all in a body.
// Brackets and commas in texts do not count.
func TestPricesTooMany(t *testing.T) {
	url := servePrices(t, fmt.Sprintf(pricesSchema, `"key": "id", `), strings.NewReader(somePrices))
	with := func(n int, what string) string {
		return `{"offeringId":"o1","groupId":"group3","priceSpecId":"MRC","charValues":[` +
			strings.TrimSuffix(strings.Repeat(what+",", n), ",") + "]}"
	}
	term := `{"char":"Term","value":"18"}`
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"one, many":     {"/v1/search/bitmap/prices", with(1024, term), 404},
		"one, too many": {"/v1/search/bitmap/prices", with(1025, term), 413},
		"one, empty":    {"/v1/search/bitmap/prices", with(1_300_000, "{}"), 413},
		"one, numbers":  {"/v1/search/bitmap/prices", with(1_900_000, "0"), 413},
		"one, texts": {"/v1/search/bitmap/prices",
			with(3, `{"char":"Term","value":"\"`+strings.Repeat(`[,{\\\"`, 2000)+`"}`), 404},
		"bulk, many": {"/v4/search/bitmap/bulk/prices", "[" + with(1024, term) + "," + with(1024, term) + "]",
			200},
		"bulk, too many": {"/v4/search/bitmap/bulk/prices", "[" + with(1, term) + "," + with(1025, term) + "]",
			413},
		"bulk, all together": {"/v4/search/bitmap/bulk/prices", "[" + strings.Repeat(with(1000, "{}")+",", 600) + "{}]",
			413},
		"lines, too many": {"/v5/search/bitmap/bulk/prices", with(1, term) + with(1025, term), 413},
	} {
		status, got := send(t, url+c.path, c.body)
		if status != c.status || status == 413 && !strings.Contains(got, "charValues") {
			t.Errorf("%s: got %d %.200s, want %d", name, status, got, c.status)
		}
	}
}

// FuzzPrices checks that no body is answered with an internal error. It also checks that the parser
// of ordinary requests reads a body as encoding/json does.
func FuzzPrices(f *testing.F) {
	s := priceServer(f, fmt.Sprintf(pricesSchema, `"key": "id", `), strings.NewReader(somePrices))
	send := func(path, body string) (status int, answer string) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
		return w.Code, w.Body.String()
	}
	f.Add(priceBody)
	f.Add("[" + priceBody + "]")
	f.Add(`{"id":07,"offeringId":"\ud800"}` + priceBody)
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"/v1/search/bitmap/prices", "/v4/search/bitmap/bulk/prices",
			"/v5/search/bitmap/bulk/prices"} {
			if status, got := send(path, body); status != 200 && status != 400 && status != 404 && status != 413 {
				t.Fatalf("%s: got %d %q", path, status, got)
			}
		}
		if !json.Valid([]byte(body)) || !strings.HasPrefix(body, "{") {
			return
		}
		// An unknown member first has encoding/json read it.
		status, got := send("/v1/search/bitmap/prices", body)
		careful, want := send("/v1/search/bitmap/prices", `{"zz":0`+strings.Replace(","+strings.TrimLeft(body[1:],
			" \t\r\n"), ",}", "}", 1))
		if status != careful || status == 200 && got != want {
			t.Fatalf("got %d %q, and %d %q with a member more", status, got, careful, want)
		}
	})
}

// All requests of bitmap-usage's sample are answered over HTTP as they should be.
func TestPricesSample(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads 487 200 prices")
	}
	open := func(name string) io.Reader {
		packed, err := os.ReadFile("../../shared/data/prices/" + name)
		if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") != "true" {
			t.Skipf("no %s beside the repository", name)
		}
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	lines, err := io.ReadAll(open("search-price-bulk-request-10000-nd.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	expected, err := csv.NewReader(open("expected-10000.csv.gz")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	url := servePrices(t, fmt.Sprintf(pricesSchema, ""), open("prices.csv.gz"))
	check := func(path string, body []byte, answers func(text string) []string) {
		status, text := send(t, url+path, string(body))
		got := answers(strings.TrimSuffix(text, "\n"))
		if status != 200 || len(got) != 10000 {
			t.Fatalf("%s: got %d and %d answers, want 200 and 10000", path, status, len(got))
		}
		for i, answer := range got {
			var a struct {
				Price *struct{ Value int }
				ID    int
			}
			if err := json.Unmarshal([]byte(answer), &a); err != nil {
				t.Fatal(err)
			}
			if a.Price == nil || a.ID != i || fmt.Sprint(a.Price.Value) != expected[i+1][1] {
				t.Fatalf("%s, request %d: got %s, want the price %s", path, i, answer, expected[i+1][1])
			}
		}
	}
	check("/v5/search/bitmap/bulk/prices", lines, func(text string) []string { return strings.Split(text, "\n") })
	check("/v4/search/bitmap/bulk/prices", append(append([]byte{'['}, bytes.ReplaceAll(lines, []byte("\n"),
		[]byte(","))...), ']'), func(text string) (list []string) {
		var answers []json.RawMessage
		if err := json.Unmarshal([]byte(text), &answers); err != nil {
			t.Fatal(err)
		}
		for _, a := range answers {
			list = append(list, string(a))
		}
		return list
	})
}

// A body has at most as many requests as there are numbers for them, however small they are.
func TestPricesMany(t *testing.T) {
	const most = 1 << 16
	url := servePrices(t, fmt.Sprintf(pricesSchema, `"key": "id", `), strings.NewReader(somePrices))
	array := func(element string, n int) string { return "[" + strings.Repeat(element+",", n-1) + element + "]" }
	for name, c := range map[string]struct {
		path, body string
		want       int
	}{
		"empty ones":         {"/v4", array("{}", most+1), 413},
		"no objects":         {"/v4", array("1", most+1), 413},
		"with numbers":       {"/v1", array(`{"id":1}`, most+1), 413},
		"lines":              {"/v5", strings.Repeat("{\"id\":1}\n", most+1), 413},
		"lines, empty":       {"/v5", strings.Repeat("{}\n", most+1), 413},
		"as many as may be":  {"/v4", array("{}", most), 200},
		"lines, as many":     {"/v5", strings.Repeat("{\"id\":1}\n", most), 200},
		"commas within text": {"/v4", `[{"offeringId":"` + strings.Repeat(`,\"`, most+1) + `"}]`, 200},
	} {
		if status, got := send(t, url+c.path+"/search/bitmap/bulk/prices", c.body); status != c.want {
			t.Errorf("%s: got %d %.200q, want %d", name, status, got, c.want)
		}
	}
}

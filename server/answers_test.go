// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/bitmap/interop"
)

// newShop returns a site with an index that has fields of every type.
func newShop(t *testing.T) *site {
	s := newSite(t, nil)
	ix, err := s.db.CreateIndex(t.Context(), "shop", uproar.Field{Name: "tag", Type: uproar.Set},
		uproar.Field{Name: "size", Type: uproar.Single},
		uproar.Field{Name: "price", Type: uproar.Integer, Scale: 2}, uproar.Field{Name: "made", Type: uproar.Integer,
			Format: uproar.Date})
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	for _, line := range strings.Split("a tag=new tag=red size=m price=1.50 made=2026-01-02|b tag=red size=m "+
		"price=-0.25|c tag=new size=l price=4 made=2026-01-04|d", "|") {
		words := strings.Fields(line)
		b.AddRecord(words[0])
		for _, w := range words[1:] {
			field, value, _ := strings.Cut(w, "=")
			b.Set(field, words[0], value)
		}
	}
	if _, err := ix.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAnswersOfSets(t *testing.T) {
	s := newShop(t)
	for _, c := range []struct{ q, questions, want string }{
		{`"tag = red"`, `{"name":"n","answer":"count"}`, `{"records":2,"answers":[{"name":"n","count":2}]}`},
		{`{"field":"price",">=":1.5}`, `{"name":"n","answer":"count"}`,
			`{"records":2,"answers":[{"name":"n","count":2}]}`},
		{`"all"`, `{"name":"t","answer":"top","field":"tag"},{"name":"d","answer":"distinct","field":"tag"}`,
			`{"records":4,"answers":[{"name":"t","rows":[{"key":"new","count":2,"total":2,"score":2},{"key":"red","count":2,"total":2,"score":2}]},{"name":"d","count":2}]}`},
		{`"size = m"`,
			`{"name":"t","answer":"top","field":"tag","by":"lift","limit":1,"least":1,"over":{"field":"size","any":true}}`,
			`{"records":2,"answers":[{"name":"t","rows":[{"key":"red","count":2,"total":2,"score":1.5}],"cursor":"A8dNyQWAgICAgICA_D8CAT6T"}]}`},
		{`"all"`, `{"name":"g","answer":"groups","fields":["size","tag"],"limit":2}`,
			`{"records":4,"answers":[{"name":"g","groups":[{"keys":["m","red"],"count":2},{"keys":["m","new"],"count":1}],"cursor":"A9lH1l4BAADvAg"}]}`},
		{`"all"`,
			`{"name":"g","answer":"groups","fields":["price by 0.5","made by month"]},{"name":"p","answer":"groups","fields":["price"]}`,
			`{"records":4,"answers":[{"name":"g","groups":[{"keys":["1.50","2026-01-01"],"count":1},{"keys":["4.00","2026-01-01"],"count":1}]},{"name":"p","groups":[{"keys":["-0.25"],"count":1},{"keys":["1.50"],"count":1},{"keys":["4.00"],"count":1}]}]}`},
		{`"all"`,
			`{"name":"p","answer":"numbers","field":"price","quantiles":[0.5]},{"name":"m","answer":"numbers","field":"made","quantiles":[1]}`,
			`{"records":4,"answers":[{"name":"p","count":3,"sum":5.25,"mean":1.75,"min":-0.25,"max":4.00,"quantiles":[1.50]},{"name":"m","count":2,"min":"2026-01-02","max":"2026-01-04","quantiles":["2026-01-04"]}]}`},
		{`"all"`, `{"name":"p","answer":"histogram","field":"price by 2"},{"name":"m","answer":"histogram",` +
			`"field":"made by day"},{"name":"b","answer":"histogram","field":"price","bounds":[-0.25,"1.5",9]}`,
			`{"records":4,"answers":[{"name":"p","bands":[{"from":-2.00,"below":0.00,"count":1},{"from":0.00,"below":2.00,"count":1},{"from":2.00,"below":4.00,"count":0},{"from":4.00,"below":6.00,"count":1}]},{"name":"m","bands":[{"from":"2026-01-02","below":"2026-01-03","count":1},{"from":"2026-01-03","below":"2026-01-04","count":0},{"from":"2026-01-04","below":"2026-01-05","count":1}]},{"name":"b","bands":[{"below":-0.25,"count":0},{"from":-0.25,"below":1.50,"count":1},{"from":1.50,"below":9.00,"count":2},{"from":9.00,"count":0}]}]}`},
		{`"none(price)"`, `{"name":"p","answer":"histogram","field":"price by 1"}`,
			`{"records":1,"answers":[{"name":"p","bands":[]}]}`},
		{`"none(price)"`,
			`{"name":"p","answer":"numbers","field":"price","quantiles":[0.5]},{"name":"t","answer":"top","field":"tag"},{"name":"g","answer":"groups","fields":["tag"]}`,
			`{"records":1,"answers":[{"name":"p","count":0},{"name":"t","rows":[]},{"name":"g","groups":[]}]}`},
		{`"all"`, `{"name":"s","answer":"sample","limit":9}`,
			`{"records":4,"answers":[{"name":"s","keys":["a","b","c","d"],"ids":[0,1,2,3]}]}`},
		{`"nothing"`, `{"name":"s","answer":"sample"}`, `{"records":0,"answers":[{"name":"s","keys":[],"ids":[]}]}`},
	} {
		s.check("POST", "/v1/answers", `{"index":"shop","q":`+c.q+`,"answers":[`+c.questions+`]}`, 200, c.want)
	}
	// A page goes on where the one before stopped.
	ask := func(question string) string { return `{"index":"shop","q":"all","answers":[` + question + `]}` }
	for _, c := range []struct{ question, first, second string }{
		{`{"name":"t","answer":"top","field":"tag","by":"lift","limit":1`,
			`"rows":[{"key":"new","count":2,"total":2,"score":1}]`,
			`"rows":[{"key":"red","count":2,"total":2,"score":1}]`},
		{`{"name":"t","answer":"groups","fields":["size","tag"],"limit":2`,
			`"groups":[{"keys":["m","red"],"count":2},{"keys":["m","new"],"count":1}]`,
			`"groups":[{"keys":["l","new"],"count":1}]`},
		{`{"name":"t","answer":"groups","fields":["price by 0.5"],"limit":2`,
			`"groups":[{"keys":["-0.50"],"count":1},{"keys":["1.50"],"count":1}]`,
			`"groups":[{"keys":["4.00"],"count":1}]`},
	} {
		_, got := s.do("POST", "/v1/answers", ask(c.question+"}"), "Content-Type", "application/json")
		head, rest, _ := strings.Cut(got, `,"cursor":"`)
		cursor, _, _ := strings.Cut(rest, `"`)
		if want := `{"records":4,"answers":[{"name":"t",` + c.first; head != want || cursor == "" {
			t.Fatalf("got %s, want %s and a cursor", got, want)
		}
		s.check("POST", "/v1/answers", ask(c.question+`,"cursor":"`+cursor+`"}`), 200,
			`{"records":4,"answers":[{"name":"t",`+c.second+`}]}`)
		for _, wrong := range []string{strings.Replace(ask(c.question+`,"cursor":"`+cursor+`"}`), `"all"`, `"any(tag)"`,
			1), ask(c.question + `,"cursor":"x` + cursor + `"}`), ask(c.question + `,"cursor":"` + cursor[1:] + `"}`)} {
			if status, got := s.do("POST", "/v1/answers", wrong, "Content-Type",
				"application/json"); status.StatusCode != 400 || !strings.Contains(got, "invalid_cursor") {
				t.Errorf("%s: got %d %s, want 400 invalid_cursor", wrong, status.StatusCode, got)
			}
		}
	}
	s.check("POST", "/v1/save", `{"index":"shop","name":"reds","q":"tag = red"}`, 200, `{"count":2}`)
	s.check("POST", "/v1/answers",
		`{"index":"shop","q":"saved(reds)","answers":[{"name":"o","answer":"overlap","with":["size = m","tag = new"]}]}`, 200,
		`{"records":2,"answers":[{"name":"o","matrix":[[2,2,1],[2,2,1],[1,1,2]]}]}`)
	// What is answered as a bitmap may be asked with.
	_, got := s.do("POST", "/v1/answers", `{"index":"shop","q":"tag = red","answers":[{"name":"b","answer":"bitmap"}]}`,
		"Content-Type", "application/json")
	_, rest, _ := strings.Cut(got, `"bitmap":"`)
	set, _, ok := strings.Cut(rest, `"`)
	if !ok || set == "" {
		t.Fatalf("got %s, want a bitmap", got)
	}
	s.check("POST", "/v1/answers",
		`{"index":"shop","q":{"bitmap":"`+set+`"},"answers":[{"name":"s","answer":"sample"}]}`, 200,
		`{"records":2,"answers":[{"name":"s","keys":["a","b"],"ids":[0,1]}]}`)
	_, got = s.do("POST", "/v1/answers",
		`{"index":"shop","q":"tag = red","answers":[{"name":"b","answer":"bitmap","portable":true}]}`,
		"Content-Type", "application/json")
	var reply api.AnswersReply
	if err := json.Unmarshal([]byte(got), &reply); err != nil || len(reply.Answers) != 1 {
		t.Fatalf("got %s, %v", got, err)
	}
	portable, err := interop.FromPortable64(reply.Answers[0].Bitmap)
	if err != nil || !slices.Equal(slices.Collect(portable.All()), []uint64{0, 1}) {
		t.Errorf("got %s, %v, want the portable bitmap of 0 and 1", got, err)
	}
	s.check("POST", "/v1/answers",
		`{"index":"shop","q":"tag = red","answers":[{"name":"b","answer":"count","portable":true}]}`, 400,
		`{"error":{"code":"invalid_request","message":"\"b\": \"portable\" with \"answer\" \"count\", which has none"}}`)
}

func TestAnswersOfSetsRefused(t *testing.T) {
	s := newShop(t)
	refused := func(body string, status int, code, message string) {
		t.Helper()
		got, reply := s.do("POST", "/v1/answers", body, "Content-Type", "application/json")
		if got.StatusCode != status || !strings.Contains(reply, `"code":"`+code+`"`) ||
			!strings.Contains(reply, strings.ReplaceAll(message, `"`, `\"`)) {
			t.Errorf("%s: got %d %s\nwant %d %s %s", body, got.StatusCode, reply, status, code, message)
		}
	}
	ask := func(questions string) string { return `{"index":"shop","q":"all","answers":[` + questions + `]}` }
	refused(`{"index":"shop","q":"all"}`, 400, "invalid_request", `"answers" has 0 questions, want 1 to 64`)
	refused(`{"index":"shop","answers":[]}`, 400, "invalid_request", `"q" is missing`)
	refused(`{"q":"all","answers":[]}`, 400, "invalid_request", `"index" is missing or empty`)
	refused(`{"index":"ship","q":"all","answers":[{"name":"a","answer":"count"}]}`, 404, "unknown_index",
		`did you mean "shop"?`)
	refused(`{"index":"shop","q":"tag =","answers":[{"name":"a","answer":"count"}]}`, 400, "invalid_query",
		`want a value`)
	refused(`{"index":"shop","q":{"and":[{"feild":"x"}]},"answers":[{"name":"a","answer":"count"}]}`, 400,
		"invalid_request", `unknown member "feild"`)
	refused(`{"index":"shop","q":{"and":{}},"answers":[{"name":"a","answer":"count"}]}`, 400, "invalid_query",
		`want an array of queries`)
	refused(`{"index":"shop","q":"saved(x)","answers":[{"name":"a","answer":"count"}]}`, 404, "unknown_set",
		`unknown saved set "x"`)
	refused(ask(`{"name":"a","answer":"count"},{"name":"a","answer":"count"}`), 400, "invalid_request",
		`"name" of question 2 is "a", want one that no other has`)
	refused(ask(`{"answer":"count"}`), 400, "invalid_request", `"name" of question 1 is ""`)
	refused(ask(`{"name":"a","answer":"tops"}`), 400, "invalid_request", `"answer" is "tops", want count, top,`)
	refused(ask(`{"name":"a","answer":"count","limit":3}`), 400, "invalid_request",
		`"limit" with "answer" "count", which has none`)
	refused(ask(`{"name":"a","answer":"top"}`), 400, "invalid_request", `"field" is missing or empty`)
	refused(ask(`{"name":"a","answer":"top","field":"tga"}`), 400, "unknown_field", `did you mean "tag"?`)
	refused(ask(`{"name":"a","answer":"top","field":"tag","by":"size"}`), 400, "invalid_request",
		`got the measure "size"`)
	refused(ask(`{"name":"a","answer":"top","field":"tag","by":"ratio"}`), 400, "invalid_request",
		`got the measure "ratio" without a background`)
	refused(ask(`{"name":"a","answer":"count","cursor":"AwAA"}`), 400, "invalid_request",
		`"cursor" with "answer" "count", which has none`)
	refused(ask(`{"name":"a","answer":"top","field":"tag","limit":10001}`), 400, "invalid_request",
		`"limit" is 10001, want 1 to 10000`)
	refused(ask(`{"name":"a","answer":"top","field":"tag","field":"tag"}`), 400, "invalid_request",
		`member "field" twice`)
	refused(ask(`{"name":"a","answer":"groups","fields":["tag","tag","tag","tag"]}`), 400, "invalid_request",
		`got 4 fields, want 1 to 3`)
	refused(ask(`{"name":"a","answer":"groups","fields":["tag by 10"]}`), 400, "invalid_request",
		`tag: got the band "10" for a field of type "set", want an integer field; try "tag" without a band`)
	refused(ask(`{"name":"a","answer":"groups","fields":["price by"]}`), 400, "invalid_request",
		`got "price by", want a field, or an integer field and a band, such as "age by 10"`)
	refused(ask(`{"name":"a","answer":"groups","fields":["price by 0.001"]}`), 400, "invalid_request",
		`price: got the band "0.001", want a number from 0.01 to 92233720368547758.07 with at most 2 digits after the point; try "price by 0.1"`)
	refused(ask(`{"name":"a","answer":"groups","fields":["made by hour"]}`), 400, "invalid_request",
		`made: got the band "hour", want day, week, month, quarter or year; try "made by month"`)
	refused(ask(`{"name":"a","answer":"numbers","field":"price","quantiles":[2]}`), 400, "invalid_request",
		`got the quantile 2, want 0 to 1`)
	refused(ask(`{"name":"a","answer":"histogram","field":"tag"}`), 400, "invalid_request",
		`tag: got a field of type "set", want "integer"`)
	refused(ask(`{"name":"a","answer":"histogram","field":"price by 1","bounds":[1]}`), 400, "invalid_request",
		`got "price by 1" with bounds, want either; try "price"`)
	refused(ask(`{"name":"a","answer":"histogram","field":"price","bounds":[1,1.00]}`), 400, "invalid_request",
		`price: got the bound "1.00" behind "1", want each above the one before it`)
	refused(ask(`{"name":"a","answer":"histogram","field":"price","bounds":[[1]]}`), 400, "invalid_request",
		`bound 1 is [1], want a number, or a day or time as text`)
	refused(ask(`{"name":"a","answer":"histogram","field":"made","bounds":["May"]}`), 400, "invalid_request",
		`made: got "May"`)
	refused(ask(`{"name":"a","answer":"histogram","field":"made by hour"}`), 400, "invalid_request",
		`made: got the band "hour"`)
	refused(ask(`{"name":"a","answer":"histogram","field":"price","fields":["price"]}`), 400, "invalid_request",
		`"fields" with "answer" "histogram", which has none`)
	refused(ask(`{"name":"a","answer":"count","bounds":[1]}`), 400, "invalid_request",
		`"bounds" with "answer" "count", which has none`)
	refused(ask(`{"name":"a","answer":"histogram","field":"price","bounds":[`+strings.Repeat("1,", 9999)+`1]}`), 400,
		"invalid_request", `got 10000 bounds, want at most 9999`)
	refused(ask(`{"name":"a","answer":"overlap","with":["tag ="]}`), 400, "invalid_query", `want a value`)
}

func TestExplain(t *testing.T) {
	s := newShop(t)
	status, got := s.do("POST", "/v1/query", `{"index":"shop","q":"tag = red and price > 0","answer":"explain"}`,
		"Content-Type", "application/json")
	var reply struct{ Plan uproar.Step }
	if err := json.Unmarshal([]byte(got), &reply); err != nil || status.StatusCode != 200 {
		t.Fatalf("got %d %s, %v", status.StatusCode, got, err)
	}
	p := reply.Plan
	if p.Does != "and" || p.Records != 1 || p.Query != "tag = red and price > 0" || len(p.Steps) != 2 ||
		p.Steps[0].Records != 2 || p.Steps[1].Does != "integers" {
		t.Errorf("got %s", p)
	}
	s.check("GET", "/v1/query?index=shop&q=all&answer=explain&limit=3", "", 400,
		`{"error":{"code":"invalid_request","message":"\"answer\" is explain, with \"limit\" or \"cursor\": a count has no pages"}}`)
}

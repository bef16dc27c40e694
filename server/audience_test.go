// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
)

// peopleTable is what the examples of docs/http.md are about.
const peopleTable = `id,likes,city,sex,age
ann,tea|cake,Oslo,f,30
bob,tea|coffee,Rome,m,40
cid,coffee,Rome,m,50
dee,tea|cake,Oslo,f,60
eve,cake,,f,
`

// addPeople makes the index people.
func (s *site) addPeople() {
	s.t.Helper()
	schema := audience.Schema{Key: "id"}
	for _, text := range []string{"likes:set:split=|:column=fast", "city:single", "sex:single", "age:integer"} {
		column, err := audience.ParseColumn(text)
		if err != nil {
			s.t.Fatal(err)
		}
		schema.Columns = append(schema.Columns, column)
	}
	im, err := audience.Begin(s.t.Context(), s.db, "people", schema, audience.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := im.Read(strings.NewReader(peopleTable), audience.CSV); err != nil {
		s.t.Fatal(err)
	}
	if err := im.Commit(); err != nil {
		s.t.Fatal(err)
	}
}

func TestAudience(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	get := func(path, q, rest, want string) {
		t.Helper()
		s.check("GET", "/v1/audience/"+path+"?index=people&q="+url.QueryEscape(q)+rest, "", 200, want)
	}
	get("size", "likes = tea and age > 35", "", `{"records":2,"of":5,"share":0.4}`)
	get("size", "nothing", "", `{"records":0,"of":5,"share":0}`)
	const tea, coffee = `{"key":"tea","count":1,"share":0.5,"total":3,"lift":0.8333333333333334}`,
		`{"key":"coffee","count":2,"share":1,"total":2,"lift":2.5}`
	get("words", "sex = m", "&field=likes", `{"field":"likes","common":[`+coffee+`,`+tea+`],"typical":[`+coffee+`]}`)
	get("words", "sex = m", "&field=likes&limit=1&least=1",
		`{"field":"likes","common":[`+coffee+`],"typical":[`+coffee+`]}`)
	get("words", "all", "&field=city&limit=1", // nothing is typical of all
		`{"field":"city","common":[{"key":"Oslo","count":2,"share":0.4,"total":2,"lift":1}],"typical":[]}`)
	const teas = `{"key":"tea","count":2,"share":0.6666666666666666,"total":3,"lift":1.111111111111111}`
	const coffees = `{"key":"coffee","count":2,"share":0.6666666666666666,"total":2,"lift":1.6666666666666665}`
	get("words", "age > 35", "&field=likes&least=1", `{"field":"likes","common":[`+teas+`,`+coffees+`,`+
		`{"key":"cake","count":1,"share":0.3333333333333333,"total":3,"lift":0.5555555555555555}],`+
		`"typical":[`+coffees+`,`+teas+`]}`)
	get("words", "nothing", "&field=likes", `{"field":"likes","common":[],"typical":[]}`)
	get("demographics", "likes = cake", "&field=age+by+20&cross=sex,age+by+20&limit=2",
		`{"records":3,"fields":[{"field":"age by 20","with":2,"values":[{"key":"20","count":1,"share":0.3333333333333333,"total":1,"lift":1.6666666666666665},{"key":"60","count":1,"share":0.3333333333333333,"total":1,"lift":1.6666666666666665}]}],`+
			`"crosses":[{"fields":["sex","age by 20"],"cells":[{"keys":["f","20"],"count":1,"share":0.3333333333333333},{"keys":["f","60"],"count":1,"share":0.3333333333333333}]}]}`)
	get("demographics", "likes = cake", "&field=sex&field=city&field=age&cross=sex,city&limit=1",
		`{"records":3,"fields":[{"field":"sex","with":3,"values":[{"key":"f","count":3,"share":1,"total":3,"lift":1.6666666666666667}]},`+
			`{"field":"city","with":2,"values":[{"key":"Oslo","count":2,"share":0.6666666666666666,"total":2,"lift":1.6666666666666665}]},`+
			`{"field":"age","with":2,"figures":{"mean":45,"min":30,"max":60,"quartiles":[30,30,60]}}],`+
			`"crosses":[{"fields":["sex","city"],"cells":[{"keys":["f","Oslo"],"count":2,"share":0.6666666666666666}]}]}`)
	get("demographics", "likes = cake", "&field=likes&limit=1",
		`{"records":3,"fields":[{"field":"likes","with":3,"values":[{"key":"cake","count":3,"share":1,"total":3,"lift":1.6666666666666667}],"more":true}]}`)
	get("compare", "sex = f", "&with="+url.QueryEscape("sex = m")+"&field=likes&least=1",
		`{"records":3,"other":2,"both":0,"either":5,"jaccard":0,"fields":[{"field":"likes","more":[{"key":"cake","count":3,"share":1,"other_count":0,"other_share":0,"ratio":2},`+
			`{"key":"tea","count":2,"share":0.6666666666666666,"other_count":1,"other_share":0.5,"ratio":1.3333333333333333}],`+
			`"less":[{"key":"coffee","count":0,"share":0,"other_count":2,"other_share":1,"ratio":0.3333333333333333}]}]}`)
	get("overlap", "likes = tea", "&q=sex%20%3D%20f&q=all", `{"matrix":[[3,2,3],[2,3,3],[3,3,5]]}`)

	// From page to page.
	_, got := s.do("GET", "/v1/audience/values?index=people&q=all&field=likes&limit=2&by=lift", "")
	head, rest, _ := strings.Cut(got, `,"cursor":"`)
	cursor, _, _ := strings.Cut(rest, `"`)
	if strings.Count(head, `"key"`) != 2 || cursor == "" {
		t.Fatalf("got %s, want two values and a cursor", got)
	}
	get("values", "all", "&field=likes&limit=2&by=lift&cursor="+cursor,
		`{"field":"likes","values":[{"key":"coffee","count":2,"share":0.4,"total":2,"lift":1}]}`)
	s.check("GET", "/v1/audience/values?index=people&q=all&field=likes&cursor="+cursor, "", 400,
		`{"error":{"code":"invalid_cursor","message":"cursor \"`+cursor+`\" is one of another question: want that of an earlier reply to this one"}}`)

	// A report has the same as the single calls.
	s.check("POST", "/v1/audience/report",
		`{"index":"people","q":{"field":"sex","=":"m"},"words":[{"field":"likes"}],"values":[{"field":"city","by":"count","limit":1}],"demographics":{"fields":["sex"],"crosses":[["sex","city"]]},"overlap":["likes = tea"],"compare":{"with":"sex = f"}}`, 200,
		`{"size":{"records":2,"of":5,"share":0.4},"words":[{"field":"likes","common":[`+coffee+`,`+tea+`],"typical":[`+coffee+`]}],`+
			`"values":[{"field":"city","values":[{"key":"Rome","count":2,"share":1,"total":2,"lift":2.5}]}],`+
			`"demographics":{"records":2,"fields":[{"field":"sex","with":2,"values":[{"key":"m","count":2,"share":1,"total":2,"lift":2.5}]}],"crosses":[{"fields":["sex","city"],"cells":[{"keys":["m","Rome"],"count":2,"share":1}]}]},`+
			`"overlap":[[2,1],[1,3]],"compare":{"records":2,"other":3,"both":0,"either":5,"jaccard":0}}`)
}

func TestSavedAudiences(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	s.check("GET", "/v1/audience/saved?index=people", "", 200, `{"audiences":[]}`)
	s.check("POST", "/v1/audience/save", `{"index":"people","name":"tea","q":"likes = tea"}`, 200, `{"count":3}`)
	s.check("POST", "/v1/audience/save", `{"index":"people","name":"tea now","q":"likes = tea","follows":true}`, 200,
		`{"count":3}`)
	index, err := s.db.Index("people")
	if err != nil {
		t.Fatal(err)
	}
	var b uproar.Batch
	b.Set("likes", "fay", "tea")
	if _, err := index.Write(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	s.check("GET", "/v1/audience/saved?index=people", "", 200,
		`{"audiences":[{"name":"tea","follows":false,"records":3},{"name":"tea now","follows":true,"q":"likes = tea","records":4}]}`)
	s.check("GET", "/v1/audience/overlap?index=people&q=saved(tea)&q=saved(%22tea%20now%22)", "", 200,
		`{"matrix":[[3,3],[3,4]]}`)
	s.check("POST", "/v1/audience/save",
		`{"index":"people","name":"tea now","q":"not saved(\"tea now\")","follows":true}`, 400,
		`{"error":{"code":"invalid_query","message":"recursive: saved(tea now) needs itself: tea now, which needs tea now"}}`)
	s.check("POST", "/v1/audience/save",
		`{"index":"people","name":"men","q":"saved(\"tea now\") and sex = m","follows":true}`, 200, `{"count":1}`)
	s.check("POST", "/v1/audience/forget", `{"index":"people","name":"tea now"}`, 200, `{"forgotten":"tea now"}`)
	s.check("GET", "/v1/audience/saved?index=people", "", 200,
		`{"audiences":[{"name":"men","follows":true,"q":"saved(\"tea now\") and sex = m","records":0,"error":"unknown saved set \"tea now\""},{"name":"tea","follows":false,"records":3}]}`)
	s.check("POST", "/v1/audience/forget", `{"index":"people","name":"tea now"}`, 404,
		`{"error":{"code":"unknown_set","message":"unknown saved set \"tea now\""}}`)
	s.check("GET", "/v1/audience/size?index=people&q=saved(%22tea%20now%22)", "", 404,
		`{"error":{"code":"unknown_set","message":"unknown saved set \"tea now\""}}`)
}

// TestAudiencesInQueries: an audience that follows stands in each call that takes a query.
func TestAudiencesInQueries(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	for _, body := range []string{`"name":"tea now","q":"likes = tea"`,
		`"name":"men","q":"saved(\"tea now\") and sex = m"`} {
		if resp, text := s.do("POST", "/v1/audience/save", `{"index":"people","follows":true,`+body+`}`, "Content-Type",
			"application/json"); resp.StatusCode != 200 {
			t.Fatalf("%s: got %d %s", body, resp.StatusCode, text)
		}
	}
	s.check("GET", "/v1/query?index=people&q=saved(men)", "", 200, `{"keys":["bob"]}`)
	s.check("GET", "/v1/query?index=people&answer=count&q=not+saved(men)", "", 200, `{"count":4}`)
	s.check("POST", "/v1/query", `{"index":"people","q":{"saved":"tea now"},"answer":"count"}`, 200, `{"count":3}`)
	s.check("POST", "/v1/answers", `{"index":"people","q":"saved(\"tea now\")","answers":[`+
		`{"name":"n","answer":"count"},{"name":"o","answer":"overlap","with":["saved(men)"]}]}`, 200,
		`{"records":3,"answers":[{"name":"n","count":3},{"name":"o","matrix":[[3,1],[1,1]]}]}`)
	s.check("POST", "/v1/records/find", `{"index":"people","q":"saved(men)","fields":["city"]}`, 200,
		`{"records":[{"key":"bob","values":{"city":"Rome"}}]}`)
	s.check("POST", "/v1/save", `{"index":"people","name":"kept","q":"saved(men)"}`, 200, `{"count":1}`)
	s.check("GET", "/v1/query?index=people&q=saved(kept)", "", 200, `{"keys":["bob"]}`)
	if _, text := s.do("GET", "/v1/query?index=people&q=saved(men)", "", "Accept", "text/csv"); text != "key\nbob\n" {
		t.Errorf("as CSV: got %q, want bob", text)
	}
	s.check("GET", "/v1/query?index=people&q=saved(women)", "", 404,
		`{"error":{"code":"unknown_set","message":"unknown saved set \"women\""}}`)
	s.check("GET", "/v1/query?index=nobody&q=saved(men)", "", 404,
		`{"error":{"code":"unknown_index","message":"unknown index \"nobody\""}}`)
}

// TestSaveInPlaceOfAnAudience: a saved set takes the place of an audience that follows, which has
// the same name, also if it is made of that.
func TestSaveInPlaceOfAnAudience(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	follow := func() {
		s.check("POST", "/v1/audience/save", `{"index":"people","name":"a","q":"likes = tea","follows":true}`, 200,
			`{"count":3}`)
	}
	follow()
	s.check("POST", "/v1/save", `{"index":"people","name":"a","q":"saved(a) and sex = m"}`, 200, `{"count":1}`)
	s.check("GET", "/v1/query?index=people&q=saved(a)", "", 200, `{"keys":["bob"]}`)
	s.check("GET", "/v1/audience/saved?index=people", "", 200,
		`{"audiences":[{"name":"a","follows":false,"records":1}]}`)
	follow()
	s.check("POST", "/v1/save", `{"index":"people","name":"a","q":"nothing"}`, 200, `{"count":0}`)
	s.check("GET", "/v1/audience/saved?index=people", "", 200, `{"audiences":[]}`)
	follow()
	s.check("POST", "/v1/save", `{"index":"people","name":"b","q":"saved(a)"}`, 200, `{"count":3}`)
	s.check("GET", "/v1/audience/saved?index=people", "", 200, `{"audiences":[`+
		`{"name":"a","follows":true,"q":"likes = tea","records":3},{"name":"b","follows":false,"records":3}]}`)
}

func TestAudienceRefused(t *testing.T) {
	s := newSite(t, nil)
	s.addPeople()
	refused := func(method, path, body, code, message string) {
		t.Helper()
		_, reply := s.do(method, "/v1/audience/"+path, body, "Content-Type", "application/json")
		if !strings.Contains(reply, `"code":"`+code+`"`) || !strings.Contains(reply,
			strings.ReplaceAll(message, `"`, `\"`)) {
			t.Errorf("%s %s: got %s\nwant %s %s", path, body, reply, code, message)
		}
	}
	const all = "?index=people&q=all"
	refused("GET", "size?index=peolpe&q=all", "", "unknown_index", `did you mean "people"?`)
	refused("GET", "size?index=people", "", "invalid_request", `parameter "q" is missing`)
	refused("GET", "size"+all+"&fields=x", "", "invalid_request", `unknown parameter "fields"`)
	refused("GET", "size?index=people&q=likes+%3D", "", "invalid_query", `want a value`)
	refused("GET", "words"+all, "", "invalid_request", `parameter "field" is missing`)
	refused("GET", "words"+all+"&field=lieks", "", "unknown_field", `did you mean "likes"?`)
	refused("GET", "words"+all+"&field=age", "", "invalid_request", `got a field of type "integer"`)
	refused("GET", "words"+all+"&field=likes&least=0", "", "invalid_request", `"least" is "0", want 1 or more`)
	refused("GET", "values"+all+"&field=city&by=size", "", "invalid_request", `"by" is "size", want count or lift`)
	refused("GET", "values"+all+"&field=city&cursor=x", "", "invalid_cursor", `is not one of this server`)
	refused("GET", "demographics"+all, "", "invalid_request", `"field" and "cross" are both missing`)
	refused("GET", "demographics"+all+"&cross=sex", "", "invalid_request", `a cross-tab has 1 fields, want 2 to 3`)
	refused("GET", "demographics"+all+"&cross=sex,age+by+month", "", "invalid_request",
		`age: got the band "month", want a whole number from 1 to 9223372036854775807; try "age by 10"`)
	refused("GET", "demographics"+all+"&field=sex+by+10", "", "invalid_request",
		`sex: got the band "10" for a field of type "single"`)
	refused("GET", "demographics"+all+"&field=ctiy", "", "unknown_field", `did you mean "city"?`)
	refused("GET", "compare"+all, "", "invalid_request", `parameter "with" is missing`)
	refused("GET", "compare"+all+"&with=sex+%3D", "", "invalid_query", `want a value`)
	refused("GET", "overlap"+all, "", "invalid_request", `"q" is given 1 times, want 2 to 64`)
	refused("POST", "report", `{"index":"people","q":"all","word":[]}`, "invalid_request", `unknown member "word"`)
	refused("POST", "report", `{"index":"people"}`, "invalid_request", `"q" is missing`)
	refused("POST", "report", `{"index":"people","q":"all","words":[{}]}`, "invalid_request",
		`"field" is missing or empty`)
	refused("POST", "report", `{"index":"people","q":"all","values":[{"field":"city","by":"x"}]}`, "invalid_request",
		`"by" is "x"`)
	refused("POST", "report", `{"index":"people","q":"all","values":[{"field":"city","limit":-1}]}`, "invalid_request",
		`"limit" is -1`)
	refused("POST", "report", `{"index":"people","q":"all","demographics":{}}`, "invalid_request", `are both missing`)
	refused("POST", "report", `{"index":"people","q":"all","compare":{}}`, "invalid_request", `"with" is missing`)
	refused("POST", "save", `{"index":"people","q":"all"}`, "invalid_request", `"name" is missing or empty`)
	refused("POST", "save", `{"index":"people","name":"a","q":"all","follow":true}`, "invalid_request",
		`unknown member "follow"`)
	refused("POST", "forget", `{"index":"people"}`, "invalid_request", `"index" or "name" is missing`)
}

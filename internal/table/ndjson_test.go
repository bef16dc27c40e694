// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package table_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/internal/table"
)

// TestNDJSON: arrays are several values, null none; numbers are kept digit by digit; what is no
// value is told.
func TestNDJSON(t *testing.T) {
	n, err := table.NewNDJSON(strings.NewReader(`{"b":[1, "x" ,null,true,[2],{"a":3}],"a":-0.10e+7,"c":{"b":1}}` +
		"\n" + `{"a":null,"c":[]}` + "\n" + `{"b":[],"a":12345678901234567890123}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Select("a", "b"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		row, err := n.Next()
		if err != nil {
			break
		}
		got = append(got, fmt.Sprint(row.Line, row.Cells))
		for _, bad := range row.Bad {
			got = append(got, fmt.Sprint(bad.Column, bad.Text))
		}
	}
	if want := "1 [[-0.10e+7] [1 x true]]|1[2]|1{\"a\":3}|2 [[] []]|3 [[12345678901234567890123] []]"; strings.Join(got,
		"|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRecordsOfExports: a line with a key and its values is read as if the values stood beside the
// key; any other object is taken as it is.
func TestRecordsOfExports(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"key":"a","values":{"b":[1,{"c":2}],"values":{}}}`, `key="a" b=[1,{"c":2}] values={} `},
		{` { "values" : { "b" : "}" } , "key" : 1 } `, `key=1 b="}" `},
		{`{"key":"a","values":{}}`, `key="a" `},
		{`{"key":"a","values":{"b":1},"c":2}`, `key="a" values={"b":1} c=2 `},
		{`{"values":{"b":1}}`, `values={"b":1} `},
		{`{"key":"a","values":[1]}`, `key="a" values=[1] `},
		{`{"key":"a","values":{"b":1,"b":2}}`, `got the member "b" twice, want it once`},
		{`{"key":"a","values":{"key":1}}`, `got the member "key" twice, want it once`},
	} {
		got := ""
		var objects table.Objects
		if err := objects.Members([]byte(c.line), func(name string, value table.Value) {
			got += name + "=" + string(value) + " "
		}); err != nil {
			got += err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.line, got, c.want)
		}
	}
}

// FuzzObject: a line is an object with the members that encoding/json finds, or no object for
// either.
func FuzzObject(f *testing.F) {
	for _, line := range []string{`{"a":1}`, ` {"a":[1,{"b":"}"}],"c":"\"\\"} `, `{"a":1,"a":2}`, `{"a":"\ud800"}`,
		`{}`, `{"a":{}}`, `[1]`, `{"a":-1e5,"":null}`,
		`{"key":1,"values":{"a":"}"}}`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		got := map[string]table.Value{}
		var objects table.Objects
		err := objects.Members(line, func(name string, value table.Value) { got[name] = value })
		var want map[string]json.RawMessage
		if err != nil {
			if len(got) > 0 {
				t.Fatalf("%q: got %v, and members: %q", line, err, got)
			}
			return
		}
		err = json.Unmarshal(line, &want)
		values := want["values"]
		if len(want) == 2 && want["key"] != nil && values != nil && values[0] == '{' {
			delete(want, "values")
			err = json.Unmarshal(values, &want) // beside the key
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: got %q, want %q (%v)", line, got, want, err)
		}
		for name, value := range want {
			if !bytes.Equal(value, []byte(got[name])) {
				t.Fatalf("%q: %q: got %q, want %q", line, name, got[name], value)
			}
			if text, ok := got[name].Text(); ok && value[0] == '"' {
				var s string
				if err := json.Unmarshal(value, &s); err != nil || s != text {
					t.Fatalf("%q: %q: got %q, want %q (%v)", line, name, text, s, err)
				}
			}
			if got[name].Kind() == table.Array {
				var elements []json.RawMessage
				_ = json.Unmarshal(value, &elements) // which is valid
				i := 0
				got[name].Elements(func(v table.Value) {
					if i >= len(elements) || string(elements[i]) != string(v) {
						t.Fatalf("%q: element %d: got %q, want %q", line, i, v, elements)
					}
					i++
				})
				if i != len(elements) {
					t.Fatalf("%q: got %d elements, want %d", line, i, len(elements))
				}
			}
		}
	})
}

// BenchmarkNDJSON measures reading an object of eight members when three are wanted.
func BenchmarkNDJSON(b *testing.B) {
	line := `{"a":1234567,"b":"Ann Smith","c":"ann@example.org","d":"Oslo","e":"1984-02-29","f":165.5,"g":["tea","cake"],"h":"some \"more\" text"}` + "\n"
	text := strings.Repeat(line, 10_000)
	b.Run("reader=table", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			n, err := table.NewNDJSON(strings.NewReader(text))
			if err == nil {
				err = n.Select("a", "d", "g")
			}
			for err == nil {
				_, err = n.Next()
			}
		}
	})
	b.Run("reader=json", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for line := range bytes.Lines([]byte(text)) {
				d := json.NewDecoder(bytes.NewReader(line))
				d.UseNumber()
				var object map[string]any
				if err := d.Decode(&object); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

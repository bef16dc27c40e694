// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/uproar-db/uproar/apps/graph"
	"github.com/uproar-db/uproar/internal/table/tabletest"
)

// read returns an edge list as "alice>bob 3!" words, the last for a bad line 3,
// and its error.
func read(list *graph.EdgeList) (string, error) {
	var words []string
	for f, err := range list.Follows() {
		var bad *graph.LineError
		switch {
		case err == nil:
			words = append(words, f.Account+">"+f.Target)
		case errors.As(err, &bad):
			words = append(words, fmt.Sprintf("%d!", bad.Line))
		default:
			return strings.Join(words, " "), err
		}
	}
	return strings.Join(words, " "), nil
}

func zip(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

var edgeLists = []struct {
	name, text string
	opts       graph.EdgeListOptions
	want       string
}{
	{name: "nothing", text: ""},
	{name: "only comments", text: "# a b\n\n  # c d\r\n"},
	{name: "comma", text: "a,b\nc,d\n", want: "a>b c>d"},
	{name: "tab", text: "a\tb\nc\td\n", want: "a>b c>d"},
	{name: "spaces", text: "a b\nc   d\n  e \t f  \n", want: "a>b c>d e>f"},
	{name: "no line end at the end", text: "a,b\nc,d", want: "a>b c>d"},
	{name: "CRLF", text: "a\tb\r\nc\td\r\n", want: "a>b c>d"},
	{name: "byte order mark", text: "\ufeffa,b\nc,d\n", want: "a>b c>d"},
	{name: "gzip", text: zip("a,b\nc,d\n"), want: "a>b c>d"},
	{name: "gzip in parts", text: zip("a,b\nc") + zip(",d\n"), want: "a>b c>d"},
	{name: "gzip of a byte order mark", text: zip("\ufeffa b\n"), want: "a>b"},
	{name: "as SNAP writes it", text: "# Directed graph\r\n# FromNodeId\tToNodeId\r\n0\t4\r\n0\t5\r\n",
		want: "0>4 0>5"},
	{name: "comments between", text: "#x\na,b\n# c,d\n\ne,f\n", want: "a>b e>f"},
	{name: "space around", text: " a , b \nc,\td\n", want: "a>b c>d"},
	{name: "names with spaces", text: "Ann Lee,Bo\nBo,Ann Lee\n", want: "Ann Lee>Bo Bo>Ann Lee"},
	{name: "names with commas", text: "a,x\tb,x\nc,x\td\n", want: "a,x>b,x c,x>d"},
	{name: "quotes", text: "\"a\",\"b,c\"\n\"d\"\"e\",f\n g , \"h\"\n", want: "a>b,c d\"e>f g>h"},
	{name: "quotes only in CSV", text: "\"a\tb\"\n", want: "\"a>b\""},
	{name: "an open quote stops at its line", text: "a,b\n\"c,d\ne,f\n\"g\",h\n", want: "a>b 2! e>f g>h"},
	{name: "a stray quote", text: "a,b\nc\"d,e\n\"f\" g,h\ni,j\n", want: "a>b 2! 3! i>j"},
	{name: "bad lines", text: "a,b\nc\n,d\ne,\nf,g,h\ni,j\n", want: "a>b 2! 3! 4! 5! i>j"},
	{name: "invalid accounts", text: "a,b\na\x00,b\na,\xff\n" + strings.Repeat("x", 513) + ",b\nc,d\n",
		want: "a>b 2! 3! 4! c>d"},
	{name: "further columns", text: "a,b,2024\nc,d,2025\ne,f\n", want: "a>b c>d 3!"},
	{name: "the first line is the bad one", text: "a\nb,c\nd,e\n", want: "1! b>c d>e"},
	{name: "in doubt fewer columns", text: "a,b\nc,d,e\n", want: "a>b 2!"},
	{name: "header", text: "follower,followee\na,b\n", want: "a>b"},
	{name: "header after comments", text: "# x\n\nSource\tTarget\na\tb\n", want: "a>b"},
	{name: "header the other way round", text: "target_did,actor_did\na,b\n", want: "b>a"},
	{name: "header with further columns", text: "id,actor_did,target_did,created_at\n1,a,b,now\n", want: "a>b"},
	{name: "header only once", text: "from,to\nfrom,to\n", want: "from>to"},
	{name: "unknown header", text: "x,y\na,b\n", want: "x>y a>b"},
	{name: "header by order", text: "x,y\na,b\n", opts: graph.EdgeListOptions{Header: graph.WithHeader}, want: "a>b"},
	{name: "no header by order", text: "from,to\na,b\n", opts: graph.EdgeListOptions{Header: graph.NoHeader},
		want: "from>to a>b"},
	{name: "given separator", text: "a b,c\nd e,f\n", opts: graph.EdgeListOptions{Separator: graph.Spaces},
		want: "a>b,c d>e,f"},
	{name: "given separator that is not there", text: "a b\n", opts: graph.EdgeListOptions{Separator: graph.Tab},
		want: "1!"},
	{name: "no separator at all", text: "a\nb\n", want: "1! 2!"},
	{name: "longest line", text: "a,b," + strings.Repeat("x", graph.MaxLine-4) + "\r\nc,d,e\n", want: "a>b c>d"},
	{name: "too long by one", text: "a,b\nc," + strings.Repeat("x", graph.MaxLine-1) + "\nd,e\n", want: "a>b 2! d>e"},
	{name: "far too long", text: "a,b\nc," + strings.Repeat("x", 5*graph.MaxLine) + "\nd,e\n", want: "a>b 2! d>e"},
	{name: "far too long and first", text: strings.Repeat("x", 2*graph.MaxLine) + ",b\na\tb\n", want: "1! a>b"},
	{name: "far too long and last", text: "a,b\nc," + strings.Repeat("x", 5*graph.MaxLine), want: "a>b 2!"},
	{name: "a long comment", text: "# " + strings.Repeat("x", 5*graph.MaxLine) + "\nd,e\n", want: "d>e"},
	{name: "objects",
		text: "{\"actor_did\":\"a\",\"target_did\":\"b,c\"}\n# x\n {\"to\": 2, \"at\": null, \"from\": 10}\r\n",
		want: "a>b,c 10>2"},
	{name: "objects with a member twice", text: `{"actor":"a","target":"b"}` + "\n" +
		`{"actor":"a","actor":"z","target":"b"}`, want: "a>b 2!"},
	{name: "objects with surrogates", text: `{"actor":"a","target":"\ud83d\ude00"}` + "\n" +
		`{"actor":"\ud800","target":"b"}` + "\n" + `{"actor":"a","target":"\udc00"}` + "\n" +
		`{"actor":"\\ud800","target":"\ufffd"}` + "\n" + `{"actor":"\ud83dx\ude00","target":"b"}`,
		want: "a>\U0001f600 2! 3! \\ud800>\ufffd 5!"},
	{name: "objects that end otherwise",
		text: "{\"actor\":\"a\",\"target\":\"b\"}\n{\"actor\":\"a\",\"target\":\"b\"}]\n{\"actor\":\"a\",\"target\":\"b\"\n{\"actor\":\"a\",\"target\":\"b\"} {}\n{\n[]\n5\n\"x\"\n{\"actor\":\"a\",\"target\":}", want: "a>b 2! 3! 4! 5! 6! 7! 8! 9!"},
	{name: "bad objects",
		text: "{\"from\":\"a\",\"to\":\"b\"}\na,b\n{\"from\":\"a\"}\n{\"from\":\"a\",\"src\":\"a\",\"to\":\"b\"}\n{\"from\":null,\"to\":\"b\"}\n{\"from\":{},\"to\":\"b\"}\n{\"from\":\"\",\"to\":\"b\"}\n{\"from\":\"c\",\"to\":\"d\"", want: "a>b 2! 3! 4! 5! 6! 7! 8!"},
	{name: "braces in columns by order", text: "{a,b}\n", opts: graph.EdgeListOptions{Separator: graph.Comma},
		want: "{a>b}"},
	{name: "an account that looks like bzip2", text: "BZh,b\nc,d\n", want: "BZh>b c>d"},
}

func TestEdgeLists(t *testing.T) {
	for _, c := range edgeLists {
		t.Run(c.name, func(t *testing.T) {
			if got, err := read(graph.NewEdgeList(strings.NewReader(c.text), &c.opts)); got != c.want || err != nil {
				t.Errorf("got %q (%v), want %q", got, err, c.want)
			}
			slow := iotest.OneByteReader(strings.NewReader(c.text))
			if got, err := read(graph.NewEdgeList(slow, &c.opts)); got != c.want || err != nil {
				t.Errorf("byte by byte: got %q (%v), want %q", got, err, c.want)
			}
		})
	}
}

func TestEdgeListCounts(t *testing.T) {
	text := zip("# x\nfrom,to\na,b\n\nc\n")
	list := graph.NewEdgeList(strings.NewReader(text), nil)
	if got, err := read(list); got != "a>b 5!" || err != nil {
		t.Fatalf("got %q (%v)", got, err)
	}
	if list.Lines() != 5 || list.BytesRead() != int64(len(text)) || list.Header() != "from,to" ||
		list.Separator() != graph.Comma {
		t.Errorf("got %d lines, %d bytes, header %q, %v; want 5, %d, \"from,to\", comma", list.Lines(),
			list.BytesRead(), list.Header(), list.Separator(), len(text))
	}
}

func TestEdgeListErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	lost := fmt.Errorf("connection lost: %w", io.EOF) // no end of the text
	damaged := []byte(zip(strings.Repeat("a,b\n", 100_000)))
	damaged[len(damaged)-6] ^= 1 // of the checksum
	for _, c := range []struct {
		name string
		r    io.Reader
		want error
	}{
		{"reader fails at once", iotest.ErrReader(broken), broken},
		{"reader fails early", io.MultiReader(strings.NewReader("a,b\n"), iotest.ErrReader(broken)), broken},
		{"reader fails late", io.MultiReader(strings.NewReader(strings.Repeat("a,b\n", 100_000)),
			iotest.ErrReader(broken)), broken},
		{"reader fails in a long line", io.MultiReader(strings.NewReader("a,b\n"+strings.Repeat("x", 100_000)),
			iotest.ErrReader(broken)), broken},
		{"reader fails like an end", io.MultiReader(strings.NewReader("a,b\nc"), iotest.ErrReader(lost)), lost},
		{"gzip cut short", strings.NewReader(zip(strings.Repeat("a,b\n", 100_000))[:200]), io.ErrUnexpectedEOF},
		{"gzip cut in its head", strings.NewReader(zip("a,b\n")[:5]), io.ErrUnexpectedEOF},
		{"gzip damaged", bytes.NewReader(damaged), gzip.ErrChecksum},
		{"zip", strings.NewReader("PK\x03\x04xxxx"), graph.ErrEncoding},
		{"zstd", strings.NewReader("\x28\xb5\x2f\xfdxxxx"), graph.ErrEncoding},
		{"bzip2", strings.NewReader("BZh91AY&SYxxxx"), graph.ErrEncoding},
		{"UTF-16", strings.NewReader("\xff\xfea\x00,\x00b\x00"), graph.ErrEncoding},
	} {
		if _, err := read(graph.NewEdgeList(c.r, nil)); !errors.Is(err, c.want) {
			t.Errorf("%s: got error %v, want %v", c.name, err, c.want)
		}
	}
}

func TestLineErrorText(t *testing.T) {
	text := "a,b\nonly one\n\"open,x\n,y\n" + strings.Repeat("z", 200) + "\n"
	var got []string
	for _, err := range graph.NewEdgeList(strings.NewReader(text), nil).Follows() {
		if err != nil {
			got = append(got, err.Error())
		}
	}
	want := []string{
		"graph: line 2: \"only one\": want 2 columns separated by comma, got 1",
		`graph: line 3: "\"open,x": got a quote that is not closed in its line`,
		"graph: line 4: \",y\": account \"\" is empty",
		"graph: line 5: \"" + strings.Repeat("z", 80) + "\"...: want 2 columns separated by comma, got 1",
	}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %d errors", got, len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}

// FuzzEdgeList checks that reading any bytes ends, gives only valid accounts, and counts every line
// once. It also compares a line by itself with encoding/csv.
func FuzzEdgeList(f *testing.F) {
	for _, c := range edgeLists {
		if len(c.text) < 1000 {
			f.Add([]byte(c.text), byte(c.opts.Separator), byte(c.opts.Header))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, separator, header byte) {
		opts := graph.EdgeListOptions{
			Separator: []graph.Separator{graph.Detect, graph.Comma, graph.Tab, graph.Spaces}[separator%4],
			Header:    graph.HeaderUse(header % 3),
		}
		list := graph.NewEdgeList(bytes.NewReader(text), &opts)
		var yielded, last int64
		for follow, err := range list.Follows() {
			yielded++
			var bad *graph.LineError
			switch {
			case err == nil:
				for _, account := range []string{follow.Account, follow.Target} {
					if err := graph.CheckAccount(account); err != nil {
						t.Errorf("got follow %q: %v", follow, err)
					}
				}
			case errors.As(err, &bad):
				if bad.Line <= last || bad.Line != list.Lines() {
					t.Errorf("bad line %d after %d, of %d", bad.Line, last, list.Lines())
				}
				last = bad.Line
			default:
				return
			}
		}
		if yielded > list.Lines() || list.BytesRead() != int64(len(text)) {
			t.Errorf("%d follows and bad lines in %d lines, %d bytes of %d", yielded, list.Lines(), list.BytesRead(),
				len(text))
		}
	})
}

// One comma-separated line means what encoding/csv says.
func FuzzLineIsCSV(f *testing.F) {
	for _, line := range []string{"a,b", "\"a\",b", "\"a,\"\"b\",c", "a,b\"", " a, \"b\"", "\"a\" ,b"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n#\x1f\ufeff") || strings.HasPrefix(line, "PK") || len(line) > 1000 ||
			strings.TrimLeft(line, " \t") == "" {
			return
		}
		opts := graph.EdgeListOptions{Separator: graph.Comma, Header: graph.NoHeader}
		// The first line says that there are two columns.
		got, err := read(graph.NewEdgeList(strings.NewReader("x,y\nx,y\n"+line+"\nv,w\n"), &opts))
		if err != nil {
			t.Fatal(err)
		}
		want := "3!"
		r := csv.NewReader(strings.NewReader(line + "\n"))
		r.TrimLeadingSpace = true
		if fields, err := r.Read(); err == nil && len(fields) == 2 {
			account, target := strings.TrimSpace(fields[0]), strings.TrimSpace(fields[1])
			if strings.Contains(line, "\"") && (account != fields[0] || target != fields[1]) {
				return // blanks in quotes are kept, and csv.Reader does not say which these are
			}
			if graph.CheckAccount(account) == nil && graph.CheckAccount(target) == nil {
				want = account + ">" + target
			}
		}
		if want := "x>y x>y " + want + " v>w"; got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	})
}

// readBlocks returns an edge list, read in blocks, as read does.
func readBlocks(list *graph.EdgeList) (string, error) {
	var words []string
	for b := new(graph.EdgeBlock); ; {
		err := list.ReadBlock(b)
		for i := range b.Follows() {
			words = append(words, string(b.Keys[2*i])+">"+string(b.Keys[2*i+1]))
		}
		for _, bad := range b.Bad {
			words = append(words, fmt.Sprintf("%d!", bad.Line))
		}
		if err == io.EOF {
			return strings.Join(words, " "), nil
		}
		if err != nil {
			return strings.Join(words, " "), err
		}
	}
}

// apart returns words with the bad lines behind the follows.
func apart(words string) string {
	var follows, bad []string
	for word := range strings.SplitSeq(words, " ") {
		if digits := strings.TrimRight(word, "!"); digits != word && strings.Trim(digits, "0123456789") == "" {
			bad = append(bad, word)
		} else {
			follows = append(follows, word)
		}
	}
	return strings.Join(append(follows, bad...), " ")
}

// Blocks hold what Follows yields, whatever the reader hands out at a time.
func TestReadBlock(t *testing.T) {
	common := strings.Repeat("some account,another\nsomeaccount,another\r\n#x\nb,\"c\"\nb,\n\nx,y\n", 3000)
	tabs := strings.Repeat("a\tb\n", 40_000) + "a\t\nb\tc,d\n" + strings.Repeat("e\tf\n", 40_000)
	objects := strings.Repeat(
		`{"actor_did":"did:a","target_did":"did:b","seen":"a, b c"}`+"\n"+`{"target": "c", "source":"did:d"}`+"\n",
		2000) + strings.Join([]string{
		`{"actor_did":"a","target_did":"b","actor_did":"c"}`, `{"actor":"a","src":"a","to":"b"}`,
		`{"actor":"\u0061","to":"b"}`, `{"actor":"","to":"b"}`, `{"actor":"a"}`, `{}`, `{"actor":"a","to":7}`,
		`{"actor":"a","to":"b",}`, `{"actor":"a" "to":"b"}`, `{"actor":"a","to":"b"} x`, `{"actor":"a","to":"b"}}`,
		`{"actor":"a","to":"b"`, `{"Actor-DID":"a","to":"b c"}`, `{"x":{"to":"b"},"actor":"a","to":"é"}`,
		`{ "actor":"a","to":"b"}`, `# {"actor":"a","to":"b"}`, `{"actor":"a","to":"` +
			strings.Repeat("x", graph.MaxAccount+1) + `"}`, `{"":"a","actor":"e","to":"f"}`}, "\n")
	lists := append(edgeLists[:len(edgeLists):len(edgeLists)], struct {
		name, text string
		opts       graph.EdgeListOptions
		want       string
	}{name: "long", text: common}, struct {
		name, text string
		opts       graph.EdgeListOptions
		want       string
	}{name: "long, tabs", text: tabs}, struct {
		name, text string
		opts       graph.EdgeListOptions
		want       string
	}{name: "objects", text: objects}, struct {
		name, text string
		opts       graph.EdgeListOptions
		want       string
	}{name: "long, header", text: "target\taccount\n" + tabs + "a\tb"})
	for _, c := range lists {
		want, err := read(graph.NewEdgeList(strings.NewReader(c.text), &c.opts))
		if err != nil {
			t.Fatal(err)
		}
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(c.text),
			"halves": iotest.HalfReader(strings.NewReader(c.text))} {
			list := graph.NewEdgeList(r, &c.opts)
			got, err := readBlocks(list)
			if apart(got) != apart(want) || err != nil {
				t.Errorf("%s, %s: got %.200q (%v), want %.200q", c.name, name, got, err, want)
			}
			if lines := int64(strings.Count(c.text, "\n")); !strings.HasPrefix(c.text, "\x1f\x8b") &&
				list.Lines() != lines && list.Lines() != lines+1 {
				t.Errorf("%s, %s: got %d lines, want %d", c.name, name, list.Lines(), lines)
			}
		}
	}
}

// BenchmarkReadBlock measures reading a follow between two DIDs.
func BenchmarkReadBlock(b *testing.B) {
	const follows = 10_000
	for _, form := range []struct{ name, line string }{
		{"columns", "did:plc:abcdefghijklmnopqrstuvwx,did:plc:234567abcdefghijklmnopqr\n"},
		{"object", `{"actor_did":"did:plc:abcdefghijklmnopqrstuvwx","target_did":"did:plc:234567abcdefghijklmnopqr"}` +
			"\n"},
	} {
		b.Run("form="+form.name, func(b *testing.B) {
			text := strings.Repeat(form.line, follows)
			for b.Loop() {
				list, block, n := graph.NewEdgeList(strings.NewReader(text), nil), new(graph.EdgeBlock), 0
				for list.ReadBlock(block) == nil {
					n += block.Follows()
				}
				if n != follows {
					b.Fatalf("got %d follows, want %d", n, follows)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/follows, "ns/follow")
		})
	}
}

// TestObjectMemberNamed has errors name a member as it stands in the line, and not as it is looked
// up.
func TestObjectMemberNamed(t *testing.T) {
	for _, err := range graph.NewEdgeList(strings.NewReader(`{"Actor_DID":null,"target_did":"b"}`), nil).Follows() {
		if err == nil || !strings.Contains(err.Error(), `member "Actor_DID"`) {
			t.Errorf("got %v, want an error with the name of the member", err)
		}
	}
}

// TestFiles reads every file of tabletest.
func TestFiles(t *testing.T) {
	for _, f := range tabletest.Files() {
		want := f.Want
		if f.Edges != nil {
			want = *f.Edges
		}
		var rows []string
		var bad []int64
		var failed error
		for follow, err := range graph.NewEdgeList(strings.NewReader(f.Text), nil).Follows() {
			line := (*graph.LineError)(nil)
			switch row := follow.Account + ">" + follow.Target; {
			case errors.As(err, &line):
				bad = append(bad, line.Line)
			case err != nil:
				failed = err
			case !slices.Contains(rows, row):
				rows = append(rows, row)
			}
		}
		switch {
		case want.Err != "" && (!errors.Is(failed, graph.ErrEncoding) || !strings.Contains(failed.Error(), want.Err)):
			t.Errorf("%s: got %v, want ErrEncoding with %q", f.Name, failed, want.Err)
		case want.Err == "" && (failed != nil || !slices.Equal(rows, want.Rows) || !slices.Equal(bad, want.Bad)):
			t.Errorf("%s: got %q, bad lines %d, %v, want %q, %d", f.Name, rows, bad, failed, want.Rows, want.Bad)
		}
	}
}

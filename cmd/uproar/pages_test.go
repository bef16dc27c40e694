// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPages carries out every command of the README, the tutorials, five guides, the cookbook, the
// questions and the page for those who move. Each page has one shell, from an empty folder on. What
// is printed is compared with what the page says.
func TestPages(t *testing.T) {
	pages := runnable(t)
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() && strings.Contains(string(text), "$ go run ") {
				t.Skip("links programs: left out by -short")
			}
			runPage(t, string(text), func(string) string { return "" })
		})
	}
}

// runnable returns the pages whose commands TestPages carries out.
func runnable(t *testing.T) (pages []string) {
	t.Helper()
	pages, err := filepath.Glob("../../docs/tutorials/*.md")
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, "../../README.md", "../../docs/graph.md", "../../docs/audience.md", "../../docs/query.md",
		"../../docs/cookbook.md", "../../docs/moving.md", "../../docs/faq.md", "../../docs/operations.md",
		"../../docs/graphd.md")
	if len(pages) < 14 {
		t.Fatalf("got %d pages, want all of them", len(pages))
	}
	return pages
}

// pageCommand is a command of a page, and what the page says that it prints.
type pageCommand struct{ command, want string }

var (
	console = regexp.MustCompile("(?s)```console\n(.*?)```")
	tabled  = regexp.MustCompile("(?m)^\\|[^|\n]*\\| `((?:uproar|curl) [^|\n]*?)` \\|([^|\n]*)\\|$")
	local   = regexp.MustCompile(`(?:localhost|127\.0\.0\.1):7\d\d\d\b`)
	serving = regexp.MustCompile(`^uproar (?:serve|demo)\b.* &$`)
)

// steps returns the commands of a page in their order: those after "$ " in blocks of a console, and
// those in the second column of a table, with answers in the third.
func steps(text string) (list []pageCommand) {
	for text != "" {
		block, cell := console.FindStringSubmatchIndex(text), tabled.FindStringSubmatchIndex(text)
		switch {
		case block == nil && cell == nil:
			return list
		case cell == nil || block != nil && block[0] < cell[0]:
			for _, part := range strings.Split("\n"+text[block[2]:block[3]], "\n$ ")[1:] {
				command, want, _ := strings.Cut(part, "\n")
				for strings.HasSuffix(command, `\`) ||
					strings.Count(command, "<<END") > strings.Count(command, "\nEND") {
					line, rest, _ := strings.Cut(want, "\n")
					command, want = command+"\n"+line, rest
				}
				list = append(list, pageCommand{command, strings.TrimRight(want, "\n")})
			}
			text = text[block[1]:]
		default:
			answer := strings.Trim(text[cell[4]:cell[5]], " `")
			list = append(list, pageCommand{text[cell[2]:cell[3]], answer})
			text = text[cell[1]:]
		}
	}
	return list
}

// runPage carries out the commands of a page, and then those that after makes of it. It returns
// what those printed. Where a page says "…", a command may print anything. An answer in a table
// stands in one line, with ", " between the lines and spaces for tabs. Addresses of ports from 7000
// on are replaced by free ones. Programs in Go find this module.
func runPage(t *testing.T, text string, after func(text string) string) (rest string) {
	t.Helper()
	for _, program := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(program); err != nil && os.Getenv("CI") != "true" {
			t.Skipf("there is no %s: left out", program)
		}
	}
	given := make(map[string]string)
	text = local.ReplaceAllStringFunc(text, func(addr string) string {
		port := addr[strings.Index(addr, ":"):]
		if given[port] == "" {
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			given[port] = ln.Addr().String()
			ln.Close()
		}
		return given[port]
	})
	const mark = "--- end of a command"
	list := steps(text)
	if len(list) == 0 {
		t.Fatal("the page has no commands")
	}
	script := "trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n"
	for _, s := range list {
		command := s.command
		if serving.MatchString(command) {
			addr := regexp.MustCompile(`--addr (\S+)`).FindStringSubmatch(command)
			if addr == nil {
				addr = []string{"", given[":7070"]}
				command = strings.TrimSuffix(command, "&") + "--addr " + addr[1] + " &"
			}
			command = strings.TrimSuffix(command, "&") + "2>>serve.log >>serve.log &\nfor i in $(seq 900); do " +
				"curl -s -o ready.json http://" + addr[1] + "/readyz && break; sleep 0.1; done"
		}
		script += command + "\necho; echo '" + mark + "'\n"
	}
	dir := t.TempDir()
	module, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte("go 1.26.0\n\nuse "+module+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", script+after(text))
	shell.Dir = dir
	var said strings.Builder
	shell.Stderr = &said
	out, err := shell.Output()
	log, _ := os.ReadFile(filepath.Join(dir, "serve.log"))
	if err != nil {
		t.Fatalf("got %v; the shell printed\n%s%s\nthe servers said\n%s", err, out, said.String(), log)
	}
	got := strings.Split(string(out), mark+"\n")
	if len(got) != len(list)+1 {
		t.Fatalf("got %d answers, want %d:\n%s", len(got), len(list)+1, out)
	}
	failed := false
	for i, s := range list {
		printed := strings.TrimRight(got[i], "\n")
		if !strings.Contains(s.want, "\n") && !matches(printed, s.want) {
			printed = strings.NewReplacer("\n", ", ", "\t", " ").Replace(printed)
			printed = strings.TrimRight(printed, " ")
		}
		if !matches(printed, s.want) {
			failed = true
			t.Errorf("$ %s\n got %s\nwant %s", s.command, strings.TrimRight(got[i], "\n"), s.want)
		}
	}
	if failed {
		t.Logf("the shell said\n%s\nthe servers said\n%s", said.String(), log)
	}
	return got[len(list)]
}

// matches reports whether a text is as wanted, where "…" stands for anything.
func matches(got, want string) bool {
	parts := strings.Split(want, "…")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`(?s)\A` + strings.Join(parts, ".*") + `\z`).MatchString(got)
}

// TestCatalogGuide carries out the commands of docs/catalog.md with its table and its schema.
func TestCatalogGuide(t *testing.T) {
	page, err := os.ReadFile("../../docs/catalog.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```").FindAllStringSubmatch(string(page), 3)
	if len(blocks) < 3 || !strings.HasPrefix(blocks[2][1], "$ uproar import catalog ") {
		t.Fatalf("got %q, want a table, its schema, and commands", blocks)
	}
	commands := regexp.MustCompile(`(?m)^uproar: .*\n`).ReplaceAllString(blocks[2][1], "") // the standard error
	commands = regexp.MustCompile(`in \d+ ms`).ReplaceAllString(commands, "in … ms")
	runPage(t, "```console\n$ cat >discounts.csv <<END\n"+blocks[0][1]+"END\n$ cat >discounts.json <<END\n"+
		blocks[1][1]+"END\n"+commands+"```\n", func(string) string { return "" })
}

// TestMovingGo runs the Go of docs/moving.md, of a set that another library wrote.
func TestMovingGo(t *testing.T) {
	if testing.Short() {
		t.Skip("links a program: left out by -short")
	}
	page, err := os.ReadFile("../../docs/moving.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page has no Go")
	}
	code := regexp.MustCompile(`(?m)^(.*\berr :?= [^/\n]*\)).*$`).ReplaceAllString(string(block[1]), "$1\nmust(err)")
	file := filepath.Join(t.TempDir(), "main.go")
	program := `package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/bitmap"
	"github.com/uproar-db/uproar/bitmap/interop"
	"github.com/uproar-db/uproar/query"
	"github.com/uproar-db/uproar/store/memstore"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	cell, err := interop.AppendPortable32(nil, bitmap.Of(3, 70_000).View(), interop.RunsIfSmaller)
	must(err)
	db, err := uproar.Open(ctx, memstore.New(), nil)
	must(err)
	people, err := db.CreateIndex(ctx, "people", uproar.Field{Name: "segment", Type: uproar.Set})
	must(err)
` + code + `
	snap := people.Snapshot()
	defer snap.Close()
	q, err := query.Parse("segment = buyers")
	must(err)
	keys, err := snap.Keys(ctx, q, uproar.Page{Limit: 10})
	must(err)
	fmt.Println(keys.Keys)
}
`
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
	if want := "[3 70000]\n"; err != nil || string(out) != want {
		t.Errorf("got %q (%v), want %q; the program was\n%s", out, err, want, program)
	}
}

// A page that says something else fails.
func TestPageCanFail(t *testing.T) {
	for _, tc := range []struct {
		text string
		want []pageCommand
	}{
		{"```console\n$ echo a\nb\n```\n", []pageCommand{{"echo a", "b"}}},
		{"| x | `uproar version` | `no` |\n```console\n$ echo \\\n  a b\na b\n$ x <<END\n1\nEND\n2\n```\n",
			[]pageCommand{{"uproar version", "no"}, {"echo \\\n  a b", "a b"}, {"x <<END\n1\nEND", "2"}}},
	} {
		got := steps(tc.text)
		if len(got) != len(tc.want) {
			t.Fatalf("%q: got %q, want %q", tc.text, got, tc.want)
		}
		for i := range got {
			if got[i] != tc.want[i] {
				t.Errorf("%q: got %q, want %q", tc.text, got[i], tc.want[i])
			}
		}
	}
	for got, want := range map[string]string{"a": "b", "ab": "a", "a.c": "a.d", "took 3": "took … s"} {
		if matches(got, want) {
			t.Errorf("%q is taken for %q", got, want)
		}
	}
	if !matches("took 3 s\nb", "took … s\nb") || !matches("", "") {
		t.Error("a text does not match itself")
	}
}

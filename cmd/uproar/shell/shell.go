// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/cmd/uproar/database"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// Command asks a database what is typed.
type Command struct {
	Database database.Flags `embed:""`
	Index    string         `placeholder:"NAME" help:"Index to be asked first. Default: accounts, or the first one."`
	Limit    uint64         `default:"20" placeholder:"N" help:"Print at most N records, values or groups; 0: all (${default})."`
	JSON     bool           `name:"json" help:"Print answers as JSON objects, each on a line."`
}

// Help returns what the help of the command says beside its flags.
func (*Command) Help() string {
	return `Each line is a query, or begins with a backslash: \help lists what there is. A query goes on while parentheses, braces
or quotes are open, or after and, or, xor, not; an empty line ends it. Tab completes names of indexes and fields, words
and values. The history is in ~/.uproar_history, or in the file that UPROAR_HISTORY names; empty: none. From a pipe,
it exits with 1 if a line failed.

Example: uproar shell --url http://127.0.0.1:7070
         echo '\explain follows(18)' | uproar shell --dir network`
}

// Run reads lines until the end, or \quit.
func (c *Command) Run(ctx context.Context, con *terminal.Console) (err error) {
	src, err := c.Database.Open(ctx)
	if err != nil {
		return err
	}
	defer database.Close(src, &err)
	s := &session{con: con, src: src, limit: c.Limit, json: c.JSON}
	if err := s.begin(ctx, c.Index); err != nil {
		return err
	}
	if in, ok := con.In.(*os.File); ok && con.Tables && terminal.IsTerminal(in) {
		return s.interact(ctx)
	}
	return s.script(ctx)
}

// session is what a shell knows between two lines.
type session struct {
	con     *terminal.Console
	src     *database.Source
	indexes []api.IndexStats
	index   string
	limit   uint64
	json    bool
	timing  bool
	ended   bool                // by \quit
	values  map[string][]string // that were offered, by question
}

// begin finds the indexes, and chooses one.
func (s *session) begin(ctx context.Context, index string) error {
	r, err := s.src.Client.Stats(ctx, api.StatsRequest{})
	if err != nil {
		return s.src.Failed(err)
	}
	s.indexes, s.values = r.Indexes, nil
	if index != "" {
		return s.choose(index)
	}
	for _, name := range []string{"accounts", ""} {
		i := slices.IndexFunc(s.indexes, func(x api.IndexStats) bool { return name == "" || x.Name == name })
		if i >= 0 && s.index == "" {
			s.index = s.indexes[i].Name
		}
	}
	return nil
}

// choose has the index of a name be asked from now on.
func (s *session) choose(index string) error {
	if !slices.ContainsFunc(s.indexes, func(x api.IndexStats) bool { return x.Name == index }) {
		return fmt.Errorf("there is no index %q; there are: %s", index, strings.Join(s.names(), ", "))
	}
	s.index = index
	return nil
}

func (s *session) names() (names []string) {
	for _, x := range s.indexes {
		names = append(names, x.Name)
	}
	return names
}

// fields returns the fields of the index that is asked.
func (s *session) fields() []api.DeclaredField {
	for _, x := range s.indexes {
		if x.Name == s.index {
			return x.Declared
		}
	}
	return nil
}

// script carries out the lines of a pipe. It goes on after one that fails.
func (s *session) script(ctx context.Context) error {
	lines := newScript(s.con.In)
	asked, failed := 0, 0
	for !s.ended {
		text, err := s.statement(lines)
		if text != "" {
			asked++
			if wrong := s.carryOut(ctx, text); wrong != nil {
				failed++
				s.tell(wrong)
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %s failed", failed, terminal.Plural(asked, "statement"))
	}
	return nil
}

// interact carries out what is typed. Ctrl-C ends what is under way, and not the shell.
func (s *session) interact(ctx context.Context) error {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(stop)
	ctx = context.WithoutCancel(ctx)
	lines := newEditor(s.completer(ctx))
	defer lines.close()
	fmt.Fprintf(s.con.Out, "index %s; \\help lists what there is\n", s.index)
	type typed struct {
		text string
		err  error
	}
	for !s.ended {
		read := make(chan typed, 1)
		go func() {
			text, err := s.statement(lines)
			read <- typed{text, err}
		}()
		var t typed
		select {
		case t = <-read:
		case <-stop:
			return errors.New("interrupted")
		}
		if t.text != "" {
			if err := s.interruptible(ctx, t.text); err != nil {
				s.tell(err)
			}
		}
		if errors.Is(t.err, io.EOF) {
			fmt.Fprintln(s.con.Out)
			return nil
		}
		if t.err != nil {
			return t.err
		}
	}
	return nil
}

// interruptible carries out a statement until Ctrl-C.
func (s *session) interruptible(ctx context.Context, text string) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := s.carryOut(ctx, text)
	if err != nil && ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// tell prints an error. The shell goes on.
func (s *session) tell(err error) { fmt.Fprintln(s.con.Err, "error: "+database.Public(err.Error())) }

// statement reads lines until a statement is whole. It is "" for an empty line, and for one that
// was given up. The error is io.EOF at the end of the input.
func (s *session) statement(lines reader) (string, error) {
	var text strings.Builder
	for {
		prompt := s.index + "> "
		if text.Len() > 0 {
			prompt = strings.Repeat(" ", max(0, len(s.index)-2)) + "... "
		}
		line, err := lines.read(prompt, text.String())
		if errors.Is(err, errAborted) {
			return "", nil
		}
		if text.Len() > 0 && line != "" {
			text.WriteByte('\n')
		}
		text.WriteString(line)
		if whole := strings.TrimSpace(text.String()); err != nil || strings.TrimSpace(line) == "" || !goesOn(whole) {
			if whole != "" {
				lines.remember(whole)
			}
			return whole, err
		}
	}
}

// outside calls see with each byte of a statement that is not in quotes, and its place. It returns
// where the text begins whose quotes are open at the end; -1 if there is none.
func outside(statement string, see func(at int, c byte)) (open int) {
	open = -1
	for i := 0; i < len(statement); i++ {
		switch c := statement[i]; {
		case open >= 0 && c == '\\':
			i++
		case open >= 0:
			if c == statement[open] {
				open = -1
			}
		case c == '"' || c == '\'':
			open = i
		default:
			see(i, c)
		}
	}
	return open
}

// asLine returns a statement as one line: line breaks stand between words, and are blanks.
func asLine(statement string) string { return strings.ReplaceAll(statement, "\n", " ") }

// operators are words after which a query goes on.
var operators = []string{"and", "or", "xor", "not", "in", "of"}

// goesOn reports whether there is more to come of a statement: parentheses, braces or quotes are
// open, or an operator is the last word. A command without a query is whole.
func goesOn(text string) bool {
	depth := 0
	open := outside(text, func(_ int, c byte) {
		switch {
		case strings.IndexByte("({[", c) >= 0:
			depth++
		case strings.IndexByte(")}]", c) >= 0:
			depth--
		}
	})
	if open >= 0 || depth > 0 {
		return true
	}
	words := strings.Fields(text)
	return len(words) > 0 && slices.Contains(operators, strings.ToLower(words[len(words)-1]))
}

// took prints how long a statement took, if that is wanted.
func (s *session) took(start time.Time) {
	if s.timing {
		fmt.Fprintf(s.con.Err, "took %s\n", terminal.Took(time.Since(start)))
	}
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A load writes at most so many likes in one commit, and of so many bytes as JSON: servers take
// 4 MiB at a time if nothing else is set.
const (
	loadedTogether = 10_000
	loadedBytes    = 3<<20 - 1<<10
)

// LineError says which line of a load an error is about.
type LineError struct {
	Line int
	Err  error
}

// Error returns the line and the error.
func (e *LineError) Error() string {
	return fmt.Sprintf("likes: line %d: %s", e.Line, strings.TrimPrefix(e.Err.Error(), "likes: "))
}

// Unwrap returns what is wrong with the line.
func (e *LineError) Unwrap() error { return e.Err }

// Load reads likes from comma-separated lines, and has them written: the actor, the key of the
// record, the subject. A first line that names them, as account,key,subject or
// creator,rkey,subject, is passed over. It holds some thousand lines, however many there are. They
// are written as they come: after an error those before are there, and loading again changes only
// what is missing. write must not keep the list, which takes less than 3 MiB as JSON. It returns
// how many likes were written. progress is told so meanwhile; nil: nobody is.
//
// Errors: *LineError, of a line without three columns, with what cannot be, or of more than
// graph.MaxLine bytes; write's, r's, or of what is no text in UTF-8.
func Load(r io.Reader, write func(list []Change) error, progress func(likes int64)) (likes int64, err error) {
	lines, err := newLineReader(r)
	if err != nil {
		return 0, fmt.Errorf("likes: %w", err)
	}
	var list []Change
	size := 0 // of the list
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		if err := write(list); err != nil {
			return err
		}
		likes, list, size = likes+int64(len(list)), list[:0], 0
		if progress != nil {
			progress(likes)
		}
		return nil
	}
	for first := true; ; first = false {
		c, err := lines.next()
		if err == io.EOF {
			err := flush()
			return likes, err
		}
		if err == nil && first && c.isHeader() {
			continue
		}
		if err == nil {
			err = lines.wrong(c.checkLine())
		}
		if err != nil {
			err = errors.Join(flush(), err)
			return likes, err
		}
		more := c.jsonBytes()
		if len(list) == loadedTogether || size+more > loadedBytes {
			if err := flush(); err != nil {
				return likes, err
			}
		}
		list, size = append(list, c), size+more
	}
}

// isHeader reports whether a first line names the columns.
func (c Change) isHeader() bool {
	names := strings.ToLower(c.Account + "," + c.Key + "," + c.Subject)
	return names == "account,key,subject" || names == "creator,rkey,subject"
}

// checkLine returns what is wrong with a like of a line, which has a subject.
func (c Change) checkLine() error {
	if err := c.check(); err != nil || c.Subject != "" {
		return err
	}
	return CheckSubject("")
}

// jsonBytes returns how many bytes the change takes as JSON, at most.
func (c Change) jsonBytes() int {
	n := len(`{"account":"","key":"","subject":""},`)
	for _, text := range [...]string{c.Account, c.Key, c.Subject} {
		for _, b := range []byte(text) {
			switch {
			case b == '<' || b == '>' || b == '&':
				n += len(`\u003c`)
			case b == '"' || b == '\\' || b >= utf8.RuneSelf: // some of three bytes are \u2028
				n += 2
			default:
				n++
			}
		}
	}
	return n
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package likes

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// loadedTogether is how many likes of a load are in one commit.
const loadedTogether = 10_000

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
// record, the subject. A first line creator,rkey,subject is passed over. It holds some thousand
// lines, however many there are. They are written as they come: after an error those before are
// there, and loading again changes only what is missing. write must not keep the list. It returns
// how many likes were written. progress is told so meanwhile; nil: nobody is.
//
// Errors: *LineError, of a line without three columns or with what cannot be; write's, or r's.
func Load(r io.Reader, write func(list []Change) error, progress func(likes int64)) (likes int64, err error) {
	lines := csv.NewReader(r)
	lines.FieldsPerRecord, lines.ReuseRecord = 3, true
	var list []Change
	flush := func() error {
		if len(list) == 0 {
			return nil
		}
		if err := write(list); err != nil {
			return err
		}
		likes, list = likes+int64(len(list)), list[:0]
		if progress != nil {
			progress(likes)
		}
		return nil
	}
	for first := true; ; first = false {
		columns, err := lines.Read()
		if err == io.EOF {
			err := flush()
			return likes, err
		}
		if bad, ok := errors.AsType[*csv.ParseError](err); ok {
			err = &LineError{bad.Line, fmt.Errorf("want actor, key, subject: %w", bad.Err)}
		}
		if err != nil {
			err = errors.Join(flush(), err)
			return likes, err
		}
		c := Change{Account: columns[0], Key: columns[1], Subject: columns[2]}
		if first && c == (Change{"creator", "rkey", "subject"}) {
			continue
		}
		err = c.check()
		if err == nil && c.Subject == "" {
			err = CheckSubject("")
		}
		if err != nil {
			line, _ := lines.FieldPos(0)
			err = errors.Join(flush(), &LineError{line, err})
			return likes, err
		}
		if list = append(list, c); len(list) == loadedTogether {
			if err := flush(); err != nil {
				return likes, err
			}
		}
	}
}

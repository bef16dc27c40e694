// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package intake

import "strings"

// refused is the error of a server about an import, without the advice for those who ask it over
// HTTP.
type refused struct {
	text string
	err  error
}

// Error returns what the server says.
func (e refused) Error() string { return e.text }

// Unwrap returns the whole error.
func (e refused) Unwrap() error { return e.err }

// Refused returns the error of an import that was sent, with the advice of the command line in the
// place of that of the call.
func Refused(err error) error {
	text, _, ok := strings.Cut(err.Error(), "; if the last row of a key is to count")
	if ok {
		return &AdviceError{refused{text, err}, repeatedAdvice}
	}
	text, remedy, ok := strings.Cut(err.Error(), "; types were guessed: send ")
	if ok {
		return &AdviceError{refused{text, err}, schemaAdvice(remedy)}
	}
	return err
}

// repeatedAdvice says what to do about a key that was guessed and is there twice.
const repeatedAdvice = "--key COLUMN: the same, if the last row of a key is to count, or another"

// schemaAdvice says what to do about a type that was guessed and is wrong.
func schemaAdvice(remedy string) string {
	return "--schema FILE: " + remedy + "; --dry-run prints the rest of it"
}

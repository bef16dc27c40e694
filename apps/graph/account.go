// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"errors"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/uproar-db/uproar"
)

// MaxAccount is the largest length of an account's key, in bytes.
const MaxAccount = 512

// maxShown bounds how much of untrusted text an error message repeats, in bytes.
const maxShown = 80

// InvalidAccountError says why a string cannot be an account's key.
type InvalidAccountError struct {
	Account string // the whole string
	Reason  string // what is wrong with it: "is empty"
}

// Error returns the account, cut if long, and the reason.
func (e *InvalidAccountError) Error() string {
	return fmt.Sprintf("graph: account %s %s", shown(e.Account), e.Reason)
}

// UnknownAccountError names an account that does not exist. errors.Is finds
// uproar.ErrUnknownRecord in it.
type UnknownAccountError struct {
	Account string
}

// Error names the account.
func (e *UnknownAccountError) Error() string {
	return "graph: unknown account " + shown(e.Account)
}

// Unwrap returns uproar.ErrUnknownRecord.
func (e *UnknownAccountError) Unwrap() error { return uproar.ErrUnknownRecord }

// unknown turns the database's error about an unknown record into one about an account. Other
// errors stay.
func unknown(err error) error {
	if e, ok := errors.AsType[*uproar.UnknownError](err); ok && errors.Is(e, uproar.ErrUnknownRecord) {
		return &UnknownAccountError{e.Name}
	}
	return err
}

// knownOnly returns an error, unless it is that an account does not exist.
func knownOnly(err error) error {
	if errors.Is(err, uproar.ErrUnknownRecord) {
		return nil
	}
	return err
}

// CheckAccount returns nil if key can be an account's key, and otherwise an
// *InvalidAccountError. It costs time linear in the length of key, and allocates
// only for the error.
func CheckAccount(key string) error {
	switch {
	case key == "":
		return &InvalidAccountError{key, "is empty"}
	case len(key) > MaxAccount:
		return &InvalidAccountError{key, fmt.Sprintf("has %d bytes, want at most %d", len(key), MaxAccount)}
	}
	for i, r := range key {
		if r >= 0x20 && r < 0x7f {
			continue
		}
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(key[i:]); size == 1 {
				return &InvalidAccountError{key, fmt.Sprintf("is not valid UTF-8 at byte %d", i)}
			}
		}
		if unicode.IsControl(r) {
			return &InvalidAccountError{key, fmt.Sprintf("has the control character %U at byte %d", r, i)}
		}
	}
	return nil
}

// shown quotes untrusted text for a message, cut if long.
func shown(s string) string {
	if len(s) > maxShown {
		return strconv.Quote(s[:maxShown]) + "..."
	}
	return strconv.Quote(s)
}

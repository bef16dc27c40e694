// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"bufio"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

// Tokens says who may ask a server for what. The zero value lets nobody do anything but look
// whether the server is there. Safe for concurrent use.
type Tokens struct{ list atomic.Pointer[[]bearer] }

// bearer is one line of a file of tokens. The token itself is not kept.
type bearer struct {
	name   string
	access call.Access
	hash   [sha256.Size]byte
}

// leastToken is how many characters a token has at least: fewer could be guessed.
const leastToken = 16

// Read replaces the tokens by the lines of r:
//
//	read  NAME TOKEN
//	write NAME TOKEN
//
// The bearer of the first may ask, that of the second also write, and take backups. TOKEN has at
// least 16 characters, letters, digits and -._~+/=, or is sha256: and the hash of one in
// hexadecimal, so that the file has no secret. NAME is for the log. Empty lines and lines that
// begin with # are left out. An error names the line, not what stands in it, and leaves the tokens
// as they were.
func (t *Tokens) Read(r io.Reader) error {
	var list []bearer
	names := make(map[string]bool)
	lines := bufio.NewScanner(r)
	for number := 1; lines.Scan(); number++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		one, err := parseToken(words)
		if err == nil && names[one.name] {
			err = fmt.Errorf("a second token with the name %q", one.name)
		}
		if err != nil {
			return fmt.Errorf("server: line %d of the tokens: %w", number, err)
		}
		names[one.name] = true
		list = append(list, one)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("server: reading tokens: %w", err)
	}
	if len(list) == 0 {
		return fmt.Errorf("server: the file of tokens has none, want at least one: nobody could ask anything")
	}
	t.list.Store(&list)
	return nil
}

func parseToken(words []string) (one bearer, err error) {
	if len(words) != 3 {
		return one, fmt.Errorf("got %d words, want three: read or write, a name, and the token", len(words))
	}
	switch words[0] {
	case "read":
		one.access = call.AccessRead
	case "write":
		one.access = call.AccessWrite
	default:
		return one, fmt.Errorf("the first word is neither read nor write")
	}
	one.name = words[1]
	if text, ok := strings.CutPrefix(words[2], "sha256:"); ok {
		hash, err := hex.DecodeString(text)
		if err != nil || len(hash) != sha256.Size {
			return one, fmt.Errorf("what follows sha256: is not 64 hexadecimal digits")
		}
		return bearer{one.name, one.access, [sha256.Size]byte(hash)}, nil
	}
	if len(words[2]) < leastToken {
		return one, fmt.Errorf("the token has %d characters, want at least %d", len(words[2]), leastToken)
	}
	if i := strings.IndexFunc(words[2], notTokenChar); i >= 0 {
		return one, fmt.Errorf("character %d of the token is none of a-z, A-Z, 0-9 and -._~+/=", i+1)
	}
	one.hash = sha256.Sum256([]byte(words[2]))
	return one, nil
}

// notTokenChar reports whether a character cannot stand in the header of a request (RFC 6750).
func notTokenChar(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~+/=", r))
}

// find returns the token that a header Authorization has. All tokens are compared, each in constant
// time, so that the time tells nothing about them.
func (t *Tokens) find(header string) (found bearer, ok bool) {
	scheme, text, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return bearer{}, false
	}
	list := t.list.Load()
	if list == nil {
		return bearer{}, false
	}
	hash := sha256.Sum256([]byte(strings.TrimSpace(text)))
	for _, one := range *list {
		if subtle.ConstantTimeCompare(hash[:], one.hash[:]) == 1 {
			found, ok = one, true
		}
	}
	return found, ok
}

// Find returns the name of a token's line, and whether its bearer may write. ok is false for a text
// that is none.
func (t *Tokens) Find(token string) (name string, writes, ok bool) {
	one, ok := t.find("Bearer " + token)
	return one.name, one.access == call.AccessWrite, ok
}

// allow decides whether a call may be answered. name is that of its token, "" without one.
func (t *Tokens) allow(need call.Access, c *call.Request) (name string, err error) {
	if t == nil || need == call.AccessPublic {
		return "", nil
	}
	header := ""
	if c.Transport != nil {
		header = c.Transport.Header("Authorization")
	}
	one, ok := t.find(header)
	switch {
	case !ok && header == "":
		return "", &api.Error{Code: api.CodeUnauthorized,
			Message: "no token: want the header Authorization: Bearer TOKEN"}
	case !ok:
		return "", &api.Error{Code: api.CodeUnauthorized, Message: "the token is not one of this server"}
	case need == call.AccessWrite && one.access != call.AccessWrite:
		return one.name, &api.Error{Code: api.CodeForbidden, Message: "this token may only read"}
	}
	return one.name, nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package resp

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/server/resp/keyspace"
)

// replyError is an error in the words of Redis.
type replyError string

// Error returns the reply.
func (e replyError) Error() string { return string(e) }

// Errors of arguments.
const (
	errNotInteger = replyError("ERR value is not an integer or out of range")
	errSyntax     = replyError("ERR syntax error")
	errNoKey      = replyError("ERR no such key")
	errPositive   = replyError("ERR value is out of range, must be positive")
	errReadOnly   = replyError("READONLY You can't write against a read only replica.")
	errWrongType  = replyError("WRONGTYPE Operation against a key holding the wrong kind of value")
	errNoAuth     = replyError("NOAUTH Authentication required.")
	errWrongPass  = replyError("WRONGPASS invalid username-password pair or user is disabled.")
)

// largeName is how many bytes of what a client has sent an error repeats.
const largeName = 128

// arityError is the error of a command with too few or too many arguments.
func arityError(name string) replyError {
	return replyError("ERR wrong number of arguments for '" + name + "' command")
}

// subcommandError is the error of a subcommand that there is not.
func subcommandError(command, sub string) replyError {
	return replyError(fmt.Sprintf("ERR unknown subcommand '%s'. Try %s HELP.", cut(sub), strings.ToUpper(command)))
}

// unknownError is the error of a command that there is not.
func unknownError(args [][]byte) replyError {
	var b strings.Builder
	for _, arg := range args[1:] {
		if b.Len() >= largeName {
			break
		}
		text := beforeNUL(string(arg))
		fmt.Fprintf(&b, "'%s' ", text[:min(len(text), largeName-b.Len())])
	}
	return replyError(fmt.Sprintf("ERR unknown command '%s', with args beginning with: %s", cut(string(args[0])),
		b.String()))
}

// cut returns what an error repeats of a name.
func cut(s string) string {
	s = beforeNUL(s)
	return s[:min(len(s), largeName)]
}

// beforeNUL returns a text as C has it.
func beforeNUL(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return s
}

// refuses reports whether an error says that a command has done nothing.
func refuses(err error) bool {
	_, reply := errors.AsType[replyError](err)
	return reply || errors.Is(err, keyspace.ErrWrongType) || errors.Is(err, keyspace.ErrTooLong) ||
		errors.Is(err, keyspace.ErrTransaction)
}

// tooManyFiles reports whether no file could be opened, which is ErrFull as well.
func tooManyFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// textOf returns the reply for an error.
func textOf(err error) string {
	if reply, ok := errors.AsType[replyError](err); ok {
		return string(reply)
	}
	if _, fault := errors.AsType[*panicked](err); fault {
		return "ERR internal error: a fault of the server, of which its log says more. A command that writes has done nothing"
	}
	switch {
	case errors.Is(err, keyspace.ErrWrongType):
		return string(errWrongType)
	case errors.Is(err, keyspace.ErrLater):
		return "ERR the command needs what is written before it in the transaction on the disk: send it after EXEC"
	case errors.Is(err, keyspace.ErrUnfinished) && tooManyFiles(err):
		return "MISCONF the server has too many files open: " + err.Error()
	case errors.Is(err, keyspace.ErrUnfinished) && errors.Is(err, uproar.ErrFull):
		return "MISCONF the disk of the server is full: " + err.Error()
	case errors.Is(err, keyspace.ErrUnfinished):
		return "ERR " + err.Error()
	case errors.Is(err, uproar.ErrReadOnly):
		return string(errReadOnly)
	case tooManyFiles(err):
		return "MISCONF the server has too many files open: nothing was written. Reads are answered; try again later"
	case errors.Is(err, uproar.ErrFull):
		return "MISCONF the disk of the server is full: nothing was written. Reads are answered"
	case errors.Is(err, uproar.ErrTooLarge):
		return "ERR the command is too large for one commit: " + err.Error() +
			". Try some of its members or keys at a time"
	}
	return "ERR " + err.Error()
}

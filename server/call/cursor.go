// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

// A cursor is text for where the next page of a question starts: a record ID. As IDs are never
// reused, it stays good through writes, flushes and restarts. It is, in base64
// for URLs:
//
//	version   1 byte   cursorVersion
//	question  4 bytes  FNV-1a of the question in the query language, little-endian
//	from      1 to 10  the record ID, as a uvarint of least length
//	check     2 bytes  low half of the CRC-32C of what stands before, little-endian
//
// The check turns a cursor cut by a copy and paste into an error. The question does so with a
// cursor of another list. They keep nobody from forging one: a forged cursor gives a page that
// could be had anyway.
const cursorVersion = 2

const cursorHead = 1 + 4

var (
	cursorText  = base64.RawURLEncoding.Strict()
	cursorTable = crc32.MakeTable(crc32.Castagnoli)
)

func cursorCheck(b []byte) uint16 { return uint16(crc32.Checksum(b, cursorTable)) }

// Question is what a list answers, in text that no other question has.
type Question string

// String returns the text.
func (q Question) String() string { return string(q) }

// questionOf returns the hash of a question.
func questionOf(q fmt.Stringer) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(q.String()))
	return h.Sum32()
}

// encodeCursor returns the cursor of a page of a question that starts at a record ID.
func encodeCursor(from uint64, question uint32) string {
	b := make([]byte, 0, cursorHead+binary.MaxVarintLen64+2)
	b = binary.LittleEndian.AppendUint32(append(b, cursorVersion), question)
	b = binary.AppendUvarint(b, from)
	b = binary.LittleEndian.AppendUint16(b, cursorCheck(b))
	return cursorText.EncodeToString(b)
}

// NextCursor returns the cursor of the page after one, "" if there is none.
func NextCursor(next uint64, more bool, of fmt.Stringer) string {
	if !more {
		return ""
	}
	return encodeCursor(next, questionOf(of))
}

// BadCursor is the error about a text that is no cursor.
func BadCursor(cursor string) error {
	return &api.Error{Code: api.CodeInvalidCursor, Message: "cursor " + Quote(cursor) +
		" is not one of this server: want the \"cursor\" of an earlier reply, unchanged"}
}

// decodeCursor reads a cursor.
func decodeCursor(cursor string) (from uint64, question uint32, err error) {
	b, err := cursorText.DecodeString(cursor)
	if err != nil || len(b) < cursorHead+1+2 || b[0] != cursorVersion {
		return 0, 0, BadCursor(cursor)
	}
	body, check := b[:len(b)-2], binary.LittleEndian.Uint16(b[len(b)-2:])
	question = binary.LittleEndian.Uint32(body[1:])
	from, n := binary.Uvarint(body[cursorHead:])
	if n != len(body)-cursorHead || check != cursorCheck(body) || encodeCursor(from, question) != cursor {
		return 0, 0, BadCursor(cursor)
	}
	return from, question, nil
}

// Page returns the page of a question that a limit and a cursor ask for. Without a cursor it is the
// first.
func Page(limit int, cursor string, of fmt.Stringer) (uproar.Page, error) {
	if cursor == "" {
		return uproar.Page{Limit: limit}, nil
	}
	from, question, err := decodeCursor(cursor)
	if err == nil && question != questionOf(of) {
		err = &api.Error{Code: api.CodeInvalidCursor, Message: "cursor " + Quote(cursor) +
			" is one of another question: want that of an earlier reply to this one"}
	}
	return uproar.Page{From: from, Limit: limit}, err
}

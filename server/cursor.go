// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

// A cursor is text for where the next page starts: a record ID. As IDs are never
// reused, it stays good through writes, flushes and restarts. It is, in base64
// for URLs:
//
//	version  1 byte   cursorVersion
//	from     1 to 10  the record ID, as a uvarint of least length
//	check    2 bytes  low half of the CRC-32C of what stands before, little-endian
//
// The check is there so that a cursor cut by a copy and paste is an error and not
// another page. It keeps nobody from forging one: a forged cursor gives a page
// that could be had anyway.
const cursorVersion = 1

var (
	cursorText  = base64.RawURLEncoding.Strict()
	cursorTable = crc32.MakeTable(crc32.Castagnoli)
)

func cursorCheck(b []byte) uint16 { return uint16(crc32.Checksum(b, cursorTable)) }

// encodeCursor returns the cursor of a page that starts at a record ID.
func encodeCursor(from uint64) string {
	b := make([]byte, 0, 1+binary.MaxVarintLen64+2)
	b = binary.AppendUvarint(append(b, cursorVersion), from)
	b = binary.LittleEndian.AppendUint16(b, cursorCheck(b))
	return cursorText.EncodeToString(b)
}

// nextCursor returns the cursor of the page after one, "" if there is none.
func nextCursor(next uint64, more bool) string {
	if !more {
		return ""
	}
	return encodeCursor(next)
}

// decodeCursor reads a cursor; "" is the first page.
func decodeCursor(cursor string) (from uint64, err error) {
	if cursor == "" {
		return 0, nil
	}
	bad := &api.Error{Code: api.CodeInvalidCursor, Message: "cursor " + quote(cursor) + " is not one of this server: want the \"cursor\" of an earlier reply, unchanged"}
	b, err := cursorText.DecodeString(cursor)
	if err != nil || len(b) < 4 || b[0] != cursorVersion {
		return 0, bad
	}
	body, check := b[:len(b)-2], binary.LittleEndian.Uint16(b[len(b)-2:])
	from, n := binary.Uvarint(body[1:])
	if n != len(body)-1 || check != cursorCheck(body) || encodeCursor(from) != cursor {
		return 0, bad
	}
	return from, nil
}

// page returns the page that a limit and a cursor ask for.
func page(limit int, cursor string) (uproar.Page, error) {
	from, err := decodeCursor(cursor)
	return uproar.Page{From: from, Limit: limit}, err
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package call

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/api"
)

// A place is text that says where the next page of a ranking starts: after an entry, in the order
// of the ranking. It stays good when that entry goes or moves. It is encoded like a cursor, with
// placeVersion. In place of the record ID it has numbers, each as a uvarint of least length: the
// bits of the score, the count and the row of a value; or the count and the rows of a group.
const placeVersion = 3

// encodePlace returns the place behind an entry of a question.
func encodePlace(of fmt.Stringer, numbers ...uint64) string {
	b := binary.LittleEndian.AppendUint32([]byte{placeVersion}, questionOf(of))
	for _, x := range numbers {
		b = binary.AppendUvarint(b, x)
	}
	return cursorText.EncodeToString(binary.LittleEndian.AppendUint16(b, cursorCheck(b)))
}

// decodePlace reads the place behind an entry of a question, which has count numbers.
func decodePlace(cursor string, of fmt.Stringer, count int) ([]uint64, error) {
	b, err := cursorText.DecodeString(cursor)
	if err != nil || len(b) < cursorHead+count+2 || b[0] != placeVersion {
		return nil, BadCursor(cursor)
	}
	body := b[:len(b)-2]
	if cursorCheck(body) != binary.LittleEndian.Uint16(b[len(b)-2:]) {
		return nil, BadCursor(cursor)
	}
	if binary.LittleEndian.Uint32(body[1:]) != questionOf(of) {
		return nil, &api.Error{Code: api.CodeInvalidCursor, Message: "cursor " + Quote(cursor) +
			" is one of another question: want that of an earlier reply to this one"}
	}
	numbers, rest := make([]uint64, count), body[cursorHead:]
	for i := range numbers {
		x, n := binary.Uvarint(rest)
		if n <= 0 {
			return nil, BadCursor(cursor)
		}
		numbers[i], rest = x, rest[n:]
	}
	if len(rest) > 0 || encodePlace(of, numbers...) != cursor {
		return nil, BadCursor(cursor)
	}
	return numbers, nil
}

// AfterRanked reads the place behind a ranked value; "" is the first page.
func AfterRanked(cursor string, of fmt.Stringer) (*uproar.Ranked, error) {
	if cursor == "" {
		return nil, nil
	}
	at, err := decodePlace(cursor, of, 3)
	if err != nil {
		return nil, err
	}
	score := math.Float64frombits(at[0])
	if math.IsNaN(score) {
		return nil, BadCursor(cursor)
	}
	return &uproar.Ranked{Score: score, Count: at[1], Row: at[2]}, nil
}

// BehindRanked returns the place behind a ranked value.
func BehindRanked(r uproar.Ranked, of fmt.Stringer) string {
	return encodePlace(of, math.Float64bits(r.Score), r.Count, r.Row)
}

// AfterGroup reads the place behind a group by that many fields. "" is the first page.
func AfterGroup(cursor string, of fmt.Stringer, fields int) (*uproar.Group, error) {
	if cursor == "" {
		return nil, nil
	}
	at, err := decodePlace(cursor, of, 1+fields)
	if err != nil {
		return nil, err
	}
	return &uproar.Group{Count: at[0], Rows: at[1:]}, nil
}

// BehindGroup returns the place behind a group.
func BehindGroup(g uproar.Group, of fmt.Stringer) string {
	return encodePlace(of, append([]uint64{g.Count}, g.Rows...)...)
}

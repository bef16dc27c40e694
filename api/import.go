// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package api

// ImportReply says what an import has read.
type ImportReply struct {
	Follows  int64    `json:"follows"`   // good lines; a follow that stands there twice counts twice
	Lines    int64    `json:"lines"`     // of every kind
	Bad      int64    `json:"bad"`       // bad lines, which were left out
	BadLines []string `json:"bad_lines"` // what is wrong with the first of them
	// lines that were taken for the names of columns, one of a list at most, and of as many lists
	// as of bad lines
	Headers []string `json:"headers,omitempty"`
}

// AppendJSON appends the reply to dst and returns the extended slice.
func (r ImportReply) AppendJSON(dst []byte) []byte {
	dst = appendUint(append(dst, `{"follows":`...), uint64(r.Follows))
	dst = appendUint(append(dst, `,"lines":`...), uint64(r.Lines))
	dst = appendUint(append(dst, `,"bad":`...), uint64(r.Bad))
	dst = append(dst, `,"bad_lines":[`...)
	for i, line := range r.BadLines {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, line)
	}
	if dst = append(dst, ']'); len(r.Headers) > 0 {
		dst = append(dst, `,"headers":[`...)
		for i, line := range r.Headers {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, line)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

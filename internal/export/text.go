// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"io"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/uproar-db/uproar/internal/value"
)

// appendNumber appends a cell that is no text, as decimal digits, a day or a time.
func appendNumber(dst []byte, c Column, cell Cell) []byte {
	switch c.Kind {
	case Unsigned:
		return strconv.AppendUint(dst, uint64(cell.Integer), 10)
	case Float:
		return strconv.AppendFloat(dst, cell.Float, 'g', -1, 64)
	case Decimal:
		return value.AppendPoint(dst, cell.Integer, c.Scale)
	case Date:
		return value.AppendDate(dst, cell.Integer)
	case Time:
		return value.AppendTime(dst, cell.Integer)
	}
	return strconv.AppendInt(dst, cell.Integer, 10)
}

// textPart is how many bytes of text are written at a time, about.
const textPart = 32 << 10

// separated writes CSV or TSV as encoding/csv does, and with quotes around a text that ends with a
// blank, too. A list is one text (value.AppendList); no value is an empty cell.
type separated struct {
	w       io.Writer
	comma   byte
	columns []Column
	text    []byte // not written yet
	list    []byte // the texts of a cell
}

func newSeparated(w io.Writer, comma byte, columns []Column) (*separated, error) {
	s := &separated{w: w, comma: comma, columns: columns}
	for i, c := range columns {
		if i > 0 {
			s.text = append(s.text, comma)
		}
		s.text = appendField(s.text, c.Name, comma)
	}
	s.text = append(s.text, '\n')
	return s, nil
}

func (s *separated) Write(row []Cell) error {
	for i, c := range s.columns {
		if i > 0 {
			s.text = append(s.text, s.comma)
		}
		switch cell := &row[i]; {
		case cell.Null:
		case c.Kind == Text:
			s.text = appendField(s.text, cell.Text, s.comma)
		case c.Kind == Texts:
			s.list = value.AppendList(s.list[:0], cell.Texts)
			s.text = appendField(s.text, s.list, s.comma)
		default:
			s.text = appendNumber(s.text, c, *cell)
		}
	}
	if s.text = append(s.text, '\n'); len(s.text) < textPart {
		return nil
	}
	return s.flush()
}

// flush writes the text that there is.
func (s *separated) flush() error {
	_, err := s.w.Write(s.text)
	s.text = s.text[:0]
	return err
}

func (s *separated) Close() error { return s.flush() }

// appendField appends a text, in quotes if it would be read as something else without them.
func appendField[T string | []byte](dst []byte, text T, comma byte) []byte {
	if !needsQuotes(text, comma) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for i := range len(text) {
		if text[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}

// needsQuotes reports whether a text is to stand in quotes: one with a separator, a quote, a zero
// byte or the end of a line, one that begins or ends with a blank, and what ends the input of some
// programs.
func needsQuotes[T string | []byte](text T, comma byte) bool {
	if len(text) == 0 {
		return false
	}
	for i := range len(text) {
		if b := text[i]; b == comma || b == '"' || b == '\n' || b == '\r' || b == 0 {
			return true
		}
	}
	if isPlain(text[0]) && isPlain(text[len(text)-1]) {
		return text[0] == '\\' && string(text) == `\.`
	}
	first, _ := utf8.DecodeRuneInString(string(text[:min(len(text), utf8.UTFMax)]))
	last, _ := utf8.DecodeLastRuneInString(string(text[max(0, len(text)-utf8.UTFMax):]))
	return unicode.IsSpace(first) || unicode.IsSpace(last)
}

// isPlain reports whether a byte is no blank and no part of one.
func isPlain(b byte) bool { return b > ' ' && b < utf8.RuneSelf }

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package guess

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/internal/table"
	"github.com/uproar-db/uproar/internal/value"
)

// unknownKind is the kind of a value that was written without one, as in CSV.
const unknownKind table.Kind = 0

// misfits are the values that are not of a type.
type misfits struct {
	n    int
	text string // the first of them
	line int64
}

func (m *misfits) add(text string, line int64) {
	if m.n++; m.n == 1 {
		m.text, m.line = text, line
	}
}

// column is what the sample has of one column.
type column struct {
	name  string
	list  bool // rows may have several values
	other string

	values  int
	rows    int // with a value
	row     int // the last of them
	several bool

	zones  misfits // times that have no zone
	texts  map[string]table.Kind
	wanted [len(types)]misfits
	whole  int // the most digits before a point
	scale  int // the most behind one
	places int // of numbers but 0: behind how many places of the point the first digit of one is, at most
	splits [len(separators)]split
}

// types are those that a column may have beside text, narrow ones first, as plurals.
var types = [...]struct {
	is   string
	fits func(string, table.Kind) bool
}{
	{"integers", func(text string, kind table.Kind) bool {
		whole, scale, ok := number(text, kind)
		_, err := value.Integer(text, 0)
		return ok && whole <= 19 && scale == 0 && err == nil
	}},
	{"decimals", func(text string, kind table.Kind) bool {
		whole, scale, ok := number(text, kind)
		return ok && whole+scale <= maxDigits
	}},
	{"dates", func(text string, _ table.Kind) bool { return isDate(text) }},
	{"floating point numbers", func(text string, kind table.Kind) bool {
		_, _, ok := float(text, kind)
		return ok
	}},
	{"times", func(text string, _ table.Kind) bool {
		_, err := value.Time(value.Second(text))
		return err == nil
	}},
}

// The places of types.
const (
	integers = iota
	decimals
	dates
	floats
	times
)

// maxDigits is how many digits any number may have that fits into 64 bits.
const maxDigits = 18

// separators may stand between several values in one cell.
var separators = [...]string{value.ListSeparator, ";"}

// split says what the cells of a column are once they are taken apart.
type split struct {
	cells int  // that have the separator
	bad   bool // one of them has a part that is no value, or is a sentence
}

// maxPart is how many bytes a part of a cell may have: longer ones are sentences.
const maxPart = 64

func newColumn(name string) *column { return &column{name: name, texts: make(map[string]table.Kind)} }

// add adds a value of a row, which begins in a line.
func (c *column) add(text string, kind table.Kind, row int, line int64) {
	c.values++
	if c.row == row {
		c.several = true
	} else {
		c.row = row
		c.rows++
	}
	if before, met := c.texts[text]; met && before == kind {
		return // of the same types as before
	}
	c.texts[text] = kind
	if whole, scale, ok := number(text, kind); ok {
		c.whole, c.scale = max(c.whole, whole), max(c.scale, scale)
	}
	if whole, places, ok := float(text, kind); ok {
		c.whole, c.places = max(c.whole, whole), max(c.places, places)
	}
	for i := range types {
		if !types[i].fits(text, kind) {
			c.wanted[i].add(text, line)
		} else if i == times && !value.HasZone(text) {
			c.zones.add(text, line)
		}
	}
	for i, separator := range separators {
		if !strings.Contains(text, separator) {
			continue
		}
		parts, bad := 0, false
		for part := range value.SplitList(text, separator) {
			parts++
			bad = bad || part == "" || len(part) > maxPart
		}
		if parts > 1 {
			c.splits[i].cells++
			c.splits[i].bad = c.splits[i].bad || bad
		}
	}
}

// distinct reports whether each of some rows has a value of its own.
func (c *column) distinct(rows int) bool {
	return c.rows == rows && !c.several && !c.list && c.other == "" && len(c.texts) == rows
}

// separator returns what stands between several values in the cells, "" if they are whole. At least
// so many distinct cells, and a share of a quarter of them, have it.
func (c *column) separator(least int) string {
	best, found := 0, ""
	for i, s := range c.splits {
		if !s.bad && s.cells >= least && 4*s.cells >= len(c.texts) && s.cells > best {
			best, found = s.cells, separators[i]
		}
	}
	return found
}

// is returns what the column becomes, under its own name.
func (c *column) is() audience.Column {
	f, splitBy := c.field()
	return audience.Column{Name: c.name, Field: f, Split: splitBy, Round: c.rounded(f)}
}

// rounded reports whether numbers are rounded in a field that was chosen.
func (c *column) rounded(f uproar.Field) bool {
	return f.Scale > 0 && (c.wanted[decimals].n > 0 || f.Scale < c.scale)
}

// leastDigits is how many digits of a number are kept at least where numbers are rounded.
const leastDigits = 3

// field returns the type that all values have, and what stands between several of them.
func (c *column) field() (f uproar.Field, splitBy string) {
	scaled := c.whole+c.scale <= maxDigits
	switch {
	case c.list:
		f.Type = uproar.Set
	case c.values == 0:
		f.Type = uproar.Single
	case c.wanted[integers].n == 0:
		f.Type = uproar.Integer
	case c.wanted[decimals].n == 0 && c.scale > 0 && scaled:
		f.Type, f.Scale = uproar.Integer, c.scale
	case c.wanted[floats].n == 0 && c.whole+c.places+leastDigits < maxDigits:
		f.Type, f.Scale = uproar.Integer, maxDigits-1-c.whole // one digit more than the sample needs
	case c.wanted[dates].n == 0:
		f.Type, f.Format = uproar.Integer, uproar.Date
	case c.wanted[times].n == 0:
		f.Type, f.Format = uproar.Integer, uproar.Time
	default:
		f.Type = uproar.Single
		if splitBy = c.separator(2); splitBy != "" {
			f.Type = uproar.Set
		}
	}
	return f, splitBy
}

// The texts of a column that are worth a word.
const (
	manyTexts  = 1000
	fewMisfits = 10 // of a hundred
)

// note returns what is to be said about the type of a column; "" if nothing is.
func (c *column) note(rows int) string {
	f, _ := c.field()
	if c.rounded(f) {
		return fmt.Sprintf("column %q has floating point numbers: rounded to %d digits behind the point", c.name, f.Scale)
	}
	if f.Format == uproar.Time && c.zones.n > 0 {
		return fmt.Sprintf("column %q: %d of %d distinct times have no zone, such as %s (line %d): taken for UTC", c.name,
			c.zones.n, len(c.texts), quote(c.zones.text), c.zones.line)
	}
	if f.Type != uproar.Single {
		return ""
	}
	if c.values == 0 {
		return fmt.Sprintf("column %q has no value in %d rows: taken for text", c.name, rows)
	}
	best := 0
	for i := range c.wanted {
		if c.wanted[i].n < c.wanted[best].n {
			best = i
		}
	}
	m, distinct := c.wanted[best], len(c.texts)
	few := m.n > 0 && m.n*100 <= distinct*fewMisfits || m.n == 1 && distinct > 2
	switch hint := ""; {
	case few && strings.Trim(m.text, "0123456789") != "": // which would be a code
		if !strings.ContainsAny(m.text, "0123456789") {
			hint = "; if that stands for no value, name it (null)"
		}
		return fmt.Sprintf("column %q: %d of %d distinct values are %s, but not %s (line %d): taken for text%s", c.name,
			distinct-m.n, distinct, types[best].is, quote(m.text), m.line, hint)
	case c.splits[0].cells > 0 && !c.splits[0].bad:
		return fmt.Sprintf("column %q: %d of %d distinct values have %q in them: taken for text; if it stands "+
			"between values, say so (%s:set:split=%s)", c.name, c.splits[0].cells, distinct, separators[0], c.name,
			separators[0])
	case distinct >= manyTexts && distinct*10 >= c.values*9:
		return fmt.Sprintf("column %q has %d distinct texts in %d values: kept as text that can be asked for", c.name,
			distinct, c.values)
	}
	return ""
}

// quote returns a text in quotes, cut if it is long.
func quote(text string) string {
	if len(text) > 40 {
		return strconv.Quote(strings.ToValidUTF8(text[:40], "")) + "..."
	}
	return strconv.Quote(text)
}

// floatDigits is how many digits there are in what programs write of a floating point number.
const floatDigits = 17

// float returns how many digits a floating point number has before its point, at least one, and
// behind how many places of the point its first digit is.
func float(text string, kind table.Kind) (whole, places int, ok bool) {
	if !isNumber(text, kind) {
		return 0, 0, false
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(text, "-")), "e")
	digits := strings.Trim(strings.Replace(mantissa, ".", "", 1), "0")
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || len(digits) > floatDigits || x == 0 {
		return 1, 0, err == nil && digits == ""
	}
	_, power, _ := strings.Cut(strconv.FormatFloat(x, 'e', floatDigits-1, 64), "e")
	exponent, err := strconv.Atoi(power)
	return max(1, exponent+1), max(0, -exponent), err == nil
}

// isNumber reports whether a text has the form of a number, and not that of what may be a code as
// well: with leading zeros, a plus, or in quotes.
func isNumber(text string, kind table.Kind) bool {
	if kind == table.String || kind == table.Boolean {
		return false
	}
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || digits[0] != '.' && (digits[0] < '0' || digits[0] > '9') {
		return false
	}
	if at := strings.IndexAny(digits, "eE"); at >= 0 && kind == unknownKind && !strings.Contains(digits[:at], ".") &&
		(at+1 == len(digits) || digits[at+1] != '-' && digits[at+1] != '+') {
		return false // 12E4 may be a code
	}
	if len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return false
	}
	return !strings.HasSuffix(digits, ".")
}

// number returns how many digits a number has before and behind its point.
func number(text string, kind table.Kind) (whole, scale int, ok bool) {
	if !isNumber(text, kind) {
		return 0, 0, false
	}
	plain, err := value.Decimal(text, maxDigits)
	if err != nil {
		return 0, 0, false
	}
	before, behind, _ := strings.Cut(strings.TrimPrefix(plain, "-"), ".")
	return len(before), len(behind), true
}

// isDate reports whether a text is a day, or its midnight without a zone.
func isDate(text string) bool {
	day := value.Day(text)
	if _, err := value.Date(day); err != nil || len(day) != len("2026-01-31") {
		return false
	}
	return strings.Trim(strings.TrimPrefix(text, day), "Tt 0:.") == ""
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package value

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// mostDigits is how many digits a number may have that is written out: more than 64 bits have, with
// a scale of 18.
const mostDigits = 40

// Decimal returns the plain form of a number that has at most scale digits behind its point: an
// optional minus, digits, and a point with digits only if there are any. A text that stands for
// such a number exactly is taken, however it is written: 39, +39, 39., 39.0, 3.9e1. One in the
// plain form is returned as it is. The error of any other text says what was got and wanted.
// Whether the number fits 64 bits is for the caller to find out.
func Decimal(text string, scale int) (string, error) {
	if isPlain(text, scale) {
		return text, nil
	}
	sign, rest := "", text
	if rest != "" && (rest[0] == '-' || rest[0] == '+') {
		sign, rest = strings.Trim(rest[:1], "+"), rest[1:]
	}
	mantissa, exponent, scientific := cutAny(rest, "eE")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole+fraction == "" || !digits(whole) || !digits(fraction) {
		return "", notNumber(text)
	}
	power := int64(0)
	if scientific {
		var ok bool
		if power, ok = smallInteger(exponent); !ok {
			return "", notNumber(text)
		}
	}
	number := strings.TrimLeft(whole+fraction, "0")
	if number == "" {
		return "0", nil
	}
	power -= int64(len(fraction))
	significant := strings.TrimRight(number, "0")
	power += int64(len(number) - len(significant))
	switch {
	case power < -int64(scale):
		return "", inexact(text, scale)
	case int64(len(significant))+max(power, 0) > mostDigits:
		return "", tooLarge(text, scale)
	case power >= 0:
		return sign + significant + strings.Repeat("0", int(power)), nil
	}
	if short := 1 - int(power) - len(significant); short > 0 {
		significant = strings.Repeat("0", short) + significant
	}
	at := len(significant) + int(power)
	return sign + significant[:at] + "." + significant[at:], nil
}

// Rounded returns the plain form of the nearest number that has at most scale digits behind its
// point; of two that are as near, the one farther from zero. Errors: as of [Decimal], but for too
// many digits.
func Rounded(text string, scale int) (string, error) {
	plain, err := Decimal(text, scale)
	if _, ok := errors.AsType[*inexactError](err); !ok {
		return plain, err
	}
	rest := strings.TrimLeft(text, "+-")
	sign := text[:len(text)-len(rest)]
	mantissa, exponent, _ := cutAny(rest, "eE")
	power, _ := smallInteger(exponent)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	number := strings.TrimLeft(whole+fraction, "0")
	// The number times ten to the power of scale, rounded to digits.
	keep := int64(len(number)) - int64(len(fraction)) + power + int64(scale)
	kept := []byte("0")
	switch {
	case keep < 0:
		return "0", nil
	case keep > mostDigits:
		return "", tooLarge(text, scale)
	}
	kept = append(kept, number[:keep]...)
	if number[keep] >= '5' {
		i := len(kept) - 1
		for ; kept[i] == '9'; i-- {
			kept[i] = '0'
		}
		kept[i]++
	}
	return Decimal(sign+string(kept)+"e-"+strconv.Itoa(scale), scale)
}

// Integer returns a number as the integer that it is with scale digits behind its point: 12.5 is
// 1250 with a scale of 2. It takes what [Decimal] takes. The error says what was got and wanted.
func Integer(text string, scale int) (int64, error) {
	plain, err := Decimal(text, scale)
	if err != nil {
		return 0, err
	}
	whole, fraction, _ := strings.Cut(plain, ".")
	x, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", scale-len(fraction)), 10, 64)
	if err != nil {
		return 0, tooLarge(text, scale)
	}
	return x, nil
}

// Point sets the decimal point in an integer's digits, scale digits before their end.
func Point(integer string, scale int) string {
	if scale == 0 {
		return integer
	}
	sign, digits := "", integer
	if strings.HasPrefix(integer, "-") {
		sign, digits = "-", integer[1:]
	}
	if short := scale + 1 - len(digits); short > 0 {
		digits = strings.Repeat("0", short) + digits
	}
	return sign + digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
}

// AppendPoint appends an integer with its decimal point, scale digits before its end, at most 18.
func AppendPoint(dst []byte, x int64, scale int) []byte {
	if scale == 0 {
		return strconv.AppendInt(dst, x, 10)
	}
	size, power := uint64(x), uint64(1)
	if x < 0 {
		dst, size = append(dst, '-'), -size
	}
	for range scale {
		power *= 10
	}
	dst = append(strconv.AppendUint(dst, size/power, 10), '.')
	for size %= power; power > 1; size %= power {
		power /= 10
		dst = append(dst, '0'+byte(size/power))
	}
	return dst
}

// isPlain reports whether a text is a number in the plain form.
func isPlain(text string, scale int) bool {
	whole, fraction, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	return whole != "" && len(text) <= mostDigits && digits(whole) &&
		(!point || fraction != "" && len(fraction) <= scale && digits(fraction))
}

func digits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// cutAny cuts a text at the first of some characters.
func cutAny(text, characters string) (before, after string, found bool) {
	if i := strings.IndexAny(text, characters); i >= 0 {
		return text[:i], text[i+1:], true
	}
	return text, "", false
}

// mostPower bounds exponents: far beyond what the digits of any text that memory holds can make up
// for, and far below what overflows.
const mostPower = 1 << 40

// smallInteger reads an exponent. Beyond mostPower it returns that.
func smallInteger(text string) (n int64, ok bool) {
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	if text == "" || !digits(text) {
		return 0, false
	}
	for i := range len(text) {
		n = min(10*n+int64(text[i]-'0'), mostPower)
	}
	if negative {
		n = -n
	}
	return n, true
}

// notNumber says what a text has that no number has.
func notNumber(text string) error {
	got := fmt.Sprintf("got %.100q", text)
	number := strings.TrimLeft(strings.TrimSpace(text), "+-")
	switch {
	case text == "":
		return errors.New("got nothing, want a number")
	case strings.TrimSpace(text) != text, strings.ContainsAny(text, " \u00a0\u202f"):
		return fmt.Errorf("%s, want a number without blanks", got)
	case strings.Contains(text, ",") && strings.Trim(number, "0123456789,.") == "":
		return fmt.Errorf("%s, want a number with a point before its decimals, and nothing between thousands", got)
	case strings.ContainsAny(text, "_'") && strings.Trim(number, "0123456789_'.") == "":
		return fmt.Errorf("%s, want a number with nothing between thousands", got)
	}
	return fmt.Errorf("%s, want a number", got)
}

// inexact says that a number has more digits behind its point than there may be.
func inexact(text string, scale int) error {
	if scale == 0 {
		return &inexactError{fmt.Sprintf("got %.100q, want a whole number", text)}
	}
	return &inexactError{fmt.Sprintf("got %.100q, want a number with at most %d digits after the point", text, scale)}
}

type inexactError struct{ text string }

// Error returns what was got and wanted.
func (e *inexactError) Error() string { return e.text }

// tooLarge says between which bounds a number has to be.
func tooLarge(text string, scale int) error {
	return fmt.Errorf("got %.100q, want a number from %s to %s", text,
		Point(strconv.FormatInt(math.MinInt64, 10), scale), Point(strconv.FormatInt(math.MaxInt64, 10), scale))
}

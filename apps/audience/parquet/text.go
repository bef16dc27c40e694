// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package parquet

import (
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// textOf returns how values of a type are written; nil for types that have no text.
func textOf(t parquet.Type) func(parquet.Value) string {
	var logical any
	if l := t.LogicalType(); l != nil {
		logical = l.Value
	}
	switch l := logical.(type) {
	case *format.DecimalType:
		if l.Scale < 0 || l.Scale > maxScale {
			return nil
		}
		return decimalOf(t.Kind(), int(l.Scale))
	case *format.DateType:
		return func(v parquet.Value) string { return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly) }
	case *format.TimestampType:
		return timeOf(t.Kind(), l.Unit)
	case *format.IntType:
		if !l.IsSigned && t.Kind() == parquet.Int32 {
			return func(v parquet.Value) string { return strconv.FormatUint(uint64(v.Uint32()), 10) }
		}
		if !l.IsSigned && t.Kind() == parquet.Int64 {
			return func(v parquet.Value) string { return strconv.FormatUint(v.Uint64(), 10) }
		}
	case *format.UUIDType:
		return uuid
	case *format.NullType: // every value of it is NULL
		return parquet.Value.String
	case nil, *format.StringType, *format.EnumType, *format.JsonType:
	default:
		return nil
	}
	switch t.Kind() {
	case parquet.Boolean:
		return func(v parquet.Value) string { return strconv.FormatBool(v.Boolean()) }
	case parquet.Int32:
		return func(v parquet.Value) string { return strconv.FormatInt(int64(v.Int32()), 10) }
	case parquet.Int64:
		return func(v parquet.Value) string { return strconv.FormatInt(v.Int64(), 10) }
	case parquet.Int96:
		return int96
	case parquet.Float:
		return func(v parquet.Value) string { return strconv.FormatFloat(float64(v.Float()), 'f', -1, 32) }
	case parquet.Double:
		return func(v parquet.Value) string { return strconv.FormatFloat(v.Double(), 'f', -1, 64) }
	case parquet.ByteArray:
		return func(v parquet.Value) string { return string(v.ByteArray()) }
	}
	return nil
}

// maxScale is how many digits of a decimal may stand after the point: more than numbers of 256 bits
// have, and so few that a file that names a billion is refused.
const maxScale = 100

// decimalOf returns how unscaled integers are written, with scale digits after the point.
func decimalOf(kind parquet.Kind, scale int) func(parquet.Value) string {
	unscaled := func(v parquet.Value) *big.Int { return big.NewInt(int64(v.Int32())) }
	switch kind {
	case parquet.Int32:
	case parquet.Int64:
		unscaled = func(v parquet.Value) *big.Int { return big.NewInt(v.Int64()) }
	case parquet.ByteArray, parquet.FixedLenByteArray:
		unscaled = func(v parquet.Value) *big.Int {
			b := v.ByteArray()
			x := new(big.Int).SetBytes(b) // in two's complement
			if len(b) > 0 && b[0]&0x80 != 0 {
				x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
			}
			return x
		}
	default:
		return nil
	}
	return func(v parquet.Value) string {
		x := unscaled(v)
		sign := ""
		if x.Sign() < 0 {
			sign = "-"
		}
		digits := new(big.Int).Abs(x).String()
		if scale <= 0 {
			return sign + digits
		}
		if short := scale + 1 - len(digits); short > 0 {
			digits = strings.Repeat("0", short) + digits
		}
		whole, fraction := digits[:len(digits)-scale], strings.TrimRight(digits[len(digits)-scale:], "0")
		if fraction == "" {
			return sign + whole
		}
		return sign + whole + "." + fraction
	}
}

// timeOf returns how times are written, to the second.
func timeOf(kind parquet.Kind, unit format.TimeUnit) func(parquet.Value) string {
	perSecond := int64(1e9)
	switch unit.Value.(type) {
	case *format.MilliSeconds:
		perSecond = 1e3
	case *format.MicroSeconds:
		perSecond = 1e6
	}
	if kind != parquet.Int64 {
		return nil
	}
	return func(v parquet.Value) string {
		seconds := v.Int64() / perSecond
		if v.Int64()%perSecond < 0 {
			seconds--
		}
		return time.Unix(seconds, 0).UTC().Format(time.RFC3339)
	}
}

// epochDay is the Julian day number of 1970-01-01.
const epochDay = 2_440_588

// int96 writes a time of the deprecated type that Spark, Hive and Impala have used: nanoseconds of
// a day, and its Julian day number.
func int96(v parquet.Value) string {
	x := v.Int96()
	nanoseconds := int64(uint64(x[1])<<32 | uint64(x[0]))
	return time.Unix((int64(int32(x[2]))-epochDay)*86400, nanoseconds).UTC().Format(time.RFC3339)
}

func uuid(v parquet.Value) string {
	s := hex.EncodeToString(v.ByteArray())
	if len(s) != 32 {
		return s
	}
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"cmp"
	"encoding/binary"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
)

// groupRows is how many rows a row group has.
const groupRows = 64 << 10

// decimalBytes is how many bytes a decimal has in Parquet, which allows 18 digits in 8.
const decimalBytes = 9

// ordered is a group of columns in their own order: that of parquet.Group is by their names.
type ordered struct {
	parquet.Group
	places map[string]int
}

// Fields returns the columns.
func (o ordered) Fields() []parquet.Field {
	return slices.SortedFunc(slices.Values(o.Group.Fields()), func(a, b parquet.Field) int {
		return cmp.Compare(o.places[a.Name()], o.places[b.Name()])
	})
}

// parquetNode returns the type of a column.
func parquetNode(c Column) parquet.Node {
	switch c.Kind {
	case Texts:
		return parquet.Optional(parquet.List(parquet.Encoded(parquet.String(), &parquet.Plain)))
	case Integer:
		return parquet.Optional(parquet.Int(64))
	case Unsigned:
		return parquet.Optional(parquet.Uint(64))
	case Float:
		return parquet.Optional(parquet.Leaf(parquet.DoubleType))
	case Decimal:
		return parquet.Optional(parquet.Decimal(c.Scale, decimalDigits, parquet.FixedLenByteArrayType(decimalBytes)))
	case Date:
		return parquet.Optional(parquet.Date())
	case Time:
		return parquet.Optional(parquet.Timestamp(parquet.Millisecond))
	}
	return parquet.Optional(parquet.String())
}

// parquetFile writes a Parquet file.
type parquetFile struct {
	out     *parquet.GenericWriter[any]
	columns []Column
	rows    []parquet.Row
}

func newParquet(w io.Writer, columns []Column) *parquetFile {
	root := ordered{parquet.Group{}, map[string]int{}}
	for i, c := range columns {
		root.Group[c.Name], root.places[c.Name] = parquetNode(c), i
	}
	return &parquetFile{columns: columns, out: parquet.NewGenericWriter[any](w, parquet.NewSchema("records", root),
		parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(groupRows), parquet.PageBufferSize(64<<10))}
}

func (p *parquetFile) Write(row []Cell) error {
	if err := checkTexts(p.columns, row); err != nil {
		return err
	}
	values := make(parquet.Row, 0, len(row))
	for i, c := range p.columns {
		if cell := row[i]; c.Kind == Texts && !cell.Null {
			values = appendTexts(values, i, cell.Texts)
		} else if cell.Null {
			values = append(values, parquet.NullValue().Level(0, 0, i))
		} else {
			values = append(values, parquetValue(c, cell).Level(0, 1, i))
		}
	}
	p.rows = append(p.rows[:0], values)
	_, err := p.out.WriteRows(p.rows)
	return err
}

// appendTexts appends a list: definition level 1 is an empty one, 2 a text of one.
func appendTexts(dst parquet.Row, column int, texts []string) parquet.Row {
	if len(texts) == 0 {
		return append(dst, parquet.NullValue().Level(0, 1, column))
	}
	for i, text := range texts {
		dst = append(dst, parquet.ByteArrayValue([]byte(text)).Level(min(i, 1), 2, column))
	}
	return dst
}

// parquetValue returns a cell that is not null.
func parquetValue(c Column, cell Cell) parquet.Value {
	switch c.Kind {
	case Integer, Unsigned:
		return parquet.Int64Value(cell.Integer)
	case Float:
		return parquet.DoubleValue(cell.Float)
	case Decimal:
		digits := make([]byte, 1, decimalBytes)
		if cell.Integer < 0 {
			digits[0] = math.MaxUint8 // the sign goes on to the left
		}
		return parquet.FixedLenByteArrayValue(binary.BigEndian.AppendUint64(digits, uint64(cell.Integer)))
	case Date:
		return parquet.Int32Value(int32(cell.Integer))
	case Time:
		return parquet.Int64Value(cell.Integer * 1000)
	}
	return parquet.ByteArrayValue([]byte(cell.Text))
}

func (p *parquetFile) Close() error { return p.out.Close() }

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

// rowsTogether is how many rows are written together.
const rowsTogether = 256

// parquetFile writes a Parquet file.
type parquetFile struct {
	out     *parquet.GenericWriter[any]
	columns []Column
	rows    []parquet.Row   // not written yet
	values  []parquet.Value // of rows
	bytes   []byte          // of values
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
	from := len(p.values)
	for i, c := range p.columns {
		if cell := &row[i]; c.Kind == Texts && !cell.Null {
			p.appendTexts(i, cell.Texts)
		} else if cell.Null {
			p.values = append(p.values, parquet.NullValue().Level(0, 0, i))
		} else {
			p.values = append(p.values, p.valueOf(c, cell).Level(0, 1, i))
		}
	}
	p.rows = append(p.rows, p.values[from:len(p.values):len(p.values)])
	if len(p.rows) < rowsTogether {
		return nil
	}
	return p.flush()
}

// flush writes the rows that are gathered.
func (p *parquetFile) flush() error {
	_, err := p.out.WriteRows(p.rows)
	p.rows, p.values, p.bytes = p.rows[:0], p.values[:0], p.bytes[:0]
	return err
}

// appendTexts appends a list: definition level 1 is an empty one, 2 a text of one.
func (p *parquetFile) appendTexts(column int, texts []string) {
	if len(texts) == 0 {
		p.values = append(p.values, parquet.NullValue().Level(0, 1, column))
	}
	for i, text := range texts {
		p.values = append(p.values, parquet.ByteArrayValue(p.keep(text)).Level(min(i, 1), 2, column))
	}
}

// keep copies a text to bytes that stay until the rows are written.
func (p *parquetFile) keep(text string) []byte {
	from := len(p.bytes)
	p.bytes = append(p.bytes, text...)
	return p.bytes[from:len(p.bytes):len(p.bytes)]
}

// valueOf returns a cell that is not null.
func (p *parquetFile) valueOf(c Column, cell *Cell) parquet.Value {
	switch c.Kind {
	case Integer, Unsigned:
		return parquet.Int64Value(cell.Integer)
	case Float:
		return parquet.DoubleValue(cell.Float)
	case Decimal:
		from, sign := len(p.bytes), byte(0)
		if cell.Integer < 0 {
			sign = math.MaxUint8 // the sign goes on to the left
		}
		p.bytes = binary.BigEndian.AppendUint64(append(p.bytes, sign), uint64(cell.Integer))
		return parquet.FixedLenByteArrayValue(p.bytes[from:len(p.bytes):len(p.bytes)])
	case Date:
		return parquet.Int32Value(int32(cell.Integer))
	case Time:
		return parquet.Int64Value(cell.Integer * 1000)
	}
	return parquet.ByteArrayValue(p.keep(cell.Text))
}

func (p *parquetFile) Close() error {
	if err := p.flush(); err != nil {
		return err
	}
	return p.out.Close()
}

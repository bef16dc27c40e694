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

// groupRows is how many rows a row group has, at most.
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

// Values are written to their columns together, of so many rows or bytes, at most.
const (
	rowsTogether  = 256
	bytesTogether = 64 << 10
)

// parquetFile writes a Parquet file.
type parquetFile struct {
	out     *parquet.GenericWriter[any]
	to      []*parquet.ColumnWriter
	columns []Column
	values  [][]parquet.Value // of each column, of rows that are not written yet
	bytes   []byte            // of values
	rows    int               // of values
	group   int               // rows of the group
	size    int               // its bytes, about
}

func newParquet(w io.Writer, columns []Column) *parquetFile {
	root := ordered{parquet.Group{}, map[string]int{}}
	for i, c := range columns {
		root.Group[c.Name], root.places[c.Name] = parquetNode(c), i
	}
	schema := parquet.NewSchema("records", root)
	options := []parquet.WriterOption{schema, parquet.Compression(&parquet.Snappy),
		parquet.PageBufferSize(bytesTogether), parquet.DataPageStatistics(false)} // the column index has them
	for _, path := range schema.Columns() {
		// The least and the greatest text of each page would stay in memory up to the end.
		if k := columns[root.places[path[0]]].Kind; k == Text || k == Texts {
			options = append(options, parquet.SkipPageBounds(path...))
		}
	}
	out := parquet.NewGenericWriter[any](w, options...)
	return &parquetFile{columns: columns, out: out, to: out.ColumnWriters(),
		values: make([][]parquet.Value, len(columns))}
}

func (p *parquetFile) Write(row []Cell) error {
	bytes, err := checkTexts(p.columns, row)
	if err != nil {
		return err
	}
	for i, c := range p.columns {
		if cell := &row[i]; c.Kind == Texts && !cell.Null {
			p.appendTexts(i, cell.Texts)
		} else if cell.Null {
			p.values[i] = append(p.values[i], parquet.NullValue().Level(0, 0, i))
		} else {
			p.values[i] = append(p.values[i], p.valueOf(c, cell).Level(0, 1, i))
		}
	}
	p.rows, p.group, p.size = p.rows+1, p.group+1, p.size+bytes
	switch {
	case p.group == groupRows || p.size >= groupBytes:
		return p.endGroup()
	case p.rows == rowsTogether || len(p.bytes) >= bytesTogether:
		return p.flush()
	}
	return nil
}

// flush writes the rows that are gathered to their columns.
func (p *parquetFile) flush() error {
	for i, values := range p.values {
		if _, err := p.to[i].WriteRowValues(values); err != nil {
			return err
		}
		p.values[i] = values[:0]
	}
	p.rows, p.bytes = 0, p.bytes[:0]
	return nil
}

// endGroup writes the rows of a group.
func (p *parquetFile) endGroup() error {
	p.group, p.size = 0, 0
	if err := p.flush(); err != nil {
		return err
	}
	return p.out.Flush()
}

// appendTexts appends a list: definition level 1 is an empty one, 2 a text of one.
func (p *parquetFile) appendTexts(column int, texts []string) {
	if len(texts) == 0 {
		p.values[column] = append(p.values[column], parquet.NullValue().Level(0, 1, column))
	}
	for i, text := range texts {
		p.values[column] = append(p.values[column], parquet.ByteArrayValue(p.keep(text)).Level(min(i, 1), 2, column))
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

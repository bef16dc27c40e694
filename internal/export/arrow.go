// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// batchRows is how many rows a batch has, at most.
const batchRows = 16 << 10

// decimalDigits is how many digits any integer of 64 bits has.
const decimalDigits = 19

// arrowTypes has the type of each kind but Decimal.
var arrowTypes = map[Kind]arrow.DataType{
	Text:    arrow.BinaryTypes.String,
	Texts:   arrow.ListOf(arrow.BinaryTypes.String),
	Integer: arrow.PrimitiveTypes.Int64,
	Date:    arrow.FixedWidthTypes.Date32,
	Time:    &arrow.TimestampType{Unit: arrow.Second, TimeZone: "UTC"},

	Unsigned: arrow.PrimitiveTypes.Uint64,
	Float:    arrow.PrimitiveTypes.Float64,
}

// arrowStream writes batches of Arrow's IPC stream.
type arrowStream struct {
	out     *ipc.Writer
	batch   *array.RecordBuilder
	columns []Column
	rows    int
	bytes   int // of rows
}

func newArrow(w io.Writer, columns []Column) *arrowStream {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowTypes[c.Kind], Nullable: true}
		if c.Kind == Decimal {
			fields[i].Type = &arrow.Decimal128Type{Precision: decimalDigits, Scale: int32(c.Scale)}
		}
	}
	schema := arrow.NewSchema(fields, nil)
	return &arrowStream{out: ipc.NewWriter(w, ipc.WithSchema(schema)), columns: columns,
		batch: array.NewRecordBuilder(memory.DefaultAllocator, schema)}
}

func (a *arrowStream) Write(row []Cell) error {
	bytes, err := checkTexts(a.columns, row)
	if err != nil {
		return err
	}
	for i := range a.columns {
		appendArrow(a.batch.Field(i), row[i])
	}
	a.rows, a.bytes = a.rows+1, a.bytes+bytes
	if a.rows == batchRows || a.bytes >= groupBytes {
		return a.flush()
	}
	return nil
}

// appendArrow appends a cell to a column.
func appendArrow(to array.Builder, cell Cell) {
	if cell.Null {
		to.AppendNull()
		return
	}
	switch to := to.(type) {
	case *array.StringBuilder:
		to.Append(cell.Text)
	case *array.ListBuilder:
		to.Append(true)
		for _, text := range cell.Texts {
			to.ValueBuilder().(*array.StringBuilder).Append(text)
		}
	case *array.Int64Builder:
		to.Append(cell.Integer)
	case *array.Uint64Builder:
		to.Append(uint64(cell.Integer))
	case *array.Float64Builder:
		to.Append(cell.Float)
	case *array.Decimal128Builder:
		to.Append(decimal128.FromI64(cell.Integer))
	case *array.Date32Builder:
		to.Append(arrow.Date32(cell.Integer))
	case *array.TimestampBuilder:
		to.Append(arrow.Timestamp(cell.Integer))
	}
}

// flush writes the rows that are gathered.
func (a *arrowStream) flush() error {
	a.rows, a.bytes = 0, 0
	batch := a.batch.NewRecordBatch()
	defer batch.Release()
	return a.out.Write(batch)
}

func (a *arrowStream) Close() error {
	if a.rows > 0 {
		if err := a.flush(); err != nil {
			return err
		}
	}
	a.batch.Release()
	return a.out.Close()
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package people

import (
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/uproar-db/uproar/bench/population"
)

// groupRows is how many rows a row group has, as DuckDB writes them.
const groupRows = 120 << 10

// rowsTogether is how many rows are handed to the writer at a time.
const rowsTogether = 1 << 10

// row is a person as a row of a table.
type row struct {
	ID        string   `parquet:"id"`
	Term      []string `parquet:"term,list" parquet-element:",dict"`
	Postal    string   `parquet:"postal,dict"`
	City      string   `parquet:"city,dict"`
	Gender    string   `parquet:"gender,dict"`
	Age       string   `parquet:"age,dict"`
	Income    string   `parquet:"income,dict"`
	Education string   `parquet:"education,dict"`
	Children  string   `parquet:"children,dict"`
	Device    string   `parquet:"device,dict"`
}

// names are the texts of numbers behind a prefix.
type names []string

func newNames(prefix string, n int) names {
	all := make(names, n)
	for i := range all {
		all[i] = prefix + strconv.Itoa(i)
	}
	return all
}

// WriteParquet writes a population as a Parquet file with dictionaries, in Snappy: a row for each
// person, with the values that Load gives them. progress is told how many people of how many are
// written.
func WriteParquet(w io.Writer, p *population.Population, progress func(done, total int64)) error {
	out := parquet.NewGenericWriter[row](w, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(groupRows))
	terms, postals, cities := newNames("t", population.Terms), newNames("z", population.Postals),
		newNames("c", population.Cities)
	values := newNames("", 10)
	rows := make([]row, 0, rowsTogether)
	flush := func() error {
		_, err := out.Write(rows)
		rows = rows[:0]
		return err
	}
	for i, one := range p.All(0) {
		d := &one.Demographic
		r := row{ID: "p" + strconv.Itoa(i), Postal: postals[one.Postal], City: cities[one.City],
			Gender: values[d[0]], Age: values[d[1]], Income: values[d[2]], Education: values[d[3]],
			Children: values[d[4]], Device: values[d[5]]}
		for _, t := range one.Terms {
			r.Term = append(r.Term, terms[t])
		}
		if rows = append(rows, r); len(rows) < rowsTogether {
			continue
		}
		progress(int64(i), int64(p.People))
		if err := flush(); err != nil {
			return err
		}
	}
	return errors.Join(flush(), out.Close())
}

// writeFile is WriteParquet to a file.
func writeFile(name string, p *population.Population, progress func(done, total int64)) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(WriteParquet(f, p, progress), f.Close())
}

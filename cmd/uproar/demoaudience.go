// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/audience"
	"github.com/uproar-db/uproar/cmd/uproar/adult"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// demoPeople is the name of the index of the demo's people.
const demoPeople = "people"

// fillPeople imports the people, unless they are there from an earlier demo.
func (c *demoCommand) fillPeople(ctx context.Context, con *terminal.Console, db *uproar.DB) error {
	schema := audience.Schema{Null: []string{adult.Null}}
	for _, text := range adult.Columns {
		column, err := audience.ParseColumn(text)
		if err != nil {
			return err
		}
		schema.Columns = append(schema.Columns, column)
	}
	if index, err := db.Index(demoPeople); err == nil {
		return c.keepPeople(con, index, schema)
	}
	start, size := time.Now(), adult.Open().Size()
	shown := con.Progress("reading", size)
	defer func() { shown.Finish() }()
	im, err := audience.Begin(ctx, db, demoPeople, schema, audience.Options{Strict: true,
		Progress: func(p audience.Progress) {
			if p.Total == 0 {
				shown.Update(p.Bytes, size, terminal.Plural(p.Records, "record"))
			}
		}})
	if err != nil {
		return err
	}
	defer im.Abort()
	state, err := im.Read(adult.Open(), audience.CSV)
	if err == nil {
		err = im.Commit()
	}
	if err == nil {
		err = im.Index().Flush(ctx)
	}
	if err != nil {
		return err
	}
	shown.Finish()
	took := time.Since(start)
	fmt.Fprintf(con.Out, "imported %s and %s in %s (%s records a second)\n", terminal.Plural(state.Records, "record"),
		terminal.Plural(state.Values, "value"), terminal.Took(took),
		terminal.Count(int64(float64(state.Records)/took.Seconds())))
	return nil
}

// keepPeople leaves people as they are that are there, if they are the demo's.
func (c *demoCommand) keepPeople(con *terminal.Console, index *uproar.Index, schema audience.Schema) error {
	if err := schema.Fits(index); err != nil {
		return terminal.Advise("uproar serve --dir "+c.Dir, "%s holds other people than the demo's: %w", c.Dir, err)
	}
	stats, err := index.Stats()
	if err != nil {
		return err
	}
	if stats.Records != adult.People {
		return terminal.Advise("uproar serve --dir "+c.Dir, "%s holds other people than the demo's: got %d, want %d",
			c.Dir, stats.Records, adult.People)
	}
	fmt.Fprintf(con.Out, "kept     %s, imported by an earlier demo\n", terminal.Plural(stats.Records, "record"))
	return nil
}

// about asks about an audience of the demo.
func about(path, q string, params ...string) request {
	return get("/v1/audience/"+path, append([]string{"index", demoPeople, "q", q}, params...)...)
}

// peopleSamples are the questions of the demo of audiences.
var peopleSamples = []sample{
	{"How many earn more than 50 000 dollars, and which share is that?",
		[]request{about("size", "income = \">50K\"")}},
	{"What do women with a doctorate work as: what is most common, what is most typical of them?",
		[]request{about("words", "sex = Female and education = Doctorate", "field", "occupation", "limit", "3")}},
	{"Where do those come from who were not born in the United States?",
		[]request{about("values", "any(country) and country != \"United-States\"", "field", "country", "limit", "4")}},
	{"The demographics of those between 25 and 35 who work 60 hours a week or more.",
		[]request{about("demographics", "age between 25 and 35 and hours >= 60", "field", "sex", "field", "age",
			"cross", "sex,income", "limit", "4")}},
	{"How do those who earn more than 50 000 differ from all others?",
		[]request{about("compare", "income = \">50K\"", "with", "income != \">50K\"", "field", "occupation", "field",
			"education", "limit", "2")}},
	{"How many have each two of these in common: a bachelor's degree, more than 50 000, younger than 30?",
		[]request{about("overlap", "education = Bachelors", "q", "income = \">50K\"", "q", "age < 30")}},
	{"An audience is saved as a query that follows the data, asked for, and forgotten.",
		[]request{
			post("/v1/audience/save",
				`{"index":"people","name":"young and rich","q":"age < 30 and income = \">50K\"","follows":true}`),
			about("size", "saved(\"young and rich\") and sex = Female"),
			post("/v1/audience/forget", `{"index":"people","name":"young and rich"}`),
		}},
	{"Several answers about one audience, which is evaluated once.",
		[]request{post("/v1/audience/report",
			`{"index":"people","q":"occupation = Tech-support","values":[{"field":"education","limit":2}],"demographics":{"fields":["hours"],"crosses":[["sex","income"]]}}`)}},
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/cmd/uproar/pricelist"
	"github.com/uproar-db/uproar/cmd/uproar/terminal"
)

// The prices of the demo: those of some offerings.
const (
	demoPrices    = "prices"
	demoOfferings = 3
	demoSeed      = 1
)

// fillPrices makes the catalog of prices, unless it is there from an earlier demo.
func (c *demoCommand) fillPrices(ctx context.Context, con *terminal.Console, db *uproar.DB) error {
	of, err := catalog.Open(db, demoPrices)
	if err == nil {
		index, err := of.Index()
		if err != nil {
			return err
		}
		stats, err := index.Stats()
		if err == nil && stats.Records != demoOfferings*pricelist.PerOffering {
			err = terminal.Advise("uproar serve --dir "+c.Dir+" --prices "+demoPrices,
				"%s holds other prices than the demo's: got %d, want %d", c.Dir, stats.Records,
				demoOfferings*pricelist.PerOffering)
		}
		if err == nil {
			fmt.Fprintf(con.Out, "kept     %s, imported by an earlier demo\n", terminal.Plural(stats.Records, "price"))
		}
		return err
	}
	if !errors.Is(err, catalog.ErrUnknownCatalog) {
		return err
	}
	start, list := time.Now(), pricelist.Make(demoOfferings, false, demoSeed)
	r, err := catalog.Replace(ctx, db, demoPrices, pricelist.Schema(), catalog.ReplaceOptions{})
	if err != nil {
		return err
	}
	defer r.Abort()
	for i := range list {
		if err := r.Add(list[i].Record()); err != nil {
			return err
		}
	}
	if err := r.Commit(ctx); err != nil {
		return err
	}
	fmt.Fprintf(con.Out, "imported %s in %s\n", terminal.Plural(int64(len(list)), "price"),
		terminal.Took(time.Since(start)))
	return nil
}

// priceSamples are the questions of the demo of catalogs: about one of its prices.
func priceSamples() []sample {
	p := pricelist.Make(1, false, demoSeed)[777]
	search := func(id int, p pricelist.Price, left ...string) string {
		var chars []string
		for i, name := range pricelist.Attributes {
			if i >= 3 && !strings.Contains(strings.Join(left, "|"), name) {
				chars = append(chars, fmt.Sprintf(`{"char":%q,"value":%q}`, name, p.Values[i]))
			}
		}
		return fmt.Sprintf(`{"id":%d,"offeringId":%q,"groupId":%q,"priceSpecId":%q,"charValues":[%s]}`, id, p.Values[0],
			p.Values[1], p.Values[2], strings.Join(chars, ","))
	}
	other := p
	other.Values[3] = "13"
	const bulk = "/v4/search/bitmap/bulk/prices"
	return []sample{
		{"What does this offering cost with these options?", []request{post("/v1/search/bitmap/prices", search(0, p))}},
		{"And without a word about the router? Only one fits, still.",
			[]request{post("/v1/search/bitmap/prices", search(0, p, "Router"))}},
		{"Several searches at once: one that finds a price, one that several prices fit, one with a term that there " +
			"is not. Each has its own answer, in order.",
			[]request{post(bulk, "["+search(1, p)+","+search(2, p, "Term", "VPN", "B2B Traffic")+","+search(3,
				other)+"]")}},
		{"The records are those of an index, which answers queries as well: in how many prices of this offering is " +
			"a router not included?",
			[]request{get("/v1/query", "index", demoPrices, "answer", "count", "q",
				fmt.Sprintf("offering = %q and Router = \"Not Included\"", p.Values[0]))}},
	}
}

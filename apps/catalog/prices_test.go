// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalog_test

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/uproar-db/uproar"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/store/memstore"
)

// pricesSchema is that of the price list of bitmap-usage. All values are kept together too.
const pricesSchema = `{
	"attributes": [{"name": "offering"}, {"name": "group"}, {"name": "spec"}, {"name": "Term"}, {"name": "B2B Traffic"}, {"name": "VPN"}, {"name": "B2B Bandwidth"}, {"name": "Router"},
		{"name": "value", "type": "number", "info": true}],
	"combined": [["offering", "group", "spec", "Term", "B2B Traffic", "VPN", "B2B Bandwidth", "Router"]]}`

// prices opens a file of the price list, which is beside the repository where there is one.
func prices(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open("../../../shared/data/prices/" + name)
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") != "true" {
		t.Skipf("no %s beside the repository", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// loadPrices makes a catalog of the price list.
func loadPrices(t testing.TB, in io.Reader) *catalog.Catalog {
	t.Helper()
	ctx := t.Context()
	db, err := uproar.Open(ctx, memstore.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	schema, err := catalog.ParseSchema([]byte(pricesSchema))
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Replace(ctx, db, "prices", schema, catalog.ReplaceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Abort()
	if _, _, err := r.Read(ctx, catalog.Table{}, in); err != nil {
		t.Fatal(err)
	}
	if err := r.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(db, "prices")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// priceRequest is a request of bitmap-usage.
type priceRequest struct {
	Offering string `json:"offeringId"`
	Group    string `json:"groupId"`
	Spec     string `json:"priceSpecId"`
	Chars    []struct {
		Char  string `json:"char"`
		Value string `json:"value"`
	} `json:"charValues"`
}

func (r *priceRequest) conditions() []catalog.Condition {
	c := []catalog.Condition{{Attribute: "offering", Value: r.Offering}, {Attribute: "group", Value: r.Group},
		{Attribute: "spec", Value: r.Spec}}
	for _, char := range r.Chars {
		c = append(c, catalog.Condition{Attribute: char.Char, Value: char.Value})
	}
	return c
}

// bulkRequests returns the requests of the bulk sample.
func bulkRequests(t testing.TB) (requests [][]catalog.Condition) {
	t.Helper()
	lines := bufio.NewScanner(prices(t, "search-price-bulk-request-10000-nd.json.gz"))
	for lines.Scan() {
		var r priceRequest
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		requests = append(requests, r.conditions())
	}
	if len(requests) != 10000 {
		t.Fatalf("got %d requests, want 10000", len(requests))
	}
	return requests
}

// TestPrices checks the answers to all requests of the sample. Their values are looked up together
// or one by one.
func TestPrices(t *testing.T) {
	if os.Getenv("UPROAR_PRICES") == "" {
		t.Skip("it loads 487 200 prices, as the server's test of the same requests does: UPROAR_PRICES=1 runs it")
	}
	in := prices(t, "prices.csv.gz")
	requests := bulkRequests(t)
	expected, err := csv.NewReader(prices(t, "expected-10000.csv.gz")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	s, err := loadPrices(t, in).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var a catalog.Answer
	for i, conditions := range requests {
		if err := s.Search(t.Context(), &a, 2, conditions...); err != nil {
			t.Fatal(err)
		}
		value, err := s.AppendValue(nil, a.One(), s.Attribute("value"))
		if err != nil || a.Kind != catalog.One || string(value) != expected[i+1][1] {
			t.Fatalf("request %d: got %v, %s, %v, want the price %s", i, a.Kind, value, err, expected[i+1][1])
		}
		// One condition by a list of one value: the general way.
		general := append([]catalog.Condition{{Attribute: conditions[0].Attribute, In: []string{conditions[0].Value}}},
			conditions[1:]...)
		if i%100 == 0 {
			id := a.One()
			if err := s.Search(t.Context(), &a, 2, general...); err != nil || a.One() != id {
				t.Fatalf("request %d: got %v, %v the general way, want record %d", i, a.One(), err, id)
			}
		}
	}
	for left, want := range map[string]catalog.Kind{"Router": catalog.One, "B2B Bandwidth": catalog.Several} {
		var some []catalog.Condition
		for _, c := range requests[0] {
			if c.Attribute != left {
				some = append(some, c)
			}
		}
		if err := s.Search(t.Context(), &a, 10, some...); err != nil || a.Kind != want || left == "B2B Bandwidth" &&
			len(a.IDs) != 5 {
			t.Errorf("without %s: got %v of %d, %v, want %v", left, a.Kind, len(a.IDs), err, want)
		}
	}
	wrong := append([]catalog.Condition(nil), requests[0]...)
	wrong[1].Value = strings.Replace(wrong[1].Value, "group", "groop", 1)
	if err := s.Search(t.Context(), &a, 10, wrong...); err != nil || a.Kind != catalog.Nothing || a.Unknown != 1 {
		t.Errorf("with an unknown group: got %v, unknown %d, %v", a.Kind, a.Unknown, err)
	}
}

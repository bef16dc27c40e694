// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
)

// checkCatalog refuses a request that does not say which catalog is meant.
func checkCatalog(name string) error {
	if name == "" {
		return invalid("\"catalog\" is missing or empty")
	}
	return nil
}

// checkShown refuses more attributes than a catalog has.
func checkShown(member string, names []string) error {
	if len(names) > catalog.MaxAttributes {
		return invalid("%q has %d attributes, want at most %d", member, len(names), catalog.MaxAttributes)
	}
	return nil
}

func decodeSearch(c call) (api.SearchRequest, error) {
	req, err := decodeBody[api.SearchRequest](c)
	if err == nil {
		err = checkCatalog(req.Catalog)
	}
	if err == nil {
		err = checkShown("show", req.Show)
	}
	switch n := len(req.Searches); {
	case err != nil:
		return req, err
	case n == 0 || n > api.MaxSearches:
		return req, invalid("\"searches\" has %d searches, want 1 to %d", n, api.MaxSearches)
	case req.Limit < 0 || req.Limit == 1 || req.Limit > api.MaxLimit:
		return req, invalid("\"limit\" is %d, want 2 to %d", req.Limit, api.MaxLimit)
	case req.Limit == 0:
		req.Limit = api.DefaultListed
	}
	return req, nil
}

func decodeFacets(c call) (api.FacetsRequest, error) {
	req, err := decodeBody[api.FacetsRequest](c)
	if err == nil {
		err = checkCatalog(req.Catalog)
	}
	if err == nil {
		err = checkShown("attributes", req.Attributes)
	}
	if err == nil {
		err = checkLimit(&req.Limit)
	}
	return req, err
}

func decodeSorted(c call) (api.SortedRequest, error) {
	req, err := decodeBody[api.SortedRequest](c)
	if err == nil {
		err = checkCatalog(req.Catalog)
	}
	if err == nil {
		err = checkShown("show", req.Show)
	}
	if err == nil && req.From < 0 {
		err = invalid("\"from\" is %d, want 0 or more", req.From)
	}
	if err == nil {
		err = checkLimit(&req.Limit)
	}
	return req, err
}

func decodeCatalogWrite(c call) (api.CatalogWriteRequest, error) {
	req, err := decodeBody[api.CatalogWriteRequest](c)
	if err == nil {
		err = checkCatalog(req.Catalog)
	}
	if err == nil && len(req.Put) == 0 && len(req.Delete) == 0 {
		err = invalid("\"put\" and \"delete\" are both missing or empty")
	}
	return req, err
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package catalogapi

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/apps/catalog"
	"github.com/uproar-db/uproar/server/call"
)

// checkCatalog refuses a request that does not say which catalog is meant.
func checkCatalog(name string) error {
	if name == "" {
		return call.Invalid("\"catalog\" is missing or empty")
	}
	return nil
}

// checkShown refuses more attributes than a catalog has.
func checkShown(member string, names []string) error {
	if len(names) > catalog.MaxAttributes {
		return call.Invalid("%q has %d attributes, want at most %d", member, len(names), catalog.MaxAttributes)
	}
	return nil
}

// searchRequest is searches, and which of them cannot be.
type searchRequest struct {
	api.SearchRequest
	plain [][]byte           // the text of searches that Searches has not; it can be read (appendPlain)
	wrong map[int]*api.Error // by their position
}

// appendConditions appends the conditions of a search in the order of their attributes. So a
// request always has the same answer.
func (r *searchRequest) appendConditions(dst []catalog.Condition, i int) ([]catalog.Condition, error) {
	if where := r.Searches[i]; where != nil {
		return wanted(dst, where)
	}
	start := len(dst)
	var room plainRoom
	values, _ := appendPlain(room[:0], call.Borrowed(r.plain[i]))
	for _, w := range values {
		dst = append(dst, catalog.Condition{Attribute: w.attribute, Value: w.value})
	}
	return dst, checkWanted(dst[start:])
}

func decodeSearch(c call.Request) (req searchRequest, err error) {
	if err := call.CheckBody(c); err != nil {
		return req, err
	}
	if !req.decodePlain(c.Body) {
		err = req.decodeWhole(c.Body)
	}
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
		return req, call.Invalid("\"searches\" has %d searches, want 1 to %d", n, api.MaxSearches)
	case req.Limit < 0 || req.Limit == 1 || req.Limit > api.MaxLimit:
		return req, call.Invalid("\"limit\" is %d, want 2 to %d", req.Limit, api.MaxLimit)
	case req.Limit == 0:
		req.Limit = api.DefaultListed
	}
	return req, nil
}

// decodeWhole decodes a body in one piece, and where that fails each search by itself.
func (r *searchRequest) decodeWhole(body []byte) error {
	err := call.DecodeText(body, &r.SearchRequest, call.JSONChecker{Of: reflect.TypeFor[api.SearchRequest]()})
	if err != nil {
		err = r.decodeEach(body, err)
	}
	for i, where := range r.Searches {
		if where == nil && r.wrong[i] == nil {
			r.refuse(i, call.Invalid("search is null, want an object of conditions"))
		}
	}
	return err
}

// decodeEach reads each search by itself, once decoding the whole body has failed with err. A fault
// in one search becomes the error of that search. A fault around the searches is returned.
func (r *searchRequest) decodeEach(body []byte, err error) error {
	var around struct {
		api.SearchRequest
		Searches []json.RawMessage `json:"searches"`
	}
	if call.DecodeText(body, &around, call.JSONChecker{Of: reflect.TypeFor[api.SearchRequest](),
		Apart: "searches"}) != nil ||
		len(around.Searches) > api.MaxSearches {
		return err
	}
	r.SearchRequest = around.SearchRequest
	r.Searches = make([]api.Conditions, len(around.Searches))
	for i, text := range around.Searches {
		if err := call.DecodeText(text, &r.Searches[i],
			call.JSONChecker{Of: reflect.TypeFor[api.Conditions]()}); err != nil {
			r.refuse(i, err)
		}
	}
	return nil
}

// refuse notes that a search cannot be.
func (r *searchRequest) refuse(i int, err error) {
	if r.wrong == nil {
		r.wrong = make(map[int]*api.Error)
	}
	own := call.Failure(err)
	// a place in it is none in the body
	r.wrong[i] = &api.Error{Code: own.Code, Message: "search" + strings.TrimPrefix(strings.TrimPrefix(own.Message,
		"body"), "search")}
}

func decodeFacets(c call.Request) (api.FacetsRequest, error) {
	req, err := call.DecodeBody[api.FacetsRequest](c)
	if err == nil {
		err = checkCatalog(req.Catalog)
	}
	if err == nil {
		err = checkShown("attributes", req.Attributes)
	}
	if err == nil {
		err = call.CheckLimit(&req.Limit)
	}
	return req, err
}

func decodeSorted(c call.Request) (api.SortedRequest, error) {
	req, err := call.DecodeBody[api.SortedRequest](c)
	if err == nil {
		err = checkCatalog(req.Catalog)
	}
	if err == nil {
		err = checkShown("show", req.Show)
	}
	if err == nil && req.From < 0 {
		err = call.Invalid("\"from\" is %d, want 0 or more", req.From)
	}
	if err == nil {
		err = call.CheckLimit(&req.Limit)
	}
	return req, err
}

func decodeCatalogWrite(c call.Request) (api.CatalogWriteRequest, error) {
	req, err := call.DecodeBody[api.CatalogWriteRequest](c)
	if err == nil {
		err = checkCatalog(req.Catalog)
	}
	if err == nil && len(req.Put) == 0 && len(req.Delete) == 0 {
		err = call.Invalid("\"put\" and \"delete\" are both missing or empty")
	}
	return req, err
}

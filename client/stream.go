// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/uproar-db/uproar/api"
)

// Stream asks for a list of any length as a table or lines of JSON, by their media type:
// "text/csv", "text/tab-separated-values", "application/x-ndjson", "application/vnd.apache.parquet"
// or "application/vnd.apache.arrow.stream". The list is the records of a query, with values or
// without, those of some keys, or the answer to one question: the top, groups or a sample. A limit
// of 0 is all of it.
// The caller reads what comes, and closes it. A list that breaks off ends with an error. It is not
// asked for again by itself.
func Stream[Q api.QueryRequest | api.AnswersRequest | api.RecordsFindRequest | api.RecordsGetRequest](
	ctx context.Context, c *Client, media string, req Q) (io.ReadCloser, error) {
	path := "/v1/query"
	switch any(req).(type) {
	case api.AnswersRequest:
		path = "/v1/answers"
	case api.RecordsFindRequest:
		path = "/v1/records/find"
	case api.RecordsGetRequest:
		path = "/v1/records/get"
	}
	body, err := json.Marshal(req)
	if err != nil {
		return nil, fmt.Errorf("client: body of %s: %w", path, err)
	}
	r := request{method: http.MethodPost, path: path, contentType: "application/json", accept: media, body: body}
	resp, err := c.send(ctx, r, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if got, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); got != media {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("client: %s answers %s as %.80q, want %.80q: a newer server may have that", *base(c), path,
			got, media)
	}
	return resp.Body, nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"io"

	"github.com/uproar-db/uproar/api"
)

// response is what a transport sends.
type response struct {
	status      int
	code        api.Code // of an error
	contentType string
	allow       string // header Allow, if any
	origin      string // whose pages may read the answer, if any
	preflight   string // methods that they may use, of an answer to that question
	coding      string // header Content-Encoding, if any
	varies      string // header Vary, if any: the fields of the request that chose the answer
	body        []byte
	charge      *charge       // memory of the body; sent is called when it was sent
	stream      io.ReadCloser // instead of a body, if not nil: sent until its end; the transport closes it
}

// headers gives set the headers of a response, except those about its body.
func (r *response) headers(set func(name, value string)) {
	set("X-Content-Type-Options", "nosniff")
	if r.allow != "" {
		set("Allow", r.allow)
	}
	if r.coding != "" {
		set("Content-Encoding", r.coding)
	}
	if r.varies != "" {
		set("Vary", r.varies)
	}
	if r.origin != "" {
		set("Access-Control-Allow-Origin", r.origin)
		if r.preflight == "" {
			set("Access-Control-Expose-Headers", "Allow, Retry-After, WWW-Authenticate")
		}
	}
	if r.preflight != "" {
		set("Access-Control-Allow-Methods", r.preflight)
		set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Encoding")
		set("Access-Control-Max-Age", "7200")
	}
	switch r.status {
	case 401:
		set("WWW-Authenticate", `Bearer realm="uproar"`)
	case 429, 503:
		set("Retry-After", "1")
	}
}

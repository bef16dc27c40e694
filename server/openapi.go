// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	_ "embed"

	"github.com/uproar-db/uproar/server/call"
)

// openapiDocument describes every call but GraphD's, in OpenAPI 3.1. It is made of the operations
// and of package api by
//
//	go test ./server -run OpenAPIDocument -write-openapi
//
//go:embed openapi.json
var openapiDocument []byte

func openapi(context.Context, call.NoParameters) (call.Reply, error) {
	return call.Text{ContentType: call.ContentJSON, Body: openapiDocument}, nil
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"context"
	_ "embed"
	"slices"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/audienceapi"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/catalogapi"
	"github.com/uproar-db/uproar/server/console"
	"github.com/uproar-db/uproar/server/graphapi"
	"github.com/uproar-db/uproar/server/indexapi"
	"github.com/uproar-db/uproar/server/likesapi"
	"github.com/uproar-db/uproar/server/recordapi"
	"github.com/uproar-db/uproar/server/standingapi"
)

// operations describe all endpoints but those of other servers (server/compat), whose replies and
// errors have the forms that the clients of those servers expect.
var operations = slices.Concat(graphapi.Operations, audienceapi.Operations, catalogapi.Operations,
	indexapi.Operations, indexapi.FieldOperations, indexapi.IndexOperations, recordapi.Operations,
	standingapi.Operations, likesapi.Operations, serverOperations)

// operationOf returns the description of an endpoint. An endpoint without one can only be asked
// with a token that allows everything.
func operationOf(method, path string) call.Operation {
	i := slices.IndexFunc(operations, func(o call.Operation) bool { return o.Method == method && o.Path == path })
	switch {
	case i < 0 && console.Has(path): // static files
		return call.Operation{Method: method, Path: path, Access: call.AccessPublic, Always: true}
	case i < 0:
		return call.Operation{Method: method, Path: path}
	}
	return operations[i]
}

// serverOperations describe the calls about the server and the database as a whole.
var serverOperations = []call.Operation{
	{
		Method: "GET", Path: backupPath, Summary: "A full backup of the database", Access: call.AccessWrite,
		Always: true,
		Media:  backupMedia, Errors: []api.Code{api.CodeForbidden},
	},
	{
		Method: "POST", Path: backupPath,
		Summary: "An increment over the backup whose preamble and head block are the body", Access: call.AccessWrite,
		Always: true,
		Takes:  backupMedia, Media: backupMedia, Errors: append([]api.Code{api.CodeForbidden, api.CodeBackupBase},
			call.BodyErrors...),
	},
	{
		Method: "GET", Path: "/healthz", Summary: "Whether the server answers and its database can be read",
		Access: call.AccessPublic, Always: true,
		Replies: []any{api.HealthReply{}},
	},
	{
		Method: "GET", Path: readyPath, Summary: "Whether the server can also write", Access: call.AccessPublic,
		Always:  true,
		Replies: []any{api.HealthReply{}}, Errors: []api.Code{api.CodeUnavailable},
	},
	{
		Method: "GET", Path: clusterPath, Summary: "The copies of the database, as their log knows them",
		Access: call.AccessRead, Always: true, Replies: []any{api.ClusterReply{}},
		Errors: []api.Code{api.CodeUnavailable},
	},
	{
		Method: "POST", Path: handOverPath, Summary: "Have another copy of the database take the writes",
		Access: call.AccessWrite, Replies: []any{api.HealthReply{}}, Errors: []api.Code{api.CodeUnavailable},
	},
	{
		Method: "GET", Path: metricsPath, Summary: "Figures in the text format of Prometheus", Access: call.AccessRead,
		Always: true,
		Media:  "text/plain",
	},
	{
		Method: "GET", Path: slowPath, Summary: "The last requests that took long, with their questions",
		Access: call.AccessRead, Always: true, Replies: []any{api.SlowReply{}},
	},
	{
		Method: "GET", Path: openapiPath, Summary: "The calls as an OpenAPI document", Access: call.AccessPublic,
		Always: true, Media: call.ContentJSON,
	},
}

// backupPath is where backups are asked for. Their answers are streams of bytes that take as long
// as they take.
const backupPath = "/v1/backup"

const openapiPath = "/v1/openapi.json"

const readyPath = "/readyz"

const slowPath = "/v1/slow"

const clusterPath = "/v1/cluster"

const handOverPath = "/v1/handover"

const metricsPath = "/metrics"

// backupMedia is the media type of backups, and of the beginning of one.
const backupMedia = "application/octet-stream"

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

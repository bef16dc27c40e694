// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	_ "embed"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/server/call"
)

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
		Method: "GET", Path: metricsPath, Summary: "Figures in the text format of Prometheus", Access: call.AccessRead,
		Always: true,
		Media:  "text/plain",
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

const metricsPath = "/metrics"

// backupMedia is the media type of backups, and of the beginning of one.
const backupMedia = "application/octet-stream"

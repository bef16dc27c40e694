// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import "github.com/uproar-db/uproar/api"

// serverOperations describe the calls about the server and the database as a whole.
var serverOperations = []operation{
	{
		method: "GET", path: backupPath, summary: "A full backup of the database", access: accessWrite, always: true,
		media: backupMedia, errors: []api.Code{api.CodeForbidden},
	},
	{
		method: "POST", path: backupPath,
		summary: "An increment over the backup whose preamble and head block are the body", access: accessWrite,
		always: true,
		takes:  backupMedia, media: backupMedia, errors: append([]api.Code{api.CodeForbidden, api.CodeBackupBase},
			bodyErrors...),
	},
	{
		method: "GET", path: "/healthz", summary: "Whether the server answers and its database can be read",
		access: accessPublic, always: true,
		replies: []any{api.HealthReply{}},
	},
	{
		method: "GET", path: readyPath, summary: "Whether the server can also write", access: accessPublic,
		always:  true,
		replies: []any{api.HealthReply{}}, errors: []api.Code{api.CodeUnavailable},
	},
	{
		method: "GET", path: metricsPath, summary: "Figures in the text format of Prometheus", access: accessRead,
		always: true,
		media:  "text/plain",
	},
	{
		method: "GET", path: openapiPath, summary: "The calls as an OpenAPI document", access: accessPublic,
		always: true, media: contentJSON,
	},
}

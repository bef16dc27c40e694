// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server

import (
	"slices"

	"github.com/uproar-db/uproar/server/audienceapi"
	"github.com/uproar-db/uproar/server/call"
	"github.com/uproar-db/uproar/server/catalogapi"
	"github.com/uproar-db/uproar/server/graphapi"
	"github.com/uproar-db/uproar/server/indexapi"
)

// operations are those of all endpoints except GraphD's. docs/graphd.md describes GraphD's, because
// their errors are texts and their lists whole, as its clients expect.
var operations = slices.Concat(graphapi.Operations, audienceapi.Operations, catalogapi.Operations,
	indexapi.Operations, indexapi.FieldOperations,
	serverOperations)

// operationOf returns the description of an endpoint. An endpoint without one can only be asked
// with a token that allows everything.
func operationOf(method, path string) call.Operation {
	i := slices.IndexFunc(operations, func(o call.Operation) bool { return o.Method == method && o.Path == path })
	if i < 0 {
		return call.Operation{Method: method, Path: path}
	}
	return operations[i]
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package server_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/server"
)

// What a client asks wrongly is no failure of the server: nobody may fill its log so.
func TestGraphDLogsNoClientErrors(t *testing.T) {
	var log bytes.Buffer
	s := newSite(t, &server.Options{Paths: server.Paths{GraphD: true},
		Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s.graphd("GET", "/followers?did=@z", "", 404, `"uid not found"`)
	s.graphd("GET", "/does_follow", "", 400, needBoth)
	s.graphd("GET", "/are_moots?actor_did=@z&target_did=@y", "", 404, `"actor uid not found"`)
	s.graphd("GET", "/intersect_followers", "", 400, `"did query param is required"`)
	s.graphd("POST", "/follow", `{`, 400, eofBody)
	s.graphd("POST", "/unfollow", `{"actor_did":"foo"}`, 400, `"invalid actor did: `+badDID+`"`)
	if strings.Contains(log.String(), "request failed") {
		t.Errorf("got the log\n%s", log.String())
	}
}

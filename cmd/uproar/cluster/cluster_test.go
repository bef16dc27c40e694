// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package cluster

import (
	"strings"
	"testing"

	"github.com/uproar-db/uproar/api"
)

// TestSharedAddresses prints copies of which some are at one address.
func TestSharedAddresses(t *testing.T) {
	nodes := []api.ClusterNode{{Node: "a", URL: "http://db1"}, {Node: "b", URL: "http://db2"}, {Node: "c"},
		{Node: "d", URL: "http://DB1:80"}, {Node: "e"}}
	for _, c := range []struct {
		nodes []api.ClusterNode
		want  string
	}{{nodes, "warning: a, d say"}, {nodes[:3], ""}} {
		var out strings.Builder
		if err := printCluster(&out, &api.ClusterReply{Nodes: c.nodes}); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.Contains(got, c.want) || strings.Contains(got, "warning") != (c.want != "") {
			t.Errorf("got\n%s\nwant %q in it", got, c.want)
		}
	}
}

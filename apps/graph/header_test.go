// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package graph_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/uproar-db/uproar/apps/graph"
)

// TestHeaders: no name of a column becomes an account.
func TestHeaders(t *testing.T) {
	for _, c := range []struct{ text, header, want string }{ // a header of "?": ErrHeader
		{"user_id,friend_id\n1,2\n", "user_id,friend_id", "1>2"},
		{"user_id,friend_id\nann,bob\n", "user_id,friend_id", "ann>bob"},
		{"friend_id,user_id\nann,bob\n", "friend_id,user_id", "bob>ann"},
		{"\ufeff\"User ID\",\"Friend ID\"\r\n1,2\r\n", `"User ID","Friend ID"`, "1>2"},
		{"user_id;friend_id\n", "user_id;friend_id", ""},
		{"user_id|friend_id\rann|bob\r", "user_id|friend_id", "ann>bob"},
		{"user_id:friend_id\n", "", "1!"},
		{"FromUserId ToUserId\n1 2\n", "FromUserId ToUserId", "1>2"},
		{"follower_id\tfollowed_id\tweight\na\tb\t1\n", "follower_id\tfollowed_id\tweight", "a>b"},
		{"node_1,node_2\n1,2\n", "node_1,node_2", "1>2"},
		{"u v\n1 2\n", "u v", "1>2"},
		{"x,y\n1,2\n3,4\n", "x,y", "1>2 3>4"},
		{"x,y\n1,2\nann,4\n", "", "x>y 1>2 ann>4"},
		{"x,y\n-1,39.0\n", "x,y", "-1>39.0"},
		{"followee,x\n1,2\n", "followee,x", "2>1"},
		{"x,follower\n1,2\n", "x,follower", "2>1"},
		{"x,2\n1,2\n", "", "x>2 1>2"},
		{"1,2\n3,4\n", "", "1>2 3>4"},
		{"x,y\nann,bob\n", "", "x>y ann>bob"},
		{"x,y\n", "", "x>y"},
		{"user_id,y\nann,bob\n", "?", ""},
		{"x,friend_id\nann,bob\n", "?", ""},
		{"user,user\nann,bob\n", "?", ""},
		{"id,time,target\nann,bob,carol\n", "", "id>time ann>bob"},
		{"# a\n# FromNodeId\tToNodeId\n0\t1\n", "", "0>1"},
		{"% sym unweighted\n% 2 3\n1 2\n%a b\n", "", "1>2 %a>b"},
		{"%%MatrixMarket matrix coordinate pattern general\n%\n% x\n34 34 78\n2 1\n3 1\n", "34 34 78", "2>1 3>1"},
		{"%%MatrixMarket matrix coordinate real general\n34 34 78\n2 1 0.5\n", "34 34 78", "2>1"},
		{"{\"user_id\": 1, \"friend_id\": 2}\n", "", "1>2"},
		{"{\"user_id\": 1, \"user_name\": \"x\", \"friend_id\": 2}\n", "", "1>2"},
		{"sep=;\nuser;friend\nann;bob, junior\n", "user;friend", "ann>bob, junior"},
		{"\ufeffsep=,\r\nann,bob\r\n", "", "ann>bob"},
		{"\"user_id\"\t\"friend_id\"\n\"ann\"\tbob\n", "\"user_id\"\t\"friend_id\"", "ann>bob"},
		{"follower_uuid,followee_uuid\naa,bb\n", "follower_uuid,followee_uuid", "aa>bb"},
		{"username,friend_username\nann,bob\n", "username,friend_username", "ann>bob"},
		{"friend_name,friend_id,user_name,user_id\nann,1,bob,2\n", "friend_name,friend_id,user_name,user_id", "2>1"},
		{"username,x\nann,bob\n", "?", ""},
	} {
		list := graph.NewEdgeList(strings.NewReader(c.text), nil)
		got, err := read(list)
		if asks := errors.Is(err, graph.ErrHeader); asks != (c.header == "?") || !asks && err != nil {
			t.Errorf("%q: got %v", c.text, err)
			continue
		} else if asks {
			continue
		}
		if got != c.want || list.Header() != c.header {
			t.Errorf("%q: got %q with header %q, want %q with %q", c.text, got, list.Header(), c.want, c.header)
		}
	}
	for use, want := range map[graph.HeaderUse]string{graph.WithHeader: "ann>bob",
		graph.NoHeader: "user_id>y ann>bob"} {
		list := graph.NewEdgeList(strings.NewReader("user_id,y\nann,bob\n"), &graph.EdgeListOptions{Header: use})
		if got, err := read(list); got != want || err != nil {
			t.Errorf("header %d: got %q, %v, want %q", use, got, err, want)
		}
	}
}

// TestRepeatedColumns: of two columns of one name nobody knows which is meant.
func TestRepeatedColumns(t *testing.T) {
	for _, text := range []string{"user_id,user_id,friend_id\n1,2,3\n", "friend_id,user_id,friend_id\n1,2,3\n"} {
		_, err := read(graph.NewEdgeList(strings.NewReader(text), nil))
		if !errors.Is(err, graph.ErrEncoding) || !strings.Contains(err.Error(), "_id\" more than once") {
			t.Errorf("%q: got %v, want an error with the column", text, err)
		}
	}
	got, err := read(graph.NewEdgeList(strings.NewReader("user_id,friend_id,x,x\n1,2,3,4\n"), nil))
	if got != "1>2" || err != nil {
		t.Errorf("got %q, %v, want 1>2", got, err)
	}
}

// TestImportOfBadLines checks that a text of nearly only bad lines is not imported, unless that is
// allowed.
func TestImportOfBadLines(t *testing.T) {
	text := func(good, bad int) string { return strings.Repeat("a,b\n", good) + strings.Repeat("x\n", bad) }
	for _, c := range []struct {
		good, bad int
		most      float64
		want      bool
	}{{0, 3, 0, false}, {0, 3, 1, true}, {1, 9, 0, true}, {1, 10, 0, false}, {9, 1, -1, false}, {9, 1, 0.1, true},
		{0, 0, -1, true}} {
		g, _ := open(t)
		report, err := g.Import(t.Context(), strings.NewReader(text(c.good, c.bad)),
			graph.ImportOptions{MaxBad: c.most})
		if errors.Is(err, graph.ErrTooManyBad) == c.want || c.want && err != nil || report.BadLines != int64(c.bad) {
			t.Errorf("%d good, %d bad, at most %v: got %d, %v", c.good, c.bad, c.most, report.BadLines, err)
		}
		if c.want && c.good > 0 {
			check(t, "followers of b", g.Followers("b"), "a")
		} else if _, found, err := g.Lookup(t.Context(), "b"); err != nil || found[0] {
			t.Errorf("%d good, %d bad: got the account b, want nothing", c.good, c.bad)
		}
	}
}

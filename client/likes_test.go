// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package client_test

import (
	"errors"
	"testing"

	"github.com/uproar-db/uproar/api"
	"github.com/uproar-db/uproar/client"
)

// likes asks every call about likes.
func likes(t *testing.T, s *site) {
	t.Helper()
	ctx, l := t.Context(), s.graph.Likes()
	const post = "at://did:plc:writer/app.bsky.feed.post/3m6aaaaaaaa2k"
	change := func(account, key, subject string) api.LikeChange {
		return api.LikeChange{Account: account, Key: key, Subject: subject}
	}
	if _, err := l.Likers(ctx, api.LikersRequest{Subject: post}); !errors.Is(err, client.ErrUnknownIndex) {
		t.Errorf("Likes.Likers before the first: got %v, want an unknown index", err)
	}
	if _, err := s.graph.Follow(ctx, api.Follow{Account: "viewer", Target: "late"}); err != nil {
		t.Fatal(err)
	}
	position := int64(7)
	sequence, err := l.Write(ctx, api.LikesRequest{Changes: []api.LikeChange{change("early", "3m6i4wtqkuf2l", post),
		change("late", "3m6i4wtqkuf2m", post), change("late", "3m6i4wtqkuf2n", "feed")}, Stream: "likes",
		Position: &position})
	check(t, "Likes.Write", sequence > 0, err, true)
	at, ok, err := s.graph.Position(ctx, "likes")
	check(t, "Position of likes", ok && at == position, err, true)

	first, err := l.Likers(ctx, api.LikersRequest{Subject: post, Limit: 1, Hidden: true})
	check(t, "Likes.Likers", first.Likes, err, []api.Like{{Account: "late", Key: "3m6i4wtqkuf2m"}})
	second, err := l.Likers(ctx, api.LikersRequest{Subject: post, Limit: 1, Cursor: first.Cursor})
	check(t, "Likes.Likers, second page", second, err, api.LikersReply{Likes: []api.Like{{Account: "early",
		Key: "3m6i4wtqkuf2l"}}})
	if _, err := l.Likers(ctx, api.LikersRequest{Subject: post, Cursor: "none"}); !errors.Is(err, client.ErrInvalid) {
		t.Errorf("Likes.Likers: got %v, want an invalid cursor", err)
	}
	liked, err := l.Liked(ctx, "late", client.Page{Limit: 1})
	check(t, "Likes.Liked", liked.Subjects, err, []string{post})
	liked, err = l.Liked(ctx, "late", client.Page{Cursor: liked.Cursor})
	check(t, "Likes.Liked, second page", liked, err, api.LikedReply{Subjects: []string{"feed"}})

	records, key, none, no := uint64(2), "3m6i4wtqkuf2m", "", uint64(0)
	answers, err := l.Lookup(ctx, api.SubjectsRequest{Subjects: []string{post, "unknown"}, Account: "late",
		Viewer: "viewer", Limit: 5, Records: true})
	check(t, "Likes.Lookup", answers, err, []api.SubjectLikes{
		{Accounts: 2, Records: &records, Key: &key, Known: &api.KnownLikers{Count: 1, Accounts: []string{"late"}}},
		{Records: &no, Key: &none, Known: &api.KnownLikers{Accounts: []string{}}}})
	_, err = l.Write(ctx, api.LikesRequest{Changes: []api.LikeChange{change("late", "3m6i4wtqkuf2m", "")}})
	check(t, "Likes.Write", 0, err, 0)
	answers, err = l.Lookup(ctx, api.SubjectsRequest{Subjects: []string{post}})
	check(t, "Likes.Lookup", answers, err, []api.SubjectLikes{{Accounts: 1}})
}

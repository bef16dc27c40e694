// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/uproar-db/uproar/apps/graph/live"
	"github.com/uproar-db/uproar/apps/graph/live/livetest"
)

const (
	did  = "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"
	to   = "did:plc:bbbbbbbbbbbbbbbbbbbbbbbb"
	list = "at://" + did + "/app.bsky.graph.list/3m5listlist2x"
	tid  = "3m6i4wtqkuf2l"
	made = 1764100801250123 // microseconds, of tid
)

// second returns a message of the second form.
func second(kind, more string) string {
	return `{"$type":"message","payload":{"$type":"network.bsky.jetstream.subscribeEvents#` + kind +
		`","seq":70001,"did":"` +
		did + `","time":"2025-11-25T20:00:01.250123Z",` + more + `}}`
}

// TestFrames: each frame of the contracts, and what is read of it.
func TestFrames(t *testing.T) {
	at := time.UnixMicro(made)
	follows := live.Event{Kind: live.Written, Account: did, Collection: live.Follow, Key: tid, Rev: tid, Target: to}
	with := func(e live.Event, change func(*live.Event)) live.Event {
		change(&e)
		return e
	}
	stream := func(e *live.Event) { e.Position, e.Time = 70001, at }
	head := `{"did":"` + did + `","time_us":1764100801250123,"cursor":70001,`
	commit := `"rev":"` + tid + `","collection":"app.bsky.graph.follow","rkey":"` + tid + `",`
	record := `"record":{"$type":"app.bsky.graph.follow","subject":"` + to +
		`","createdAt":"2025-11-25T20:00:01.250Z"},"cid":"bafy"`
	for frame, want := range map[string]live.Event{
		"1" + head + `"kind":"commit","commit":{"operation":"create",` + commit + record + "}}": with(
			follows, stream),
		"1" + head + `"kind":"commit","commit":{"operation":"update",` + commit + record + "}}": with(
			follows, stream),
		"1" + `{"did":"` + did + `","time_us":1764100801250123,"kind":"commit","commit":{"operation":"create",` +
			commit + record +
			"}}": with(follows, func(e *live.Event) { e.Position, e.Time = made, at }),
		"1" + head + `"kind":"commit","commit":{"operation":"delete",` + strings.TrimSuffix(commit, ",") +
			"}}": with(follows,
			func(e *live.Event) { stream(e); e.Kind, e.Target = live.Deleted, "" }),
		"1" + head + `"kind":"commit","commit":{"operation":"create",` + commit + `"cid":"bafy"}}`: with(follows,
			func(e *live.Event) { stream(e); e.Target, e.Skip = "", live.BadRecord }),
		"1" + head + `"kind":"commit","commit":{"operation":"create",` + commit +
			`"record":{"subject":{"uri":"x"}}}}`: with(follows,
			func(e *live.Event) { stream(e); e.Target, e.Skip = "", live.BadRecord }),
		"1" + head + `"kind":"commit","commit":{"operation":"create",` + commit +
			`"record":{"subject":"anna.example"}}}`: with(follows,
			func(e *live.Event) { stream(e); e.Target, e.Skip = "", live.BadSubject }),
		"1" + head + `"kind":"commit","commit":{"operation":"create","rev":"` + tid +
			`","collection":"app.bsky.graph.listitem","rkey":"` + tid + `","record":{"subject":"` + to +
			`","list":"` + list + `"}}}`: with(
			follows, func(e *live.Event) { stream(e); e.Collection, e.List = live.ListItem, list }),
		"1" + head + `"kind":"commit","commit":{"operation":"create","rev":"` + tid +
			`","collection":"app.bsky.feed.like","rkey":"` + tid + `"}}`: with(follows, func(e *live.Event) {
			stream(e)
			e.Collection, e.Target, e.Skip = live.NoCollection, "", live.OtherRecord
			e.Key = "app.bsky.feed.like/" + e.Key
		}),
		"1" + head + `"kind":"identity","identity":{"did":"` + did + `","seq":3}}`: with(
			live.Event{Account: did, Skip: live.OtherKind},
			stream),
		"1" + head + `"kind":"account","account":{"active":true}}`: with(
			live.Event{Kind: live.Account, Account: did}, stream),
		"1" + head + `"kind":"account","account":{"active":false,"status":"takendown"}}`: with(
			live.Event{Kind: live.Account,
				Account: did, Status: live.Hidden}, stream),
		"1" + head + `"kind":"account","account":{"active":false,"status":"deleted"}}`: with(
			live.Event{Kind: live.Account,
				Account: did, Status: live.Gone}, stream),
		"1" + head + `"kind":"account","account":{"active":false,"status":"throttled"}}`: with(
			live.Event{Account: did,
				Skip: live.Unsettled}, stream),
		"1" + head + `"kind":"account","account":{}}`: with(live.Event{Account: did, Skip: live.BadFrame}, stream),
		"1not json": {Skip: live.BadFrame},

		"2" + second("commit", `"operation":"create",`+commit+record): with(follows, stream),
		"2" + second("account", `"account":{"active":false,"status":"suspended"}`): with(
			live.Event{Kind: live.Account,
				Account: did, Status: live.Hidden}, stream),
		"2" + second("sync", `"sync":{"rev":"`+tid+`","blocks":{"$bytes":"AA"}}`): with(
			live.Event{Kind: live.Sync, Account: did,
				Rev: tid}, stream),
		"2" +
			`{"$type":"message","payload":{"$type":"network.bsky.jetstream.subscribeEvents#info","name":"OutdatedCursor"}}`: {
			Skip: live.OtherKind},

		"3" + `{"id":901,"type":"record","record":{"live":true,"did":"` + did + `","action":"create",` +
			commit + record + "}}": with(follows,
			func(e *live.Event) { e.ID, e.Time = 901, at }),
		"3" + `{"id":902,"type":"record","record":{"live":false,"did":"` + did + `","action":"create",` +
			commit + record + "}}": with(follows,
			func(e *live.Event) { e.ID, e.Backfill = 902, true }),
		"3" + `{"id":903,"type":"identity","identity":{"did":"` + did +
			`","handle":"anna.example","is_active":false,"status":"deactivated"}}`: {
			Kind: live.Account, Account: did, Status: live.Hidden,
			ID: 903},
		"3" + `{"id":904,"type":"hello"}`: {ID: 904, Skip: live.OtherKind},
	} {
		got, err := read(frame)
		got.Time, want.Time = got.Time.UTC(), want.Time.UTC()
		if got != want || err != nil {
			t.Errorf("%s:\ngot  %+v, %v\nwant %+v", frame, got, err, want)
		}
	}
	_, err := read(`2{"$type":"error","error":"ConsumerTooSlow","message":"m"}`)
	if f, ok := errors.AsType[*frameError](err); !ok || f.code != "ConsumerTooSlow" {
		t.Errorf("got %v, want the error of the server", err)
	}
}

// TestOddRecords: whatever stands in a record, only the record is bad, and strings are read as JSON
// has them.
func TestOddRecords(t *testing.T) {
	type said struct {
		subject, list string
		skip          live.Reason
	}
	good, bbb := said{subject: to}, said{subject: "did:plc:bbb"}
	bad, none := said{skip: live.BadRecord}, said{skip: live.BadSubject}
	for record, want := range map[string]struct{ follow, item said }{
		`{"subject":"` + to + `"}`:                               {good, good},
		`{"subject":"did:plc:\u0062bb"}`:                         {bbb, bbb},
		`{"subject":"x","subject":"` + to + `"}`:                 {good, good},
		`{"list":null,"subject":"` + to + `"}`:                   {good, good},
		`{"list":"at:\/\/x","subject":"` + to + `"}`:             {good, said{to, "at://x", live.NotSkipped}},
		`{"list":5,"subject":"` + to + `"}`:                      {good, bad},
		`{"list":{},"subject":"` + to + `"}`:                     {good, bad},
		`{"subject":"` + to + `","list":[[["deep"],{"a":"b"}]]}`: {good, bad},
		`{"subject":"` + to + `","Subject":"x","SUBJECT":5}`:     {good, good},
		`{"subject":"` + to + `","List":5,"LIST":"x"}`:           {good, good},
		`{"\u0073ubject":"` + to + `","\u017fubject":"x"}`:       {good, good},
		`{"Subject":"` + to + `"}`:                               {bad, bad},
		`{"subject":{"uri":"` + to + `"}}`:                       {bad, bad},
		`{"subject":null}`:                                       {bad, bad},
		`{}`:                                                     {bad, bad},
		`null`:                                                   {bad, bad},
		`"text"`:                                                 {bad, bad},
		`[{"subject":"` + to + `"}]`:                             {bad, bad},
		`5`:                                                      {bad, bad},
		"{\"subject\":\"did:plc:\xff\"}":                         {none, none},
		`{"subject":""}`:                                         {none, none},
	} {
		for collection, want := range map[string]said{"follow": want.follow, "listitem": want.item} {
			more := `"did":"` + did + `","collection":"app.bsky.graph.` + collection + `","rkey":"` + tid +
				`","rev":"` + tid + `","record":` + record
			for _, frame := range []string{
				`1{"did":"` + did + `","time_us":7,"kind":"commit","commit":{"operation":"create",` + more + `}}`,
				"2" + second("commit", `"operation":"create",`+more),
				`3{"id":7,"type":"record","record":{"action":"create",` + more + `}}`,
			} {
				e, err := read(frame)
				if err != nil || e.Kind != live.Written || e.Account != did || e.Key != tid || e.Rev != tid ||
					e.Target != want.subject || e.List != want.list || e.Skip != want.skip || e.Position+e.ID == 0 {
					t.Errorf("%s:\ngot  %+v, %v\nwant %+v", frame, e, err, want)
				}
			}
		}
	}
}

// read reads a frame of the form that its first byte names.
func read(frame string) (live.Event, error) {
	body := []byte(frame[1:])
	switch frame[0] {
	case '1':
		return readJetstream(body), nil
	case '2':
		return readJetstream2(body)
	}
	return readTap(body), nil
}

// FuzzFrames: whatever comes, an event that counts has what it needs.
func FuzzFrames(f *testing.F) {
	f.Add([]byte(second("sync", `"sync":{"rev":"`+tid+`"}`)))
	f.Add([]byte(`{"id":9,"type":"record","record":{"did":"` + did +
		`","action":"create","record":{"subject":5}}}`))
	f.Add([]byte(`{"did":"x","time_us":-1,"kind":"account","account":null}`))
	f.Fuzz(func(t *testing.T, frame []byte) {
		for _, form := range []string{"1", "2", "3"} {
			e, err := read(form + string(frame))
			switch {
			case err != nil:
			case e.Position < 0,
				e.Kind == live.Ignored && e.Skip == live.NotSkipped,
				e.Kind == live.Written && e.Skip == live.NotSkipped && !live.IsDID(e.Target),
				e.Kind == live.Written && e.Collection == live.NoCollection && e.Skip != live.OtherRecord,
				e.Kind == live.Deleted && e.Collection == live.NoCollection && e.Skip != live.OtherRecord:
				t.Errorf("form %s, %q: got %+v", form, frame, e)
			}
		}
	})
}

// TestSilence: a server that says nothing, but answers pings, is not left.
func TestSilence(t *testing.T) {
	t.Parallel()
	for silent, want := range map[bool]string{false: context.DeadlineExceeded.Error(), true: "connection"} {
		s := livetest.NewJetstream(livetest.NewNetwork(1, 2), 1)
		defer s.Close()
		s.Silent = silent
		source, err := Open(s.URL(2))
		if err != nil {
			t.Fatal(err)
		}
		source.(*jetstream2).idle = 40 * time.Millisecond
		stream, err := source.Connect(t.Context(), 0, false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 600*time.Millisecond)
		_, err = stream.Next(ctx)
		cancel()
		stream.Close()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("silent %t: got %v, want an error with %q", silent, err, want)
		}
	}
}

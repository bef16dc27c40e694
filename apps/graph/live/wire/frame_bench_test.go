// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"testing"

	"github.com/uproar-db/uproar/apps/graph/live"
)

// BenchmarkFrame reads a frame of a new follow.
func BenchmarkFrame(b *testing.B) {
	frame := []byte(`{"$type":"message","payload":{"$type":"network.bsky.jetstream.subscribeEvents#commit",` +
		`"seq":70001,"did":"did:plc:aaaaaaaaaaaaaaaaaaaaaaaa","time":"2026-11-25T20:00:01.250123Z",` +
		`"rev":"3m6abcde5kc2x","operation":"create","collection":"app.bsky.graph.follow","rkey":"3m5aaaaaaaa2k",` +
		`"record":{"$type":"app.bsky.graph.follow","subject":"did:plc:bbbbbbbbbbbbbbbbbbbbbbbb",` +
		`"createdAt":"2026-11-25T20:00:01.250Z"},"cid":"bafyreiexampleexampleexampleexampleexampleexampleexampleexample"}}`)
	b.ReportAllocs()
	for b.Loop() {
		if e, err := readJetstream2(frame); err != nil || e.Kind != live.Written {
			b.Fatalf("got %+v, %v", e, err)
		}
	}
}

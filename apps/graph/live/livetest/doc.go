// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package livetest has a made-up network, servers that tell of it as Jetstream and tap do, with
// their faults, and a graph that is a map. Tests of live sources share it.
package livetest

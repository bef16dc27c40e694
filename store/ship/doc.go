// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package ship is a store that is the same on many machines. It wraps a local store and keeps one
// log of numbered, immutable objects on an engine that exists already, as object storage or
// Cassandra. Of two writers exactly one creates object n; the other is fenced. Each machine applies
// the objects in their order to its local store, which has everything: reads never ask the engine.
package ship

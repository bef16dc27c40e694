// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package resp serves sets to the clients of Redis: its protocol, its commands of sets and keys,
// and its words. docs/redis.md says which commands there are, and what differs.
//
// Commands that read are answered from a snapshot by the goroutine of their connection. Those that
// write go to package keyspace, which commits those of all connections together.
package resp

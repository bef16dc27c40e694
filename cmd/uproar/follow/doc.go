// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package follow writes what happens in a network to a graph, in a folder or of a server.
package follow

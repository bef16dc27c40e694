// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package salvage copies what is whole of a damaged database into a new one, and lists what is not.
//
// It shows package posting a store in which nothing is damaged: a page that cannot be read is
// replaced by one without content, a log entry by one that says nothing, a manifest by one made of
// the pages that are there. Then it reads the index as any reader does. What the damaged pages held
// it takes from where it is stored a second time: the other direction of a relation, the column of
// a field or its lists.
package salvage

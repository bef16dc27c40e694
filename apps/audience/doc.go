// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package audience imports people, or whatever else is counted, into an index. It says what is in
// any part of them.
//
// Tables are imported by a [Schema]: one record for each row, with values or without, and with
// fields that the schema declares.
//
//	im, err := audience.Begin(ctx, db, "people", schema, audience.Options{})
//	_, err = im.Read(file, audience.CSV)
//	err = im.Commit()
//
// An audience is the records that a query fits. It is found once, and asked any number of
// questions:
//
//	as, err := audience.Of(db, "people")
//	v, err := as.View(ctx)                 // one state of the index
//	defer v.Close()
//	a, err := v.Find(ctx, q)               // q is evaluated here
//	cloud, err := a.Words(ctx, "likes", audience.WordOptions{})
//	cities, err := a.Values(ctx, "city", audience.ValueOptions{Limit: 10})
//
// It is a thin layer: each answer is a few of package uproar's, all of them exact.
//
// # Saved audiences
//
// An audience is saved under a name in one of two ways, and saved(name) in a query of this package
// means either. A frozen one is a set of records: who was in it when it was saved, without records
// deleted since. One that follows is a query. It is evaluated whenever it is asked for. Such
// queries are records of the index [Definitions], so that they are backed up and replicated like
// all data.
package audience

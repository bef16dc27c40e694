// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Package standing keeps the results of queries current, and tells which records enter and leave
// them. It knows the database and its queries, and nothing of servers.
//
// A standing query of an index INDEX has its definition in the index "standing", and its records in
// the index "standing_INDEX", in which a hash stands for a long name: those are what the query has
// found as of one commit of INDEX, whose number is written with them in the same commit. So each
// event has a position, the number of that commit, and who goes on behind a position misses nothing
// and gets nothing twice, also after the process was killed.
//
// A keeper that finds INDEX gone drops its definitions and results. If it finds another index of
// that name, because one was made at once or an alias was moved, the queries go on with that one.
//
// Each commit of INDEX that changes a result has an event of its own. Several come as one:
//
//   - those that were not told when the process ended, once the next one begins;
//   - those since the last look, when there was a bulk load, a change of fields, or more than
//     131 072 changes; when it is a new query, or one of its saved audiences was defined anew;
//   - those since the last look, of a query through a relation, such as likes(country = de), or
//     with a bitmap or a time as of now.
package standing

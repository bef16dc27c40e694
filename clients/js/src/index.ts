// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

export { Audience } from './audience.js';
export type { Source } from './body.js';
export { Catalog, type CatalogImportOptions, type Conditions } from './catalog.js';
export { Client, type Answered, type Listed, type Media, type TableImportOptions } from './client.js';
export { Cluster } from './cluster.js';
export * from './error.js';
export { Accounts, Graph, type ImportOptions, type Relation } from './graph.js';
export { Indexes } from './indexes.js';
export { Decimal, parse, stringify, type Integer, type Value } from './json.js';
export { Likes } from './likes.js';
export type { Options } from './site.js';
export { Standing } from './standing.js';
export type { Page, Query, Schemas } from './types.js';

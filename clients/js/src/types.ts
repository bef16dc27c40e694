// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What the document says of its calls.

import type { components, paths } from './document.js';

/** The requests and replies of the server, by their names in its document: Schemas['Commit']. */
export type Schemas = components['schemas'];

/** A query: a text in the query language, or an object. */
export type Query = Schemas['Query'];

/** The paths that are asked by a method. */
export type PathsOf<M extends 'get' | 'post'> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

/** The parameters of a call; undefined of one without. */
export type ParametersOf<P extends PathsOf<'get'>> = paths[P]['get'] extends { parameters: { query?: infer Q } }
  ? Q
  : undefined;

/** The body of a call. */
export type BodyOf<P extends PathsOf<'post'>> = paths[P]['post'] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? B
  : undefined;

/** The reply of a call, in JSON. */
export type ReplyOf<P extends keyof paths, M extends 'get' | 'post'> = paths[P][M] extends {
  responses: { 200: { content: { 'application/json': infer R } } };
}
  ? R
  : never;

/**
 * Which part of an answer is wanted: 1 to 10 000 entries, 100 if not given, behind the page of a
 * cursor.
 */
export interface Page {
  limit?: number;
  cursor?: string;
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Asker } from './asker.js';
import type { Integer } from './json.js';
import type { Page, ParametersOf, Schemas } from './types.js';

/** Asks who likes what, and writes it. */
export class Likes {
  constructor(private readonly asker: Asker) {}

  /** Makes changes, all or none. With them it stores how far their stream has come. */
  async write(request: Schemas['LikesRequest']): Promise<Integer> {
    return (await this.asker.post('/v1/likes/write', request)).sequence;
  }

  /** Returns what is known about subjects, in their order, of one state. */
  async lookup(request: Schemas['SubjectsRequest']): Promise<Schemas['SubjectLikes'][]> {
    return (await this.asker.post('/v1/likes/lookup', request)).subjects;
  }

  /** Returns a page of the records that like a subject, the newest first. */
  async likers(request: ParametersOf<'/v1/likes/likers'>): Promise<Schemas['LikersReply']> {
    return this.asker.get('/v1/likes/likers', request);
  }

  /** Returns a page of the subjects that an account likes, in order of their first appearance. */
  async liked(account: string, page: Page = {}): Promise<Schemas['LikedReply']> {
    return this.asker.get('/v1/likes/liked', { account, ...page });
  }
}

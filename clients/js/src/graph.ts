// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Asker } from './asker.js';
import type { Source } from './body.js';
import type { Integer } from './json.js';
import { pages } from './paging.js';
import { share } from './share.js';
import { Likes } from './likes.js';
import type { Page, ParametersOf, Schemas } from './types.js';

/** A relation of the graph, or an inverse of one. */
export type Relation = 'following' | 'followers' | 'blocks' | 'blockers' | 'mutes' | 'muters' | 'members' | 'lists';

/** Says how edge lists are read. Without options the server finds out. */
export interface ImportOptions {
  separator?: 'comma' | 'semicolon' | 'tab' | 'pipe' | 'spaces' | 'json';
  header?: 'yes' | 'no';
  /** The first bad line ends the import. */
  strict?: boolean;
  /** Share of the lines that may be bad, and are left out, from 0 to 1; not given: 0.9. */
  maxBad?: number;
  /** New accounts get IDs by community. */
  cluster?: boolean;
}

type ListPath = `/v1/graph/${
  | Relation
  | 'mutuals'
  | 'follows-following'
  | 'mutuals-following'
  | 'intersect-followers'
  | 'intersect-following'
  | 'reach'}`;
type Ranked = Schemas['RankedReply'];

/** Asks about the graph of accounts. Its lists are values that nothing was asked about yet. */
export class Graph {
  constructor(private readonly asker: Asker) {}

  /** Returns the accounts that an account has in a relation. */
  related(relation: Relation, account: string): Accounts {
    return this.list(`/v1/graph/${relation}`, account);
  }

  /** Returns who follows an account. */
  followers(account: string): Accounts {
    return this.list('/v1/graph/followers', account);
  }

  /** Returns whom an account follows. */
  following(account: string): Accounts {
    return this.list('/v1/graph/following', account);
  }

  /** Returns who does both. */
  mutuals(account: string): Accounts {
    return this.list('/v1/graph/mutuals', account);
  }

  /** Returns whom an account follows who follow target. */
  followsFollowing(account: string, target: string): Accounts {
    return new Accounts(this.asker, '/v1/graph/follows-following', { account, target });
  }

  /** Returns which mutuals of an account follow target. */
  mutualsFollowing(account: string, target: string): Accounts {
    return new Accounts(this.asker, '/v1/graph/mutuals-following', { account, target });
  }

  /** Returns who follows every one of some accounts. */
  intersectFollowers(...accounts: string[]): Accounts {
    return this.list('/v1/graph/intersect-followers', ...accounts);
  }

  /** Returns who is followed by every one of some accounts. */
  intersectFollowing(...accounts: string[]): Accounts {
    return this.list('/v1/graph/intersect-following', ...accounts);
  }

  /** Returns whom an account reaches over one or two follows. */
  reach(account: string): Accounts {
    return this.list('/v1/graph/reach', account);
  }

  /** Returns the calls about likes. */
  likes(): Likes {
    return new Likes(this.asker);
  }

  /** Says whether an account follows target. */
  async follows(account: string, target: string): Promise<boolean> {
    return (await this.asker.get('/v1/graph/follows', { account, target })).follows;
  }

  /** Makes follows, all or none, and returns the number of their commit. */
  async follow(...follows: Schemas['Follow'][]): Promise<Integer> {
    return (await this.asker.post('/v1/graph/follow', { follows })).sequence;
  }

  /** Undoes follows, all or none. */
  async unfollow(...follows: Schemas['Follow'][]): Promise<Integer> {
    return (await this.asker.post('/v1/graph/unfollow', { follows })).sequence;
  }

  /**
   * Makes changes of any relation, all or none. With them it stores how far their stream has come.
   */
  async write(request: Schemas['WriteRequest']): Promise<Integer> {
    return (await this.asker.post('/v1/graph/write', request)).sequence;
  }

  /** Returns how far a stream has come; undefined if it was never written. */
  async position(stream: string): Promise<Integer | undefined> {
    return (await this.asker.get('/v1/graph/position', { stream })).position ?? undefined;
  }

  /** Returns the IDs of accounts, in their order; the id is null of one that does not exist. */
  async lookup(...accounts: string[]): Promise<Schemas['LookedUp'][]> {
    return accounts.length === 0 ? [] : (await this.asker.post('/v1/graph/lookup', { accounts })).accounts;
  }

  /**
   * Returns the accounts of IDs, in their order; the account is null of one that does not exist.
   */
  async lookupIDs(...ids: Integer[]): Promise<Schemas['LookedUp'][]> {
    return ids.length === 0 ? [] : (await this.asker.post('/v1/graph/lookup', { ids })).accounts;
  }

  /**
   * Returns what an account has to do with each target, and which records put it on lists, by the
   * keys of a graph that keeps them, of one state.
   */
  async edges(request: Schemas['EdgesRequest']): Promise<Schemas['EdgesReply']> {
    return this.asker.post('/v1/graph/edges', request);
  }

  /**
   * Returns friends of friends, most common friends first. With count only their number is in the
   * reply.
   */
  async suggestions(request: ParametersOf<'/v1/graph/suggestions'>): Promise<Partial<Ranked>> {
    return this.asker.get('/v1/graph/suggestions', request);
  }

  /** Returns who follows most of the same. With count only their number is in the reply. */
  async similar(request: ParametersOf<'/v1/graph/similar'>): Promise<Partial<Ranked>> {
    return this.asker.get('/v1/graph/similar', request);
  }

  /**
   * Adds an edge list, plain or compressed with gzip, zstd or bzip2, all of it or nothing. It is
   * never sent again by itself.
   */
  async import(list: Source, options: ImportOptions = {}): Promise<Schemas['ImportReply']> {
    const { maxBad, ...query } = options;
    return this.asker.upload('/v1/graph/import', { ...query, bad: share(maxBad) }, [{ media: '', source: list }]);
  }

  private list(path: ListPath, ...accounts: string[]): Accounts {
    return new Accounts(this.asker, path, { account: accounts });
  }
}

/** A list of accounts that can be asked for: how many, page by page, or all. */
export class Accounts implements AsyncIterable<string> {
  constructor(
    private readonly asker: Asker,
    private readonly path: ListPath,
    private readonly query: {
      account: string | string[];
      target?: string;
      viewer?: string;
      order?: 'newest' | 'oldest';
      keys?: boolean;
    },
  ) {}

  /**
   * Returns the list without accounts that viewer blocks or mutes, and without accounts that block
   * viewer.
   */
  for(viewer: string): Accounts {
    return new Accounts(this.asker, this.path, { ...this.query, viewer });
  }

  /**
   * Returns the list by the time of records with keys, which its pages have too: of following, and
   * of blocks and members.
   */
  newest(): Accounts {
    return new Accounts(this.asker, this.path, { ...this.query, order: 'newest', keys: true });
  }

  /** Is newest the other way round. */
  oldest(): Accounts {
    return new Accounts(this.asker, this.path, { ...this.query, order: 'oldest', keys: true });
  }

  /** Returns how many they are. */
  async count(): Promise<Integer> {
    return ((await this.ask({ count: true })) as Schemas['CountReply']).count;
  }

  /** Returns a page of the list, in order of first appearance unless another one was asked for. */
  async page(page: Page = {}): Promise<Schemas['AccountsReply']> {
    return (await this.ask(page)) as Schemas['AccountsReply'];
  }

  /** Yields the whole list, which it asks for page by page. */
  all(): AsyncGenerator<string> {
    return pages(async (page) => {
      const { accounts, cursor } = await this.page(page);
      return { entries: accounts, cursor };
    });
  }

  [Symbol.asyncIterator](): AsyncGenerator<string> {
    return this.all();
  }

  private ask(more: Page & { count?: boolean }): Promise<unknown> {
    return this.asker.get(this.path, { ...this.query, ...more } as ParametersOf<'/v1/graph/followers'>);
  }
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What Node and a browser both ask of a real server. A test takes a site: { Client, url, token, db,
// restart }. The tests follow each other on one server.

import * as uproar from '../dist/index.js';

const text = (x) => uproar.stringify(x);

/** Throws unless got is what is wanted. */
export function equal(what, got, want) {
  if (text(got) !== text(want)) {
    throw new Error(`${what}: got ${text(got)}, want ${text(want)}`);
  }
}

/** Throws unless what is awaited is refused with an error of a class, and returns that error. */
export async function refused(what, promise, Class) {
  let got;
  try {
    got = await promise;
  } catch (error) {
    if (!(error instanceof Class)) {
      throw new Error(`${what}: got ${error}, want ${Class.name}`, { cause: error });
    }
    return error;
  }
  throw new Error(`${what}: got ${text(got)}, want ${Class.name}`);
}

export async function all(iterable) {
  const list = [];
  for await (const x of iterable) {
    list.push(x);
  }
  return list;
}

async function read(stream) {
  const chunks = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
  }
  return new Blob(chunks);
}

const most = 2n ** 63n - 1n;

export const tests = {
  async 'the graph'({ db }) {
    const g = db.graph();
    const record = (target, key) => ({ op: 'set', relation: 'follows', account: 'alice', target, key });
    const changes = [record('bob', '3m6i4wtqkuf2l'), record('carol', '3m6i4wtqkuf3l')];
    equal('write with keys', await g.write({ changes }), 1);
    equal(
      'follow',
      await g.follow(
        { account: 'alice', target: 'bob' },
        { account: 'bob', target: 'alice' },
        { account: 'carol', target: 'bob' },
        { account: 'alice', target: 'carol' },
        { account: 'dan', target: 'bob' },
      ),
      2,
    );
    equal('follow of nobody', (await g.follow()) >= 2, true);
    equal('unfollow', (await g.unfollow({ account: 'dan', target: 'bob' })) > 2, true);
    await g.write({
      changes: [
        { op: 'set', relation: 'blocks', account: 'alice', target: 'dan' },
        { op: 'set', relation: 'mutes', account: 'bob', target: 'carol' },
        { op: 'set', relation: 'members', account: 'friends', target: 'dan' },
      ],
      stream: 'feed',
      position: most,
    });
    equal('position', await g.position('feed'), most);
    equal('position of none', await g.position('none'), undefined);
    const reply = await g.import('erin,bob\nerin,alice\n', {
      separator: 'comma',
      header: 'no',
      strict: true,
      maxBad: 0.35,
    });
    equal('import', reply.follows, 2);
    const lists = {
      followers: [g.followers('bob'), ['alice', 'carol', 'erin']],
      'followers for bob': [g.followers('bob').for('bob'), ['alice', 'erin']],
      following: [g.following('alice'), ['bob', 'carol']],
      mutuals: [g.mutuals('alice'), ['bob']],
      followsFollowing: [g.followsFollowing('alice', 'bob'), ['carol']],
      mutualsFollowing: [g.mutualsFollowing('alice', 'alice'), ['bob']],
      intersectFollowers: [g.intersectFollowers('bob', 'carol'), ['alice']],
      intersectFollowing: [g.intersectFollowing('alice', 'carol'), ['bob']],
      reach: [g.reach('carol'), ['alice', 'bob']],
      blocks: [g.related('blocks', 'alice'), ['dan']],
      blockers: [g.related('blockers', 'dan'), ['alice']],
      mutes: [g.related('mutes', 'bob'), ['carol']],
      muters: [g.related('muters', 'carol'), ['bob']],
      members: [g.related('members', 'friends'), ['dan']],
      lists: [g.related('lists', 'dan'), ['friends']],
    };
    for (const [name, [list, want]] of Object.entries(lists)) {
      equal(name, await all(list), want);
      equal(`${name} counted`, await list.count(), want.length);
      const first = await list.page({ limit: 1 });
      equal(`${name}, the first page`, first.accounts, want.slice(0, 1));
      if (want.length > 1) {
        equal(
          `${name}, the second page`,
          (await list.page({ limit: 1, cursor: first.cursor })).accounts,
          want.slice(1, 2),
        );
      }
    }
    equal('follows', await g.follows('alice', 'bob'), true);
    equal(
      'lookup',
      (await g.lookup('bob', 'zoe')).map((x) => x.id),
      [1, null],
    );
    equal('lookup of nobody', await g.lookup(), []);
    equal('lookupIDs', await g.lookupIDs(0, most), [
      { account: 'alice', id: 0 },
      { account: null, id: most },
    ]);
    equal('edges', await g.edges({ account: 'alice', targets: ['zoe', 'bob'], lists: ['friends'] }), {
      edges: [
        { following: '', followedBy: '', blocking: '', blockedBy: '', muting: false },
        { following: '3m6i4wtqkuf2l', followedBy: '', blocking: '', blockedBy: '', muting: false },
      ],
      lists: [''],
    });
    equal('newest', await all(g.following('alice').newest()), ['carol', 'bob']);
    equal('oldest', await g.following('alice').oldest().page({ limit: 1 }), {
      accounts: ['bob'],
      keys: ['3m6i4wtqkuf2l'],
      cursor: '1764100801250__3m6i4wtqkuf2l',
    });
    equal('suggestions', (await g.suggestions({ account: 'carol', limit: 5 })).accounts[0].account, 'alice');
    equal('similar', (await g.similar({ account: 'carol', by: 'cosine' })).accounts.length, 2);
    equal('similar counted', (await g.similar({ account: 'carol', count: true })).count, 2);
  },

  async queries({ db }) {
    equal('keys', (await db.keys('accounts', 'followers(bob)', { limit: 2 })).keys, ['alice', 'carol']);
    equal('keys by an object', (await db.keys('accounts', { field: 'followers', key: 'bob' })).keys.length, 3);
    equal('unknown', (await db.keys('accounts', 'follows(zoe)')).unknown, ['follows(zoe)']);
    equal('allKeys', await all(db.allKeys('accounts', 'followers(bob)')), ['alice', 'carol', 'erin']);
    equal('ids', (await db.ids('accounts', 'followers(bob)', { limit: 1 })).ids, [0]);
    equal('identified', (await db.identified('accounts', 'all', { limit: 1 })).records, [{ id: 0, key: 'alice' }]);
    equal('count', await db.count('accounts', 'followers(bob)'), 3);
    equal('explain', text(await db.explain('accounts', 'followers(bob)')).includes('"does"'), true);
    equal('save', await db.save('accounts', 'fans', 'followers(bob)'), 3);
    equal(
      'answers',
      (
        await db.answers({
          index: 'accounts',
          q: 'saved(fans)',
          answers: [
            { name: 'set', answer: 'bitmap' },
            { name: 'some', answer: 'sample', limit: 3, seed: 2n ** 64n - 1n },
            { name: 'many', answer: 'count' },
          ],
        })
      ).answers[2].count,
      3,
    );
    const [first, second] = await db.batch(
      '/v1/graph/followers?account=bob&count=true',
      '/v1/graph/followers?account=zoe',
    );
    equal('batch', first.reply, { count: 3 });
    equal(
      'a call of a batch that fails',
      [second.error instanceof uproar.UnknownAccountError, second.error.status],
      [true, 404],
    );
    equal('batch of nothing', await db.batch(), []);
    equal('by its path', await db.get('/v1/query', { index: 'accounts', q: 'followers(bob)', answer: 'count' }), {
      count: 3,
    });
  },

  async indexes({ db }) {
    const x = db.indexes();
    equal(
      'create',
      (
        await x.create(
          'guests',
          { name: 'city', type: 'single' },
          { name: 'age', type: 'integer' },
          { name: 'likes', type: 'set' },
        )
      ).length,
      3,
    );
    await refused('create again', x.create('guests'), uproar.IndexExistsError);
    await x.create('spare');
    await x.setAlias('visitors', 'guests');
    const { index, aliases, fields } = await x.describe('visitors');
    equal('describe', [index, aliases, fields.length], ['guests', ['visitors'], 3]);
    await x.drop('spare');
    await refused('drop of one with an alias', x.drop('guests'), uproar.InvalidError);
    await refused('describe of one that is gone', x.describe('spare'), uproar.UnknownIndexError);
    equal(
      'list',
      (await x.list()).some((one) => one.index === 'guests'),
      true,
    );
    await x.setAlias('visitors');
    equal('no alias', (await x.describe('guests')).aliases ?? [], []);
  },

  async records({ db }) {
    equal(
      'writeRecords',
      await db.writeRecords({
        index: 'guests',
        puts: [
          { key: 'ann', values: { city: 'Bern', age: 40, likes: ['tea', 'cake'] } },
          { key: 'bob', values: { age: 30 } },
          { key: 'cid' },
        ],
      }),
      1,
    );
    await refused(
      'a condition that does not hold',
      db.writeRecords({ index: 'guests', deletes: ['ann'], if: [{ key: 'bob', field: 'age', value: 31 }] }),
      uproar.ConditionFailedError,
    );
    const error = await refused(
      'what cannot be',
      db.writeRecords({ index: 'guests', merges: [{ key: 'bob', values: { age: 'old' } }] }),
      uproar.InvalidError,
    );
    equal('the item', [error.errors[0].item, error.errors[0].field], ['merges[0]', 'age']);
    equal('records', await db.records('guests', ['bob', 'zoe'], 'age', 'city'), [
      { key: 'bob', values: { age: 30 } },
      { key: 'zoe', missing: true },
    ]);
    const request = { index: 'guests', q: 'all', sort: ['age'], limit: 2 };
    const page = await db.findRecords(request);
    equal('findRecords', [page.records.length, page.records[0].key, page.cursor !== ''], [2, 'bob', true]);
    equal(
      'allRecords',
      (await all(db.allRecords(request))).map((r) => r.key),
      ['bob', 'ann', 'cid'],
    );
    const find = { index: 'guests', q: 'all', sort: ['age'] };
    equal(
      'stream',
      await (await read(await db.stream('text/csv', '/v1/records/find', find))).text(),
      'key,city,age,likes\nbob,,30,\nann,Bern,40,tea|cake\ncid,,,\n',
    );
    equal('lines of records', await all(db.lines('/v1/records/get', { index: 'guests', keys: ['zoe', 'bob'] })), [
      { key: 'zoe', missing: true },
      { key: 'bob', values: { age: 30 } },
    ]);
    equal('lines of keys', await all(db.lines('/v1/query', { index: 'guests', q: 'any(city)' })), [{ key: 'ann' }]);
    equal(
      'lines of an answer',
      await all(
        db.lines('/v1/answers', {
          index: 'guests',
          q: 'all',
          answers: [{ name: 'top', answer: 'top', field: 'likes', limit: 1 }],
        }),
      ),
      [{ key: 'tea', count: 1, total: 1, score: 1 }],
    );
    const parquet = new Uint8Array(
      await (await read(await db.stream('application/vnd.apache.parquet', '/v1/records/find', find))).arrayBuffer(),
    );
    equal('Parquet', [...parquet.slice(0, 4), ...parquet.slice(-4)], [80, 65, 82, 49, 80, 65, 82, 49]); // PAR1
    const arrow = await read(await db.stream('application/vnd.apache.arrow.stream', '/v1/records/find', find));
    equal('Arrow', [...new Uint8Array(await arrow.arrayBuffer()).slice(0, 4)], [255, 255, 255, 255]);
    await refused(
      'stream of no index',
      db.stream('text/csv', '/v1/query', { index: 'none', q: 'all' }),
      uproar.UnknownIndexError,
    );
    const html = await refused(
      'stream of another form',
      db.stream('text/html', '/v1/query', { index: 'guests', q: 'all' }),
      uproar.NotAcceptableError,
    );
    equal('which', html.message.includes('text/html'), true);
  },

  async 'numbers keep their digits'({ db }) {
    await db.indexes().create('numbers', { name: 'n', type: 'integer' }, { name: 'd', type: 'integer', scale: 4 });
    const d = new uproar.Decimal('123456789012345.6789');
    const want = [
      { key: 'most', values: { d, n: most } },
      { key: 'least', values: { d: 1.5, n: -most - 1n } },
      { key: 'safe', values: { n: Number.MAX_SAFE_INTEGER } },
      { key: 'beyond', values: { n: 2n ** 53n } },
    ];
    await db.writeRecords({ index: 'numbers', puts: want });
    const keys = want.map((r) => r.key);
    for (const got of [
      await db.records('numbers', keys),
      await all(db.lines('/v1/records/find', { index: 'numbers', q: 'all' })),
      await all(db.allRecords({ index: 'numbers', q: 'all' })),
    ]) {
      equal(
        'records',
        got,
        want.map(({ key, values }) => ({ key, values: values.d ? { d: values.d, n: values.n } : values })),
      );
      equal(
        'types',
        got.map((r) => typeof r.values.n),
        ['bigint', 'bigint', 'number', 'bigint'],
      );
      equal('a decimal', got[0].values.d instanceof uproar.Decimal, true);
    }
    equal('found', (await db.keys('numbers', `n > ${most - 1n}`)).keys, ['most']);
    const { answers } = await db.answers({
      index: 'numbers',
      q: 'all',
      answers: [{ name: 'n', answer: 'numbers', field: 'n' }],
    });
    equal('figures', [answers[0].max, answers[0].min, answers[0].sum], [most, -most - 1n, 2n ** 54n - 2n]);
  },

  async audiences({ db }) {
    await db.indexes().create('people', { name: 'city', type: 'single' }, { name: 'likes', type: 'set' });
    await db.writeRecords({
      index: 'people',
      puts: [
        { key: 'a', values: { city: 'Oslo', likes: ['tea'] } },
        { key: 'b', values: { city: 'Rome', likes: ['tea'] } },
        { key: 'c', values: { city: 'Oslo', likes: ['cake'] } },
      ],
    });
    const a = db.audience('people', 'city = Oslo');
    const size = await a.size();
    equal('size', [size.records, size.of], [2, 3]);
    equal('words', (await a.words({ field: 'likes', limit: 5, least: 1 })).common.length, 2);
    equal('values', (await a.values({ field: 'likes', by: 'lift' })).values[0].key, 'cake');
    const spread = await a.demographics({ fields: ['likes'], crosses: [['likes', 'city']] });
    equal('demographics', [spread.fields.length, spread.crosses.length], [1, 1]);
    equal('compare', (await a.compare({ with: 'likes = tea', fields: ['likes'] })).both, 1);
    equal(
      'compare by its path',
      (
        await db.get('/v1/audience/compare', {
          index: 'people',
          q: 'city = Oslo',
          with: 'likes = tea',
          field: ['likes'],
        })
      ).both,
      1,
    );
    equal('overlap', await db.overlap('people', 'city = Oslo', 'likes = tea'), [
      [2, 1],
      [1, 2],
    ]);
    equal('save', await a.save('oslo', true), 2);
    equal('savedAudiences', (await db.savedAudiences('people'))[0].name, 'oslo');
    equal(
      'fields',
      (await db.fields('people')).map((f) => f.name),
      ['city', 'likes'],
    );
    const change = { index: 'people', drop: ['city'] };
    await refused('changeFields of one that an audience needs', db.changeFields(change), uproar.InvalidError);
    await db.forgetAudience('people', 'oslo');
    equal(
      'changeFields',
      (await db.changeFields({ ...change, add: [{ name: 'age', type: 'integer' }] })).map((f) => f.name),
      ['likes', 'age'],
    );
  },

  async catalogs({ db }) {
    const schema = `{"key": "id", "attributes": [{"name": "article"}, {"name": "customer", "rule": true},
      {"name": "percent", "type": "number", "info": true}]}`;
    const first = 'id,article,customer,percent\n',
      table = `${first}list,tea,,0\nstaff,tea,staff,50\n`;
    const c = db.catalog('discounts');
    await refused('import without a schema', c.import(table), uproar.UnknownIndexError);
    equal('import with a schema', (await c.import(`${first}old,milk,,0\n`, { schema })).records, 1);
    const bad = await refused(
      'import with a bad line',
      c.import(`${table}bad,tea\n`, { maxBad: 0 }),
      uproar.InvalidError,
    );
    equal('what is bad', bad.message.includes('got 1 bad of 3 lines'), true);
    await refused('a header alone', c.import(first), uproar.InvalidError);
    equal('a header alone that is meant', (await c.import(first, { empty: true })).records, 0);
    equal('import', (await c.import(new Blob([`${table}bad,tea\n`]), { maxBad: 0.35 })).bad, 1);
    equal('check', (await c.check(5)).faults, []);
    equal(
      'schema',
      (await c.schema()).attributes.map((a) => [a.name, a.type]),
      [
        ['article', 'text'],
        ['customer', 'text'],
        ['percent', 'number'],
      ],
    );
    equal(
      'import that only checks',
      (await c.import(`${first}new,milk,,0\n`, { check: true, separator: 'comma' })).records,
      1,
    );
    await c.write({
      put: [{ key: 'trade', has: { article: 'tea', customer: { in: ['trade', 'partner'] }, percent: '10' } }],
      delete: ['none'],
    });
    const one = await c.find({ article: 'tea', customer: 'partner' }, 'percent', 'customer');
    equal(
      'find',
      [one.found, one.records],
      ['one', [{ key: 'trade', values: { customer: 'trade|partner', percent: '10' } }]],
    );
    await refused('find by an unknown attribute', c.find({ colour: 'red' }), uproar.UnknownFieldError);
    const answers = await c.search({ searches: [{ colour: 'red' }, { customer: 'staff' }] });
    equal('search', [answers[0].error.code, answers[1].records[0].key], ['unknown_field', 'staff']);
    equal(
      'facets',
      (await c.facets({ where: { article: { not: ['coffee'] } }, attributes: ['customer'], limit: 1 })).count,
      3,
    );
    equal(
      'sorted',
      await c.sorted({ where: { percent: { from: '5' } }, by: 'percent', descending: true, limit: 1 }),
      { count: 2, records: [{ key: 'staff' }] },
    );
  },

  async tables({ db }) {
    const table = 'id,zip,n\na,0042,1\nb,0043,2\n';
    equal('check', (await db.import('pets', table, { check: true })).records, 2);
    equal('import', (await db.import('pets', new TextEncoder().encode(table))).schema.key, 'id');
    async function* pieces() {
      yield '{"nr":"c","n":3,';
      yield new TextEncoder().encode('"x":1}');
    }
    equal(
      'import of pieces',
      (await db.import('pets', pieces(), { key: 'nr', format: 'ndjson', ignore: true, null: ['?'] })).values,
      1,
    );
    equal(
      'import with a schema',
      (
        await db.import('given', new Blob(['id;n\na;1.5\nb;x\n']).stream(), {
          separator: 'semicolon',
          maxBad: 0.5,
          schema: { key: 'id', columns: [{ name: 'n', type: 'decimal', scale: 1 }] },
        })
      ).bad,
      1,
    );
    const bad = await refused(
      'a bad value',
      db.import('pets', 'id,n\nd,4\ne,five\n', { strict: true, maxBad: 1 }),
      uproar.InvalidError,
    );
    equal('where', bad.message.includes('line 3, column n'), true);
    class Broken extends Error {}
    async function* broken() {
      yield table;
      throw new Broken('no more of it');
    }
    await refused('a table that breaks off', db.import('pets', broken()), Broken);
    const stop = new AbortController();
    let left = false;
    async function* endless() {
      try {
        for (let i = 0; ; i++) {
          yield `${i},1\n`;
          await new Promise((resolve) => {
            setTimeout(resolve, 1);
          });
          if (i === 20) {
            stop.abort(new Broken('enough'));
          }
        }
      } finally {
        left = true;
      }
    }
    await refused('a table that is left', db.with({ signal: stop.signal }).import('pets', endless()), Broken);
    for (let i = 0; i < 500 && !left; i++) {
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    equal('its source is left', left, true);
    equal('count', await db.count('pets', 'any(n)'), 3);
  },

  async 'changes, and who follows them'({ db }) {
    const commits = await all(db.changes('guests', 0));
    equal('changes', [commits.length, commits[0].sequence], [1, 1]);
    const stop = new AbortController();
    const seen = [];
    let more;
    const following = (async () => {
      for await (const commit of db.with({ signal: stop.signal }).follow('guests', 0)) {
        seen.push(commit.sequence);
        more?.();
      }
    })();
    const until = async (n) => {
      while (seen.length < n) {
        await new Promise((resolve) => {
          more = resolve;
        });
      }
    };
    for (let n = 1; n < 4; n++) {
      await until(n);
      equal(
        'the next',
        await db.writeRecords({ index: 'guests', merges: [{ key: 'bob', values: { age: 30 + n } }] }),
        n + 1,
      );
    }
    await until(4);
    stop.abort();
    equal('the end', (await refused('follow', following, Error)).name, 'AbortError');
    equal('follow', seen, [1, 2, 3, 4]);
    await refused('follow of nothing', db.follow('none', 0).next(), uproar.UnknownIndexError);
  },

  async likes({ db }) {
    const likes = db.graph().likes();
    const post = 'at://did:plc:writer/app.bsky.feed.post/3m6aaaaaaaa2k';
    await db.graph().follow({ account: 'viewer', target: 'late' });
    await likes.write({
      changes: [
        { account: 'early', key: '3m6i4wtqkuf2l', subject: post },
        { account: 'late', key: '3m6i4wtqkuf2m', subject: post },
      ],
    });
    const first = await likes.likers({ subject: post, limit: 1 });
    equal('likers', first.likes, [{ account: 'late', key: '3m6i4wtqkuf2m' }]);
    equal(
      'likers, the second page',
      (await likes.likers({ subject: post, limit: 1, cursor: first.cursor })).likes[0].account,
      'early',
    );
    equal('liked', (await likes.liked('late')).subjects, [post]);
    equal('lookup', await likes.lookup({ subjects: [post], account: 'early', viewer: 'viewer', limit: 5 }), [
      { accounts: 2, key: '3m6i4wtqkuf2l', known: { count: 1, accounts: ['late'] } },
    ]);
  },

  async 'standing queries'({ db }) {
    const of = db.standing('accounts');
    await of.set('fans', 'follows = star');
    equal(
      'list',
      (await of.list()).map((s) => [s.name, s.q]),
      [['fans', 'follows = star']],
    );
    await db.graph().follow({ account: 'fan', target: 'star' });
    let position;
    for await (const event of of.follow('fans', 0)) {
      equal('follow', event.entered, ['fan']);
      position = event.position;
      break;
    }
    equal(
      'events',
      (await all(of.events('fans', 0))).map((e) => e.entered),
      [['fan']],
    );
    equal('events behind the last', await all(of.events('fans', position)), []);
    await of.drop('fans');
    await refused('drop twice', of.drop('fans'), uproar.UnknownSetError);
  },

  async 'who follows goes on when the server comes back'({ db, restart }) {
    await db.standing('pets').set('many', 'n > 1');
    const stop = new AbortController();
    const followed = db.with({ signal: stop.signal });
    const keys = [],
      sequences = [];
    let more;
    const errors = [];
    const follow = async (events, take) => {
      try {
        for await (const e of events) {
          take(e);
          more?.();
        }
      } catch (error) {
        errors.push(error);
        more?.();
      }
    };
    const ended = Promise.all([
      follow(followed.standing('pets').follow('many', 0), (e) => keys.push(...e.entered)),
      follow(followed.follow('pets', 0), (commit) => sequences.push(commit.sequence)),
    ]);
    const want = ['b', 'c'];
    const first = await all(db.changes('pets', 0));
    for (let i = 0; i < 3; i++) {
      while (keys.length < want.length || sequences.length < first.length + i) {
        if (errors.length > 0) {
          throw errors[0];
        }
        await new Promise((resolve) => {
          more = resolve;
        });
      }
      await restart();
      want.push(`new${i}`);
      await db.writeRecords({ index: 'pets', puts: [{ key: `new${i}`, values: { n: 5 } }] });
    }
    while (keys.length < want.length || sequences.length < first.length + 3) {
      await new Promise((resolve) => {
        more = resolve;
      });
    }
    stop.abort();
    await ended;
    equal(
      'the ends',
      errors.map((e) => e.name),
      ['AbortError', 'AbortError'],
    );
    equal('who entered', keys, want);
    equal(
      'commits',
      sequences,
      (await all(db.changes('pets', 0))).map((commit) => commit.sequence),
    );
  },

  async backups({ db }) {
    const full = await read(await db.backup());
    equal('a backup', full.size > 1000, true);
    await refused('since what is no head', db.backup(new TextEncoder().encode('no head')), uproar.InvalidError);
  },

  async 'the server'({ db }) {
    await db.health();
    await db.ready();
    equal('slow', (await db.slow()).leastMicros > 0, true);
    const { indexes } = await db.stats({ index: 'accounts', kinds: true });
    equal('stats', [indexes.length, indexes[0].records > 0], [1, true]);
    equal('metrics', (await db.metrics()).includes('uproar_http_requests_total'), true);
    equal('openAPI', JSON.parse(await db.openAPI()).openapi, '3.1.0');
    equal('copy', await db.cluster().copy(), undefined);
    await refused('handOver without copies', db.cluster().handOver(), uproar.ServerError);
    await refused('nodes without copies', db.cluster().nodes(), uproar.InvalidError);
  },

  async 'errors, tokens and signals'({ Client, db, url, token }) {
    const e = await refused('an unknown field', db.count('accounts', 'folows(zoe)'), uproar.UnknownFieldError);
    equal(
      'its words',
      [e.code, e.status, e.message],
      ['unknown_field', 400, 'unknown field "folows": did you mean "follows"?'],
    );
    const syntax = await refused('a syntax error', db.count('accounts', 'follows('), uproar.QuerySyntaxError);
    equal('its place', syntax.offset, 8);
    await refused('no account', db.graph().followers('zoe').count(), uproar.UnknownRecordError);
    await refused('no token', new Client(url).indexes().list(), uproar.UnauthorizedError);
    const reader = new Client(url, { token: token.read });
    equal('a token that may read', await reader.count('guests', 'all'), 3);
    await refused('and not write', reader.writeRecords({ index: 'guests' }), uproar.ForbiddenError);
    const stopped = AbortSignal.abort(new RangeError('enough'));
    await refused('a signal', db.with({ signal: stopped }).count('guests', 'all'), RangeError);
    const late = await refused(
      'a timeout',
      all(db.with({ signal: AbortSignal.timeout(50) }).follow('guests', 4)),
      Error,
    );
    equal('which', late.name, 'TimeoutError');
    await refused(
      'a long reply',
      new Client(url, { token: token.write, maxReply: 10 }).openAPI(),
      uproar.UproarError,
    );
    const nobody = await refused(
      'nobody there',
      new Client('http://127.0.0.1:9', { retries: 0 }).health(),
      uproar.ConnectionError,
    );
    equal('who', nobody.message.includes('http://127.0.0.1:9/healthz'), true);
    const other = new Client('http://127.0.0.1:9', { others: [url], token: token.write });
    equal('another copy', await other.count('guests', 'all'), 3);
    for (const address of ['127.0.0.1:7070', 'ftp://a', 'http://a/b', 'http://u@a', '']) {
      try {
        new Client(address);
      } catch (error) {
        equal('an address', error instanceof TypeError, true);
        continue;
      }
      throw new Error(`new Client(${address}): got no error`);
    }
  },

  async 'the copy that takes writes'({ Client, copies }) {
    const [first, second] = copies.urls;
    const db = new Client(first, { token: 'secret', readYourWrites: true });
    const write = () => db.writeRecords({ index: 'i', deletes: ['a'] });
    const position = String(2n ** 63n);
    await copies.be({ sendsTo: second }, { position });
    await write();
    await write();
    equal('it is remembered', await copies.asked(), [['sent on'], ['POST Bearer secret', 'POST Bearer secret']]);
    equal('a reader', (await db.get('/v1/fields', { index: 'i' })).sequence, 1);
    equal('reads what was written', await copies.asked(), [[`GET Bearer secret ${position}`], []]);
    await copies.be({ position }, { sendsTo: first });
    await write();
    await write();
    equal('another leads', await copies.asked(), [['POST Bearer secret', 'POST Bearer secret'], ['sent on']]);
    await copies.be({ failing: [noWriter] }, {});
    await write();
    equal('nobody leads for a while', await copies.asked(), [['POST Bearer secret', 'POST Bearer secret'], []]);
    await copies.be({ sendsTo: second }, { sendsTo: first });
    const lost = await refused('a ring', write(), uproar.ServerError);
    equal('its status', [lost.status === 307 || lost.status === 0, lost.code], [true, '']);
    await copies.asked();

    await copies.be({ sendsTo: second }, {});
    async function* table() {
      yield 'id\na\n';
    }
    await new Client(first).import('i', table());
    equal('a body that is sent once goes there at once', await copies.asked(), [[], ['POST']]);
    await copies.be({}, { failing: [overloaded] });
    await refused('and is not sent again', new Client(second).import('i', 'id\na\n'), uproar.OverloadedError);
    await copies.asked();
  },

  async 'what is asked again'({ Client, copies }) {
    const [url] = copies.urls;
    const db = new Client(url);
    const count = () => db.count('i', 'all');
    const write = () => db.writeRecords({ index: 'i', deletes: ['a'] });
    const refusal = (status, code, reason) => ({ status, code, reason, message: 'words' });
    const unavailable = refusal(503, 'unavailable', 'memory');
    const late = refusal(408, 'request_timeout');
    for (const [what, failing, ask, tries, Class] of [
      ['a reader of a busy server', [overloaded, overloaded], count, 3],
      ['a reader of one that stays busy', [overloaded, overloaded, overloaded], count, 3, uproar.OverloadedError],
      ['a writer to a busy server', [overloaded, late], write, 3],
      ['a reader of one that is unavailable', [unavailable], count, 2],
      ['a writer to one that is unavailable', [unavailable], write, 1, uproar.MemoryError],
      ['a reader of a proxy', [{ status: 502 }], count, 2],
      ['a writer to a proxy', [{ status: 502 }], write, 1, uproar.ServerError],
      ['a reader of what cannot be', [refusal(400, 'invalid_query', 'syntax')], count, 1, uproar.QuerySyntaxError],
      ['a reader whose connection is cut', ['cut'], count, 2],
      ['a reader whose reply is cut', ['half'], count, 2],
      ['a writer whose reply is cut', ['half'], write, 1, uproar.ConnectionError],
    ]) {
      await copies.be({ failing }, {});
      await (Class ? refused(what, ask(), Class) : ask());
      equal(what, (await copies.asked())[0].length, tries);
    }
    await copies.be({ failing: ['cut', 'cut', 'cut'] }, {});
    await refused('a writer whose connection is cut', write(), uproar.ConnectionError);
    equal('at most twice', (await copies.asked())[0].length <= 2, true); // Chromium sends it again on a new connection

    await copies.be({ failing: ['half'] }, {});
    const got = [];
    const lines = (async () => {
      for await (const line of db.lines('/v1/query', { index: 'i', q: 'all' })) {
        got.push(line);
      }
    })();
    await refused('a list that breaks off', lines, uproar.ConnectionError);
    equal('what came', got, [{ key: 'a' }]);
    await copies.asked();
  },
};

const overloaded = { status: 503, code: 'overloaded', message: 'words' };
const noWriter = { status: 503, code: 'unavailable', reason: 'no_writer', message: 'no copy takes writes' };

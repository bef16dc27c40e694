// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Numbers keep their digits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal, parse, stringify } from '../dist/index.js';

const most = 2n ** 63n - 1n;

const cases = [
  ['0', 0],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ['-9007199254740991', Number.MIN_SAFE_INTEGER],
  ['9007199254740992', 2n ** 53n],
  ['9223372036854775807', most],
  ['-9223372036854775808', -most - 1n],
  ['18446744073709551615', 2n ** 64n - 1n],
  ['[1,9223372036854775807,"9223372036854775807"]', [1, most, String(most)]],
  ['{"9223372036854775807":9223372036854775807}', { [String(most)]: most }],
  ['{"__proto__":9223372036854775807}', Object.fromEntries([['__proto__', most]])],
  [
    String.raw`{"a\\":"\"9223372036854775807\\","b":9223372036854775807}`,
    { 'a\\': '"9223372036854775807\\', b: most },
  ],
  ['0.1000000000000000055511151231257827', new Decimal('0.1000000000000000055511151231257827')],
  ['123456789012345.6789', new Decimal('123456789012345.6789')],
  ['1.5000000000000000000', 1.5],
  ['0.30000000000000004', 0.30000000000000004],
  ['1e300', 1e300],
  ['1.7976931348623157e+308', Number.MAX_VALUE],
  ['3.0000000000000000e2', 300],
  ['-3074457345618258400', -3074457345618258400n],
];

test('numbers', () => {
  for (const [text, want] of cases) {
    assert.deepStrictEqual(parse(text), want, text);
    assert.deepStrictEqual(parse(stringify(want)), want, `${text}, written again`);
  }
});

test('what is no JSON', () => {
  for (const text of [
    '',
    '09223372036854775807',
    '[9223372036854775807',
    '9223372036854775807.',
    '"9223372036854775807',
    '9223372036854775807n',
    '+9223372036854775807',
    '.9223372036854775807',
    '{9223372036854775807:1}',
    '-',
    '1 2',
  ]) {
    assert.throws(() => parse(text), SyntaxError, text);
  }
});

test('what is written', () => {
  const value = {
    a: undefined,
    b: [undefined, () => 1],
    c: new Date(0),
    d: most,
    e: new Decimal('1.50'),
    f: null,
    g: '"',
  };
  assert.equal(
    stringify(value),
    '{"b":[null,null],"c":"1970-01-01T00:00:00.000Z","d":9223372036854775807,"e":1.50,"f":null,"g":"\\""}',
  );
  assert.throws(() => new Decimal('1,5'), TypeError);
  for (const n of [NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 60)]) {
    assert.throws(() => stringify({ n: [n] }), RangeError, String(n));
  }
  assert.equal(stringify([1e300, 2 ** 53 - 1, 0.1]), '[1e+300,9007199254740991,0.1]');
});

// A text of any numbers, texts, lists and objects has the value that it was made of.
test('any value', () => {
  const seed = Date.now() % 2 ** 31;
  let state = seed;
  const random = (n) => {
    state = (state * 48271) % (2 ** 31 - 1) || 1;
    return state % n;
  };
  const digits = (n) =>
    Array.from({ length: n }, () => random(10))
      .join('')
      .replace(/^0+(?=\d)/, '');
  const blank = () => ['', ' ', '\n', ' \t'][random(4)];
  const some = (make) => Array.from({ length: random(4) }, (_, i) => make(i));
  const make = (depth) => {
    // returns a text and its value
    const kind = random(depth > 3 ? 4 : 6);
    if (kind === 0) {
      const text = (random(2) ? '-' : '') + digits(1 + random(25)),
        n = Number(text);
      return [text, Number.isSafeInteger(n) ? n : BigInt(text)];
    } else if (kind === 1) {
      const text = `${1 + random(9)}${digits(1 + random(20))}.${digits(1 + random(8))}1`;
      return [text, text.length > 16 && !String(Number(text)).startsWith(text) ? new Decimal(text) : Number(text)];
    } else if (kind === 2) {
      const text = `\\"${digits(20)}\\\\`.slice(random(3));
      return [JSON.stringify(text), text];
    } else if (kind === 3) {
      return [
        ['true', true],
        ['null', null],
        ['""', ''],
        ['1e5', 1e5],
      ][random(4)];
    } else if (kind === 4) {
      const list = some(() => make(depth + 1));
      return [`[${list.map(([text]) => blank() + text + blank()).join()}]`, list.map(([, value]) => value)];
    }
    const list = some((i) => [`${i}"${digits(17)}`, ...make(depth + 1)]);
    return [
      `{${list.map(([name, text]) => `${blank()}${JSON.stringify(name)}${blank()}:${blank()}${text}`).join()}}`,
      Object.fromEntries(list.map(([name, , value]) => [name, value])),
    ];
  };
  for (let i = 0; i < 3000; i++) {
    const [text, value] = make(0);
    assert.deepStrictEqual(parse(text), Object.is(value, -0) ? -0 : value, `${text} (seed ${seed})`);
  }
});

test('a long text', () => {
  const text = `{"a":"${'x\\n'.repeat(5e6)}","b":9223372036854775807}`;
  assert.equal(parse(text).b, most);
  const numbers = `[${`${most},`.repeat(3e5)}0,${'"x\\\\",'.repeat(3e5)}${most}]`;
  assert.equal(parse(numbers).filter((x) => x === most).length, 3e5 + 1);
});

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import { nonce } from './nonce.js';

/** An integer of up to 64 bits. One that the client returns is a bigint when it is no safe number. */
export type Integer = number | bigint;

/** A value of a record: a text, a number, a list of them, or null. */
export type Value = string | Integer | Decimal | boolean | null | Value[];

/** A decimal number of more digits than a number has, as it is written. */
export class Decimal {
  constructor(readonly text: string) {
    if (!number.test(text)) {
      throw new TypeError(`a decimal is ${JSON.stringify(text)}, want digits such as 12.50`);
    }
  }
  toString(): string { return this.text; }
  /** The nearest number. */
  valueOf(): number { return Number(this.text); }
  /** What JSON.stringify writes: a text, which the server takes for a decimal. */
  toJSON(): string { return this.text; }
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** How many digits every number keeps. */
const safeDigits = 15;

/** Finds numbers that may lose digits. Texts with as many digits are found as well, and do no harm. */
const long = /[\d.]{16}/;

/** An escaped character, the beginning or the end of a text, or a number. */
const tokens = /\\.|"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** Whether a colon comes next. */
const colon = /\s*:/y;

/** Returns the value of a number as it is written: a number if that is exact, else a bigint or a Decimal. */
function exact(text: string): Integer | Decimal {
  const n = Number(text);
  if (/^-?\d+$/.test(text)) {
    return Number.isSafeInteger(n) ? n : BigInt(text);
  }
  const digits = significant(text);
  return digits.length <= safeDigits || digits === significant(String(n)) ? n : new Decimal(text);
}

/** The digits of a number without the zeros around them. */
function significant(text: string): string {
  return text.replace(/[eE].*/, '').replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
}

type Reviver = (this: unknown, key: string, value: unknown, context?: { source?: string }) => unknown;
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => unknown;

/** Whether the runtime shows a reviver how a number is written. */
const hasSource = (() => {
  let seen = false;
  parseWith('1', (_, value, context) => { seen = context?.source === '1'; return value; });
  return seen;
})();

/** Parses JSON without loss of digits. Errors: SyntaxError. */
export function parse(text: string): unknown {
  if (!long.test(text)) {
    return JSON.parse(text);
  }
  return hasSource ? parseBySource(text) : parseByMarks(text);
}

function parseBySource(text: string): unknown {
  return parseWith(text, (_, value, context) =>
    typeof value === 'number' && context?.source !== undefined ? exact(context.source) : value);
}

/** Is for runtimes whose revivers see no source: long numbers become texts that nobody else can know. */
export function parseByMarks(text: string): unknown {
  const mark = nonce();
  let inside = false; // a text
  const marked = text.replace(tokens, (token: string, at: number) => {
    if (token === '"') {
      inside = !inside;
    }
    colon.lastIndex = at + token.length;
    const isLong = token.length > safeDigits && !inside && !colon.test(text); // a name that is a number is an error
    return isLong ? `"${mark}${token}"` : token;
  });
  return parseWith(marked, (_, value) =>
    typeof value === 'string' && value.startsWith(mark) ? exact(value.slice(mark.length)) : value);
}

/** Writes JSON as JSON.stringify does, and a bigint or a Decimal as the number that it is. */
export function stringify(value: unknown): string {
  return written(value) ?? 'null';
}

function written(value: unknown): string | undefined {
  if (typeof value === 'bigint' || value instanceof Decimal) {
    return value.toString();
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return written(value.toJSON());
  }
  if (Array.isArray(value)) {
    return `[${value.map((x) => written(x) ?? 'null').join(',')}]`;
  }
  const members = [];
  for (const [name, member] of Object.entries(value)) {
    const text = written(member);
    if (text !== undefined) {
      members.push(`${JSON.stringify(name)}:${text}`);
    }
  }
  return `{${members.join(',')}}`;
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import { nonce } from './nonce.js';

/**
 * An integer of up to 64 bits. One that the client returns is a bigint when it is no safe number.
 */
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
  toString(): string {
    return this.text;
  }
  /** The nearest number. */
  valueOf(): number {
    return Number(this.text);
  }
  /** What JSON.stringify writes: a text, which the server takes for a decimal. */
  toJSON(): string {
    return this.text;
  }
}

const number = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** How many digits every number keeps. */
const safeDigits = 15;

/**
 * What may be a number that loses digits. Texts with as many digits are found as well, and do no
 * harm.
 */
const long = /-?\d[\d.eE+-]{14,}/g;

/** Whether a colon comes next. */
const colon = /\s*:/y;

/**
 * Returns the value of a number as it is written: a number if that is exact, else a bigint or a
 * Decimal.
 */
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
  return text
    .replace(/[eE].*/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
}

/**
 * Parses JSON without loss of digits. Long numbers become texts that nothing else contains, which
 * JSON.parse leaves as they are: revivers see how a number is written in newer runtimes only, and
 * take longer. Errors: SyntaxError.
 */
export function parse(text: string): unknown {
  const mark = nonce();
  const pieces: string[] = [];
  let taken = 0; // by pieces
  const quotes = new Quotes(text);
  for (const { 0: token, index } of text.matchAll(long)) {
    colon.lastIndex = index + token.length;
    if (!quotes.around(index) && number.test(token) && !colon.test(text)) {
      // a name that is a number is an error
      pieces.push(text.slice(taken, index), `"${mark}${token}"`);
      taken = index + token.length;
    }
  }
  if (pieces.length === 0) {
    return JSON.parse(text);
  }
  return restored(JSON.parse(pieces.join('') + text.slice(taken)), mark);
}

/** Finds out what stands in a text of JSON. */
class Quotes {
  private inside = false; // before next
  private next: number;

  constructor(private readonly json: string) {
    this.next = this.after(0);
  }

  /** Whether a place is in a text. Places are asked for in ascending order. */
  around(place: number): boolean {
    while (this.next < place) {
      if (!this.inside || !this.escaped()) {
        this.inside = !this.inside;
      }
      this.next = this.after(this.next + 1);
    }
    return this.inside;
  }

  private after(place: number): number {
    const at = this.json.indexOf('"', place);
    return at < 0 ? Infinity : at;
  }

  private escaped(): boolean {
    let first = this.next;
    while (this.json[first - 1] === '\\') {
      first--;
    }
    return (this.next - first) % 2 === 1;
  }
}

/** Returns a value with numbers in the place of marked texts. */
function restored(value: unknown, mark: string): unknown {
  if (typeof value === 'string') {
    return value.startsWith(mark) ? exact(value.slice(mark.length)) : value;
  }
  if (typeof value === 'object' && value !== null) {
    const members = value as { [name: string]: unknown };
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (typeof member === 'string' || typeof member === 'object') {
        members[name] = restored(member, mark);
      }
    }
  }
  return value;
}

/**
 * Writes JSON as JSON.stringify does, and a bigint or a Decimal as the number that it is. Errors:
 * RangeError for a number that JSON has not, or that is an integer which may have lost digits.
 */
export function stringify(value: unknown): string {
  return written(value) ?? 'null';
}

function written(value: unknown): string | undefined {
  if (typeof value === 'bigint' || value instanceof Decimal) {
    return value.toString();
  }
  if (typeof value === 'number') {
    check(value);
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

function check(n: number): void {
  if (!Number.isFinite(n)) {
    throw new RangeError(`a value is ${n}, want a number; null takes a value away`);
  }
  if (Number.isInteger(n) && !Number.isSafeInteger(n) && Math.abs(n) <= 2 ** 64) {
    throw new RangeError(`a value is ${n}, which may have lost digits; want a bigint`);
  }
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// What may come next in a query: words of the language, fields, and values of a field, the most
// frequent first. It asks as `uproar shell` does.

import { answers } from "./api.js";
import { written } from "./dom.js";
import { isNumber, isRelation } from "./values.js";

const words = ("all and any at between in least most none not nothing of or prefix saved xor").split(" ");
const most = 30; // words that are offered at a time

const afterOperator = /([\p{L}\p{N}_]+)\s*(?:==?|!=|<>|\bprefix\b)\s*$/u;
const inList = /([\p{L}\p{N}_]+)\s+in\s*\((?:[^()]*,)?\s*$/iu;
const inRelation = /([\p{L}\p{N}_]+)\(\s*$/u;

/** Where the word begins that a text ends with: behind an open quote, with it,
  or behind what stands between words. */
export function wordStart(text) {
  let start = 0;
  let open = -1;
  for (let i = 0; i < text.length; i++) {
    if (open >= 0) {
      if (text[i] === "\\") i++;
      else if (text[i] === text[open]) open = -1;
    } else if (text[i] === '"' || text[i] === "'") {
      open = i;
    } else if (" \n\t(),=<>!".includes(text[i])) {
      start = i + 1;
    }
  }
  return open >= 0 ? open : start;
}

/** The field whose value is typed behind a text; row: between the parentheses of a relation. */
function fieldBefore(fields, before) {
  const named = (m) => m && fields.find((f) => f.name === m[1]);
  const field = named(afterOperator.exec(before)) ?? named(inList.exec(before));
  if (field) return { field, row: false };
  const relation = named(inRelation.exec(before));
  return relation && isRelation(relation) ? { field: relation, row: true } : {};
}

/**
 * What the word at the end of a text may become.
 * @returns {Promise<{from: number, offers: string[]}>} where the word begins, and its forms
 */
export async function complete(index, fields, text, signal) {
  const from = wordStart(text);
  const word = text.slice(from);
  const { field, row } = fieldBefore(fields, text.slice(0, from));
  if (field) return { from, offers: isNumber(field) ? [] : await values(index, field, word, row, signal) };
  const names = [...fields.map((f) => written(f.name)), ...words];
  const offers = word ? names.filter((n) => n.startsWith(word) && n !== word) : [];
  return { from, offers: [...new Set(offers)].sort().slice(0, most) };
}

const known = new Map(); // of this page: what was found once is not asked for again

async function values(index, field, typed, row, signal) {
  const ranked = field.inverse && !row ? field.inverse : field.name;
  const asked = field.inverse && row ? field.inverse : field.name;
  const prefix = typed.replace(/^["']/, "");
  const question = JSON.stringify([index, ranked, asked, prefix]);
  if (!known.has(question)) {
    if (known.size > 1000) known.clear();
    const q = prefix ? { field: asked, prefix } : { field: asked, any: true };
    const reply = await answers(index, q, [{ name: "values", answer: "top", field: ranked, limit: 1000 }], signal);
    known.set(question, reply.answers[0].rows.map((r) => r.key).filter((k) => k.startsWith(prefix)).slice(0, most));
  }
  return known.get(question).map(written).filter((v) => v !== typed);
}

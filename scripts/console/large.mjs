// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Writes tables of a million people and of 16 million follows, or of other numbers, for the script
// beside it, which sees the pages with them:
//
//	node large.mjs FOLDER [PEOPLE FOLLOWS]

import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";

const [people, follows] = [Number(process.argv[3] ?? 1_000_000), Number(process.argv[4] ?? 16_000_000)];

let state = 7;
/** A whole number below n, the same ones each time. */
const below = (n) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};
/** The same, small ones more often. */
const skewed = (n) => Math.floor(n ** (below(1e9) / 1e9)) - 1;

/** Writes lines to a file, as fast as it takes them. */
async function write(name, head, n, line) {
  const out = createWriteStream(join(process.argv[2], name));
  let text = head;
  for (let i = 0; i < n; i++) {
    text += line(i);
    if (text.length > 1 << 20) {
      if (!out.write(text)) await once(out, "drain");
      text = "";
    }
  }
  out.end(text);
  await once(out, "finish");
}

const day = () => new Date(Date.UTC(2015, 0, 1 + below(4000))).toISOString().slice(0, 10);
await write("people.csv", "id,likes,groups,country,city,sex,education,occupation,income,married,age,children,joined\n", people,
  (i) => `p${i},${[...Array(1 + below(9))].map(() => `thing ${skewed(3000)}`).join("|")},${[...Array(below(4))].map(() =>
    `group ${skewed(400)}`).join("|")},country ${skewed(40)},city ${skewed(900)},${below(2) ? "f" : "m"},` +
    `school ${skewed(16)},job ${skewed(30)},${below(4) ? "low" : "high"},${below(2) ? "yes" : "no"},${18 + below(70)},` +
    `${skewed(7)},${day()}\n`);
await write("follows.csv", "actor,target\n", follows, () => `${below(people)},${skewed(people)}\n`);

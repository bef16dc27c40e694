// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Makes src/document.ts from server/openapi.json. With --check it writes nothing, and fails when
// the file is stale.

import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

const document = new URL('../../../server/openapi.json', import.meta.url);
const made = new URL('../src/document.ts', import.meta.url);

const head = `// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Made from server/openapi.json by "npm run types". Do not edit.

import type { Decimal, Integer } from './json.js';

`;

const type = (name) => ts.factory.createTypeReferenceNode(name);

// Numbers are what json.ts makes of them.
function transform(schema) {
  const types = [schema.type].flat();
  let list;
  if (types.includes('integer')) {
    list = [type('Integer')];
  } else if (types.includes('number')) {
    list = [type('Integer'), type('Decimal')];
  } else {
    return undefined;
  }
  if (types.includes('null')) {
    list.push(ts.factory.createLiteralTypeNode(ts.factory.createNull()));
  }
  return list.length === 1 ? list[0] : ts.factory.createUnionTypeNode(list);
}

// Every refusal is an ErrorReply, which error.ts knows.
const text = JSON.parse(await readFile(document, 'utf8'));
for (const operations of Object.values(text.paths)) {
  for (const operation of Object.values(operations)) {
    operation.responses = { 200: operation.responses[200] };
  }
}

const want = head + astToString(await openapiTS(text, { transform, emptyObjectsUnknown: true }));
if (process.argv.includes('--check')) {
  const got = await readFile(made, 'utf8').catch(() => '');
  if (got !== want) {
    console.error(
      'clients/js/src/document.ts is not what server/openapi.json makes: run "npm run types" in clients/js',
    );
    process.exit(1);
  }
} else {
  await writeFile(made, want);
}

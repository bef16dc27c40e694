// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

// Stands for servers with copies of a database, as far as a client sees them, for pages of every
// site.

import { createServer } from 'node:http';

/**
 * Starts a copy, which answers as `is` says: { sendsTo, position, failing }. It notes what is
 * asked.
 */
export async function startCopy() {
  const copy = { is: {}, asked: [] };
  const server = createServer(async (request, response) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', 'Uproar-Position');
    if (request.method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, Uproar-At-Least');
      response.writeHead(204).end();
      return;
    }
    let body = '';
    for await (const chunk of request) {
      body += chunk;
    }
    const { sendsTo, position = 0, failing = [] } = copy.is;
    if (request.url === '/healthz') {
      const mine = {
        node: 'n',
        leads: !sendsTo,
        writer: 'w',
        writerUrl: sendsTo,
        epoch: 1,
        position,
        ageMillis: 0,
        forward: 'redirect',
      };
      response.end(JSON.stringify({ status: 'ok', copy: mine }));
      return;
    }
    if (request.method === 'POST' && sendsTo) {
      copy.asked.push('sent on');
      response.writeHead(307, { Location: sendsTo + request.url }).end();
      return;
    }
    const { authorization = '' } = request.headers;
    copy.asked.push(`${request.method} ${authorization} ${request.headers['uproar-at-least'] ?? ''}`.trim());
    const refusal = failing.shift();
    if (refusal === 'cut') {
      request.socket.destroy();
    } else if (refusal === 'half') {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Content-Length': 100 });
      response.write('{"key":"a"}\n', () => setTimeout(() => request.socket.destroy(), 300));
    } else if (refusal !== undefined) {
      response.writeHead(refusal.status, { 'Retry-After': '0' }).end(JSON.stringify({ error: refusal }));
    } else {
      response
        .writeHead(200, { 'Uproar-Position': position })
        .end('{"sequence":1,"count":7,"records":1,"body":true}');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  copy.url = `http://127.0.0.1:${server.address().port}`;
  copy.close = () => server.close();
  return copy;
}

/** Starts two copies, and returns what the suite does with them. */
export async function startCopies() {
  const list = [await startCopy(), await startCopy()];
  return {
    urls: list.map((copy) => copy.url),
    /** Says how copies answer from now on. */
    be: (...are) =>
      are.forEach((is, i) => {
        list[i].is = is;
      }),
    /** Returns what each was asked since the last time. */
    asked: () => list.map((copy) => copy.asked.splice(0)),
    close: () => list.forEach((copy) => copy.close()),
  };
}

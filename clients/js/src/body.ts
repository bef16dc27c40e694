// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import { nonce } from './nonce.js';

/**
 * Bytes to send. A text is sent in UTF-8. Node sends a stream while it reads it; browsers read all
 * of it first.
 */
export type Source =
  string | Uint8Array | ArrayBuffer | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** A part of a body, with its media type, '' for none. */
export interface Part {
  media: string;
  source: Source;
}

/** What a request sends. */
export interface Body {
  contentType: string;
  content: string | Blob | ReadableStream<Uint8Array>;
  /** It is sent only once. */
  once?: boolean;
  /** Why its source broke off, if it did. */
  broken?: { error: unknown };
  /** Leaves its source: fetch may go on reading one after the request has ended. */
  leave?: () => void;
}

/** A browser sends streams over HTTP/2 only. */
const sendsStreams =
  typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node === 'string';

/**
 * Returns a body of parts. The server sees the end of each part, so that it does not take one that
 * breaks off for a whole one.
 */
export async function multipart(parts: Part[], signal?: AbortSignal): Promise<Body> {
  const boundary = `uproar-${nonce()}`;
  const contentType = `multipart/mixed; boundary=${boundary}`;
  const pieces: Source[] = [];
  for (const { media, source } of parts) {
    pieces.push(`\r\n--${boundary}\r\n${media === '' ? '' : `Content-Type: ${media}\r\n`}\r\n`, source);
  }
  pieces.push(`\r\n--${boundary}--\r\n`);
  if (pieces.every(isWhole)) {
    return { contentType, content: new Blob(pieces as BlobPart[]), once: true };
  }
  const body: Body = { contentType, content: '', once: true };
  const chunks = concatenated(pieces, body);
  if (sendsStreams) {
    body.content = streamOf(chunks);
    body.leave = () => {
      chunks.return(undefined).catch(() => undefined);
    };
    return body;
  }
  const all: BlobPart[] = [];
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    all.push(chunk as BlobPart);
  }
  return { contentType, content: new Blob(all), once: true };
}

function isWhole(source: Source): boolean {
  return (
    typeof source === 'string' ||
    source instanceof Blob ||
    source instanceof ArrayBuffer ||
    ArrayBuffer.isView(source)
  );
}

async function* concatenated(pieces: Source[], body: Body): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      yield encoder.encode(piece);
    } else if (piece instanceof ArrayBuffer) {
      yield new Uint8Array(piece);
    } else if (piece instanceof Uint8Array) {
      yield piece;
    } else {
      const chunks =
        piece instanceof Blob ? chunksOf(piece.stream()) : 'getReader' in piece ? chunksOf(piece) : piece;
      try {
        for await (const chunk of chunks) {
          yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
        }
      } catch (error) {
        body.broken = { error };
        throw error;
      }
    }
  }
}

/** Reads a stream to its end. One that is left before is cancelled. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!ended) {
      await reader.cancel().catch(() => undefined);
    }
    reader.releaseLock();
  }
}

/** Returns a stream of chunks, which are asked for when they are read. */
export function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
        } else {
          controller.enqueue(value);
        }
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import { ConnectionError, ServerError } from './error.js';

// The time before a request is sent again, when the server does not say: it doubles from the first
// to the longest. Each is shortened by up to a half at random, so that clients that were refused
// together do not come back together.
const firstWait = 50;
const longestWait = 2000;

/**
 * Returns after how many milliseconds a request that failed may be sent again; undefined: never.
 */
export function again(error: unknown, writes: boolean, tried: number): number | undefined {
  let wait = Math.min(firstWait * 2 ** Math.min(tried, 10), longestWait);
  if (error instanceof ServerError) {
    const { code, status } = error;
    if (error.reason === 'no_writer') {
      // nothing was done, and it takes no second until there is one
      return shortened(wait);
    }
    const nothingDone = code === 'overloaded' || code === 'request_timeout';
    const ofProxy = code === '' && (status === 502 || status === 503 || status === 429);
    if (!nothingDone && (writes || (code !== 'unavailable' && !ofProxy))) {
      return undefined;
    }
    wait = Math.max(wait, Math.min(error.retryAfter, longestWait));
  } else if (!(error instanceof ConnectionError) || (writes && !error.unsent)) {
    return undefined;
  }
  return shortened(wait);
}

/** The time before an events stream that has ended is asked for again. */
export function pause(tried: number): number {
  return shortened(Math.min(firstWait * 2 ** Math.min(tried, 10), longestWait));
}

function shortened(wait: number): number {
  return wait / 2 + (Math.random() * wait) / 2;
}

/** Waits. Throws the reason of signal when that comes first. */
export function sleep(wait: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, wait);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

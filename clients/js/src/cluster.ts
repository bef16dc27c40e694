// SPDX-FileCopyrightText: 2026 The Uproar Authors
// SPDX-License-Identifier: Apache-2.0

import type { Asker } from './asker.js';
import type { Schemas } from './types.js';

/** Asks a server about the copies of its database. */
export class Cluster {
  constructor(private readonly asker: Asker) {}

  /** Returns the copies and checkpoints that the log of the database has. */
  nodes(): Promise<Schemas['ClusterReply']> {
    return this.asker.get('/v1/cluster');
  }

  /** Returns how the copy that the server has is doing; undefined when there is one only. */
  async copy(): Promise<Schemas['CopyReply'] | undefined> {
    return (await this.asker.get('/healthz')).copy;
  }

  /** Has the server, whose copy of the database leads, let another copy take the writes. */
  async handOver(): Promise<Schemas['CopyReply'] | undefined> {
    return (await this.asker.post('/v1/handover', undefined)).copy;
  }
}

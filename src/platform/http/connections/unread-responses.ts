import type { Server } from 'node:http';
import type { Request } from 'express';
import { clientAddress, clientNetwork } from '../visitor.js';
import type { Pipeline, Pipelines } from './connection-limits.js';

const CHECK_INTERVAL_MS = 100;

/** The connections of one client network, with the bytes that they have not read. */
interface Share {
  bytes: number;
  connections: { pipeline: Pipeline; unread: number }[];
}

const NOTHING: Share = { bytes: 0, connections: [] };

/**
 * Limits the memory for responses that clients do not read: for all together, and half of that for one network. Beyond
 * it, connections of the network with the most bytes are reset, those first that have read nothing for longest.
 */
export class UnreadResponses {
  /** @param max bytes for all together */
  constructor(
    private readonly pipelines: Pipelines,
    private readonly max: number,
  ) {}

  /** Enforces the limits as long as the server listens. */
  watch(server: Server): void {
    const timer = setInterval(() => {
      this.enforce();
    }, CHECK_INTERVAL_MS).unref();
    server.once('close', () => {
      clearInterval(timer);
    });
  }

  private enforce(): void {
    const shares = this.shares();
    let total = shares.reduce((sum, { bytes }) => sum + bytes, 0);
    for (;;) {
      const largest = shares.reduce((one, other) => (other.bytes > one.bytes ? other : one), NOTHING);
      const longest =
        total > this.max || largest.bytes > this.max / 2 ? largest.connections.shift() : undefined;
      if (!longest) return;
      longest.pipeline.reset();
      largest.bytes -= longest.unread;
      total -= longest.unread;
    }
  }

  private shares(): Share[] {
    const shares = new Map<string, Share>();
    const now = performance.now();
    for (const pipeline of this.pipelines.all()) pipeline.look(now);
    const waiting = [...this.pipelines.all()].filter(({ unread }) => unread > 0);
    for (const pipeline of waiting.sort((one, other) => one.unreadSince - other.unreadSince)) {
      const { unread, request } = pipeline;
      if (!request) continue;
      const network = clientNetwork(clientAddress(request as Request));
      const share = shares.get(network) ?? { bytes: 0, connections: [] };
      share.bytes += unread;
      share.connections.push({ pipeline, unread });
      shares.set(network, share);
    }
    return [...shares.values()];
  }
}

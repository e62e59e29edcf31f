import { EventEmitter } from 'node:events';
import type { HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { MemoryBudget } from '../settings/memory-budget.js';
import { MAX_STALL_MS, StreamedResponses } from './streamed-responses.js';

const BUDGET = new MemoryBudget(1);
const MAX_STREAMED = BUDGET.streamedResponses;
const MAX_STREAMED_TO_NETWORK = MAX_STREAMED / 2;

describe('Streamed responses', () => {
  let responses: StreamedResponses;

  beforeEach(() => (responses = new StreamedResponses(BUDGET)));

  const begin = (ip: string, now = 0) => {
    const socket = {
      bytesWritten: 100,
      writableLength: 100,
      isReset: false,
      resetAndDestroy: () => undefined,
    };
    socket.resetAndDestroy = () => void (socket.isReset = true);
    const response = new EventEmitter();
    responses.begin({ ip, socket } as unknown as Request, response as unknown as Response, now);
    return { socket, end: () => response.emit('close') };
  };
  const beginMany = (count: number, ip: (i: number) => string, now?: number) =>
    Array.from({ length: count }, (_, i) => begin(ip(i), now));
  const statusOf = (work: () => unknown) => {
    try {
      work();
      return undefined;
    } catch (error) {
      return (error as HttpException).getStatus();
    }
  };
  const resetAmong = (begun: ReturnType<typeof beginMany>) =>
    begun.flatMap(({ socket }, i) => (socket.isReset ? [i] : []));

  it('to one network are limited, until one has ended, and then get a 429 (M5)', () => {
    const begun = beginMany(MAX_STREAMED_TO_NETWORK, () => '192.0.2.1');

    expect(statusOf(() => begin('192.0.2.1'))).toBe(429);
    expect(statusOf(() => begin('192.0.2.2'))).toBeUndefined();
    begun[0]?.end();
    expect(statusOf(() => begin('192.0.2.1'))).toBeUndefined();
    expect(statusOf(() => begin('192.0.2.1'))).toBe(429);
    expect(resetAmong(begun)).toEqual([]);
  });

  it('replace the one whose client has read nothing for longest (M5)', () => {
    const begun = beginMany(MAX_STREAMED_TO_NETWORK, () => '2001:db8::1');
    for (const [i, { socket }] of begun.entries()) if (i !== 3) socket.writableLength = 0;
    responses.look(MAX_STALL_MS - 1);

    expect(statusOf(() => begin('2001:db8::2', MAX_STALL_MS - 1))).toBe(429);
    expect(statusOf(() => begin('2001:db8::2', MAX_STALL_MS))).toBeUndefined();
    expect(statusOf(() => begin('2001:db8::2', MAX_STALL_MS))).toBe(429);
    expect(resetAmong(begun)).toEqual([3]);
  });

  it('to the /64 networks of one /48 are limited together (L11, M5)', () => {
    beginMany(MAX_STREAMED_TO_NETWORK, (i) => `2001:db8:0:${i.toString(16)}::1`);

    expect(statusOf(() => begin('2001:db8:0:ffff::1'))).toBe(429);
    expect(statusOf(() => begin('2001:db8:1::1'))).toBeUndefined();
  });

  it('are not replaced while storage is slow and their clients have read all there was', () => {
    const begun = beginMany(MAX_STREAMED_TO_NETWORK, () => '192.0.2.1');
    for (const { socket } of begun) socket.writableLength = 0;
    responses.look(1);
    responses.look(MAX_STALL_MS);

    expect(statusOf(() => begin('192.0.2.1', MAX_STALL_MS + 1))).toBe(429);
    expect(resetAmong(begun)).toEqual([]);
  });

  it('are limited in total, where a network with many gives way to one with few (M5)', () => {
    const few = beginMany(MAX_STREAMED - MAX_STREAMED_TO_NETWORK, (i) => `192.0.2.${i}`, 0);
    const many = beginMany(MAX_STREAMED_TO_NETWORK, () => '198.51.100.1', 1);

    expect(statusOf(() => begin('203.0.113.1', 2))).toBeUndefined();
    expect(resetAmong(few)).toEqual([]);
    expect(resetAmong(many)).toEqual([0]);
  });

  it('are refused with a 503 when all clients read, and none has much more than another (M5)', () => {
    const begun = beginMany(MAX_STREAMED, (i) => `10.0.${i >> 8}.${i & 255}`);

    expect(statusOf(() => begin('192.0.2.1'))).toBe(503);
    expect(resetAmong(begun)).toEqual([]);
    expect(statusOf(() => begin('192.0.2.1', MAX_STALL_MS))).toBeUndefined();
    expect(resetAmong(begun)).toEqual([0]);
  });
});

import type { Request, Response } from 'express';
import { StaticFile } from './static-file.js';

/** A client that accepts these encodings and stores the response. */
class Reader {
  sent?: Buffer;

  constructor(private readonly accepted: string[] = []) {}

  get request(): Request {
    return { acceptsEncodings: (encoding: string) => this.accepted.includes(encoding) } as unknown as Request;
  }

  get response(): Response {
    const send = (content: Buffer) => (this.sent = content);
    return { set: () => undefined, vary: () => undefined, send } as unknown as Response;
  }

  async ask(file: StaticFile): Promise<Buffer | undefined> {
    await file.send(this.request, this.response);
    return this.sent;
  }
}

describe('A static file', () => {
  it('is read once and cached once in each encoding, for any number of requests (L6, L7)', async () => {
    let reads = 0;
    const file = new StaticFile('text/plain', () => {
      reads += 1;
      return Promise.resolve(Buffer.from('tulip'.repeat(1000)));
    });
    for (const accepted of [[], ['gzip'], ['br', 'gzip']]) {
      const sent = await Promise.all(Array.from({ length: 100 }, () => new Reader(accepted).ask(file)));

      expect(new Set(sent).size).toBe(1);
    }
    expect(reads).toBe(1);
  });

  it('is read again after reading it has failed', async () => {
    const contents = [Promise.reject(new Error('EMFILE')), Promise.resolve(Buffer.from('tulip'))];
    const file = new StaticFile('text/plain', () => contents.shift() ?? Promise.reject(new Error('no more')));

    await expect(new Reader(['br']).ask(file)).rejects.toThrow('EMFILE');
    expect(String(await new Reader().ask(file))).toBe('tulip');
    expect(await new Reader(['br']).ask(file)).toBeInstanceOf(Buffer);
  });
});

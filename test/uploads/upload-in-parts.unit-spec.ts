import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fileKeyOf } from '../../packages/client/src/end-to-end/age-header.js';
import { decryptFileWith, encryptFile } from '../../packages/client/src/end-to-end/files.js';
import { newKey } from '../../packages/client/src/end-to-end/key.js';
import { EncryptedContent, PlainContent } from '../../packages/client/src/uploads/content.js';
import { TimeLeft } from '../../src/client/uploads/time-left.js';
import { UploadInParts } from '../../packages/client/src/uploads/upload-in-parts.js';
import { MIB } from '../../src/platform/settings/units.js';
import { encryptedFileSize } from '../../src/shared/age-size.js';
import { streamOf } from '../end-to-end/streams.js';
import { FakeUploadServer } from './fake-upload-server.js';

const PART = 4 * MIB;
const CONTENT = randomBytes(10 * MIB);

describe('An upload in parts', () => {
  let server: FakeUploadServer;
  let waits: number[];

  beforeEach(() => {
    server = new FakeUploadServer();
    waits = [];
  });

  const where = () => ({
    path: '/uploads',
    partBytes: PART,
    metadata: { request: 'abc' },
    send: server.send,
    remove: (path: string) => server.stored.delete(path),
    wait: (ms: number) => {
      waits.push(ms);
      return Promise.resolve();
    },
  });
  const fileOf = (bytes: Buffer, name = 'Grüße.bin', type = 'x/y') =>
    new File([new Uint8Array(bytes)], name, { type });
  const uploadOf = (bytes = CONTENT, path?: string) =>
    new UploadInParts(new PlainContent(fileOf(bytes)), where(), path);
  const run = (upload: UploadInParts) => upload.run(new AbortController().signal);
  const last = () => [...server.stored.values()].at(-1);

  it('is begun with what it is, sent one part after the other, and known by its id', async () => {
    const upload = uploadOf();
    const sent: number[] = [];
    upload.onAcknowledged = ({ bytes }) => sent.push(bytes);

    await run(upload);

    expect(server.requests).toEqual(['POST', `PATCH ${PART}`, `PATCH ${PART}`, `PATCH ${2 * MIB}`]);
    expect(last()?.metadata).toBe('filename R3LDvMOfZS5iaW4=,filetype eC95,request YWJj');
    expect(last()?.bytes.equals(CONTENT)).toBe(true);
    expect(sent).toEqual([0, PART, 2 * PART, CONTENT.length]);
    expect([upload.id, upload.isFinished, waits]).toEqual(['1', true, []]);
  });

  it('has nothing to send of an empty file', async () => {
    await run(uploadOf(Buffer.alloc(0)));

    expect(server.requests).toEqual(['POST']);
  });

  it('continues after breaks with what the server does not have', async () => {
    server.faults.push(
      ['PATCH', { breaksAfter: 0 }],
      ['HEAD', { breaksAfter: 0 }],
      ['PATCH', { breaksAfter: 100_000 }],
      ['PATCH', { breaksAfter: PART }],
    );

    await run(uploadOf());

    expect(last()?.bytes.equals(CONTENT)).toBe(true);
    expect(server.stored.size).toBe(1);
    expect(waits).toEqual([1000, 2000, 4000, 1000]); // less again after bytes have arrived
  });

  it('waits at most half a minute between two tries, and as long as the server says', async () => {
    const busy = { status: 503, headers: { 'Retry-After': '7' } };
    for (let i = 0; i < 7; i++) server.faults.push(['POST', { breaksAfter: 0 }]);
    server.faults.push(['POST', busy]);

    await run(uploadOf());

    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 7000]);
  });

  it.each([200, 302, 408, 409, 423, 425, 429, 500, 502])(
    'is tried again after a part got the status %d',
    async (status) => {
      server.faults.push(['PATCH', { status }]);

      await run(uploadOf());

      expect(last()?.bytes.equals(CONTENT)).toBe(true);
      expect(waits).toHaveLength(1);
    },
  );

  it.each([
    ['POST', 401],
    ['POST', 413],
    ['POST', 404],
    ['PATCH', 422],
    ['HEAD', 400],
  ])(
    'ends when the server refuses a %s with the status %d, and continues when asked again',
    async (method, status) => {
      const upload = uploadOf();
      if (method === 'HEAD') server.faults.push(['PATCH', { breaksAfter: 5 }]);
      server.faults.push([method, { status }]);

      await expect(run(upload)).rejects.toMatchObject({ response: { status } });
      await run(upload);

      expect(last()?.bytes.equals(CONTENT)).toBe(true);
      expect(server.stored.size).toBe(1);
    },
  );

  it('ends when it would have to wait for hours', async () => {
    server.faults.push(['POST', { status: 429, headers: { 'Retry-After': '7200' } }]);

    await expect(run(uploadOf())).rejects.toMatchObject({ response: { status: 429 } });
  });

  it('takes smaller parts while they do not arrive, and larger ones again', async () => {
    for (const status of [413, 502]) server.faults.push(['PATCH', { status }]);

    await run(uploadOf());

    const sizes = [4, 2, 1, 2, 4, 3].map((size) => `PATCH ${size * MIB}`);
    expect(server.requests.filter((request) => request.startsWith('PATCH'))).toEqual(sizes);
  });

  it('ends when the smallest part is too large', async () => {
    for (let i = 0; i < 3; i++) server.faults.push(['PATCH', { status: 413 }]);

    await expect(run(uploadOf())).rejects.toMatchObject({ response: { status: 413 } });
  });

  it.each([404, 410])('begins anew when the server does not have it any more (%d)', async (status) => {
    server.faults.push(['PATCH', { breaksAfter: 1000 }], ['HEAD', { status }]);

    await run(uploadOf());

    expect([...server.stored.keys()]).toEqual(['/uploads/1', '/uploads/2']);
    expect(last()?.bytes.equals(CONTENT)).toBe(true);
  });

  it('continues one of before, and begins anew if that is of another length', async () => {
    await run(uploadOf());
    const [path] = [...server.stored.keys()];
    await run(uploadOf(CONTENT, path));
    expect(server.requests.at(-1)).toBe('HEAD');

    const other = randomBytes(3 * MIB);
    await run(uploadOf(other, path));

    expect([...server.stored.keys()]).toEqual(['/uploads/2']);
    expect(last()?.bytes.equals(other)).toBe(true);
  });

  it('stops when it is cancelled, and asks what has arrived when it continues', async () => {
    const stopping = new AbortController();
    const upload = uploadOf();
    upload.onAcknowledged = ({ bytes }) => {
      if (bytes === PART) stopping.abort();
    };

    await expect(upload.run(stopping.signal)).rejects.toThrow('aborted');
    await run(upload);

    expect(last()?.bytes.equals(CONTENT)).toBe(true);
    expect(server.requests.filter((request) => request === 'POST')).toHaveLength(1);
  });

  it('is deleted with what has arrived', async () => {
    const upload = uploadOf();
    await run(upload);

    upload.end();

    expect(server.stored.size).toBe(0);
    expect(upload.isFinished).toBe(false);
  });

  it('says that a file cannot be read any more', async () => {
    const file = fileOf(CONTENT);
    const content = new PlainContent(Object.assign(file, { slice: () => unreadable() }));

    await expect(run(new UploadInParts(content, where()))).rejects.toMatchObject({ file });
  });

  function unreadable(): Blob {
    return { slice: () => ({ arrayBuffer: () => Promise.reject(new Error('changed')) }) } as unknown as Blob;
  }

  describe('of a file that is encrypted meanwhile', () => {
    const key = newKey();
    const size = encryptedFileSize(CONTENT.length);
    let encryptions: number;

    beforeEach(() => (encryptions = 0));

    const encryptedUpload = (file = fileOf(CONTENT), ofSize = size) => {
      const encrypt = (content: ReadableStream<Uint8Array>) => {
        encryptions++;
        return encryptFile(content, key);
      };
      return new UploadInParts(new EncryptedContent(file, '0.age', ofSize, encrypt), where());
    };
    const decrypted = async () => {
      const bytes = new Uint8Array(last()?.bytes ?? []);
      const content = await decryptFileWith(streamOf(bytes), { key, size: CONTENT.length }, fileKeyOf);
      return buffer(content);
    };

    it('is encrypted once, whatever breaks', async () => {
      server.faults.push(
        ['PATCH', { breaksAfter: 70_000 }],
        ['PATCH', { status: 413 }],
        ['PATCH', { breaksAfter: 0 }],
        ['PATCH', { breaksAfter: MIB }],
      );

      await run(encryptedUpload());

      expect((await decrypted()).equals(CONTENT)).toBe(true);
      expect(encryptions).toBe(1);
      expect(last()?.metadata).toContain(`filename ${Buffer.from('0.age').toString('base64')}`);
    });

    it('is encrypted again when the server does not have the beginning any more', async () => {
      server.faults.push(['PATCH', { breaksAfter: PART }], ['HEAD', { status: 404 }]);
      server.faults.push(['PATCH', { breaksAfter: PART }], ['PATCH', { breaksAfter: 0 }]);
      const upload = encryptedUpload();
      upload.onAcknowledged = ({ path, bytes }) => {
        if (path === '/uploads/2' && bytes > 0) server.stored.delete(path);
      };

      await run(upload);

      expect((await decrypted()).equals(CONTENT)).toBe(true);
      expect(encryptions).toBe(2);
    });

    it.each([
      ['longer', CONTENT.length - 1],
      ['longer by more than a chunk', CONTENT.length - MIB],
      ['shorter', CONTENT.length + 1],
    ])('is not sent to its end when the file has become %s', async (_, length) => {
      await expect(run(encryptedUpload(fileOf(CONTENT), encryptedFileSize(length)))).rejects.toHaveProperty(
        'file',
      );
    });
  });
});

describe('The time left', () => {
  const GB = 1024 * MIB;

  it('follows how fast the last seconds were, in steps, and is not known at first', () => {
    const left = new TimeLeft();

    expect(left.after(0, GB, 0)).toBeUndefined();
    expect(left.after(MIB, GB, 1000)).toBeUndefined();
    expect(left.after(4 * MIB, GB, 4000)).toBe(1020);
    expect(left.after(GB - 100 * MIB, GB, 100_000)).toBeUndefined();
    expect(left.after(GB - 50 * MIB, GB, 110_000)).toBe(10);
    expect(left.after(GB - 49 * MIB, GB, 112_000)).toBe(20);
  });

  it('is not known while nothing arrives, or after a break', () => {
    const left = new TimeLeft();
    left.after(0, GB, 0);

    expect(left.after(0, GB, 10_000)).toBeUndefined();
    expect(left.after(MIB, GB, 10_600)).toBe(10_860);
    left.reset();
    expect(left.after(2 * MIB, GB, 11_000)).toBeUndefined();
  });
});

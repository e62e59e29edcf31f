import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fileKeyOf } from '../../packages/client/src/end-to-end/age-header.js';
import { decryptFileWith, encryptFile } from '../../packages/client/src/end-to-end/files.js';
import { newKey } from '../../packages/client/src/end-to-end/key.js';
import { EncryptedContent, PlainContent } from '../../packages/client/src/uploads/content.js';
import { TimeLeft, timeLeftIn } from '../../src/client/uploads/time-left.js';
import { Ended, UploadInParts } from '../../packages/client/src/uploads/upload-in-parts.js';
import { MIB } from '../../src/platform/settings/units.js';
import { encryptedFileSize } from '../../src/shared/age-size.js';
import { streamOf } from '../end-to-end/streams.js';
import { FakeUploadServer } from './fake-upload-server.js';

const PART = 4 * MIB;
const CONTENT = randomBytes(10 * MIB);

describe('An upload in parts', () => {
  let server: FakeUploadServer;
  let waits: number[];
  let deleted: string[];

  beforeEach(() => {
    server = new FakeUploadServer();
    waits = [];
    deleted = [];
  });

  const where = () => ({
    path: '/uploads',
    partBytes: PART,
    metadata: { request: 'abc' },
    send: server.send,
    remove: (path: string) => {
      deleted.push(path);
      server.stored.delete(path);
    },
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
    ['POST', 507],
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

  it('is not begun when there are too many of the visitor, and later when a proxy is busy', async () => {
    const errors = { form: 'At most 100 uploads.' };
    server.faults.push(['POST', { status: 429, isForeign: true }]);
    server.faults.push(['POST', { status: 429, content: { errors }, headers: { 'Retry-After': '60' } }]);

    await expect(run(uploadOf())).rejects.toMatchObject({ response: { content: { errors } } });
    expect(waits).toEqual([1000]);
  });

  it.each([503])('has a reason to wait once the server has said %d three times', async (status) => {
    const content = { errors: { form: 'The store is full.' } };
    for (let i = 0; i < 4; i++) server.faults.push(['POST', { status, content }]);
    server.faults.push(['PATCH', { breaksAfter: 0 }]);
    const upload = uploadOf();
    const reasons: unknown[] = [];
    upload.onChange = () => upload.isWaiting && reasons.push(upload.complaint?.content);

    await run(upload);

    expect(reasons).toEqual([undefined, undefined, content, content, undefined]);
    expect(upload.complaint).toBeUndefined();
  });

  const sizesOfParts = () =>
    server.requests.filter((request) => request.startsWith('PATCH')).map((request) => request.slice(6));
  const inMib = (...sizes: number[]) => sizes.map((size) => String(size * MIB));

  it.each([{ breaksAfter: 0 }, { status: 408 }, { status: 504 }])(
    'takes smaller parts after %j, and larger ones again',
    async (fault) => {
      server.faults.push(['PATCH', fault]);

      await run(uploadOf());

      expect(sizesOfParts()).toEqual(inMib(4, 2, 4, 4));
    },
  );

  it.each([409, 423, 429, 500, 503])('takes parts as large as before after %d', async (status) => {
    server.faults.push(['PATCH', { status }]);

    await run(uploadOf());

    expect(sizesOfParts()).toEqual(inMib(4, 4, 4, 2));
  });

  it('is refused each size of parts once, and goes on at once with what a proxy lets pass', async () => {
    server.maxBodyBytes = MIB;
    const to = where();

    await run(new UploadInParts(new PlainContent(fileOf(CONTENT)), to));
    await run(new UploadInParts(new PlainContent(fileOf(CONTENT)), to));

    expect(sizesOfParts()).toEqual(inMib(4, 2, ...Array.from({ length: 20 }, () => 1)));
    expect(waits).toEqual([]);
  });

  it('ends when the smallest part is too large', async () => {
    server.maxBodyBytes = MIB - 1;

    await expect(run(uploadOf())).rejects.toMatchObject({ response: { status: 413 } });
  });

  it.each([404, 410])('begins anew when the server does not have it any more (%d)', async (status) => {
    server.faults.push(['PATCH', { breaksAfter: 1000 }], ['HEAD', { status }]);

    await run(uploadOf());

    expect([...server.stored.keys()]).toEqual(['/uploads/1', '/uploads/2']);
    expect(last()?.bytes.equals(CONTENT)).toBe(true);
  });

  it.each([404, 410])('says that it has ended if the server had a part of it (%d)', async (status) => {
    const upload = uploadOf();
    upload.onAcknowledged = ({ bytes }) => {
      if (bytes === PART && server.stored.size === 1) server.faults.push(['PATCH', { status }]);
    };

    await expect(run(upload)).rejects.toThrow(Ended);
    expect(deleted).toHaveLength(1); // which was begun to know whether the visitor may
    await run(upload);

    expect(last()?.bytes.equals(CONTENT)).toBe(true);
    expect(sizesOfParts().slice(-3)).toEqual(inMib(4, 4, 2));
  });

  it('has not ended because the visitor is not signed in any more', async () => {
    const upload = uploadOf();
    upload.onAcknowledged = ({ bytes }) => {
      if (bytes === PART) server.faults.push(['PATCH', { status: 404 }], ['POST', { status: 401 }]);
    };

    await expect(run(upload)).rejects.toMatchObject({ response: { status: 401 } });
    upload.onAcknowledged = () => undefined;
    await run(upload);

    expect(last()?.bytes.equals(CONTENT)).toBe(true);
    expect(server.stored.size).toBe(1);
  });

  it.each(['PATCH', 'HEAD'])('goes on after a proxy did not find the server (%s)', async (method) => {
    server.faults.push(['PATCH', { breaksAfter: PART }], [method, { status: 404, isForeign: true }]);

    await run(uploadOf());

    expect(server.requests.filter((request) => request === 'POST')).toHaveLength(1);
    expect(last()?.bytes.equals(CONTENT)).toBe(true);
  });

  it('begins anew after it was doubted with reason, and is not sent again otherwise', async () => {
    const upload = uploadOf();
    await run(upload);
    upload.doubt();
    await run(upload);
    expect(server.requests.at(-1)).toBe('HEAD');

    upload.doubt();
    server.stored.clear();
    await run(upload);

    expect(last()?.bytes.equals(CONTENT)).toBe(true);
  });

  it('knows when it ends, by the clock of this device', async () => {
    const headers = {
      'Upload-Offset': '0',
      'Upload-Length': String(CONTENT.length),
      'Upload-Expires': 'Fri, 01 Jan 2100 10:00:00 GMT',
      Date: 'Fri, 01 Jan 2100 09:00:00 GMT',
    };
    const upload = uploadOf(CONTENT, '/uploads/1');
    server.faults.push(['HEAD', { status: 200, headers }], ['PATCH', { status: 400 }]);

    await expect(run(upload)).rejects.toMatchObject({ response: { status: 400 } });

    expect(((upload.endsAt ?? 0) - Date.now()) / 60_000).toBeCloseTo(60, 0);
  });

  it('tells what was sent from here and what the server had', async () => {
    const first = uploadOf();
    first.onAcknowledged = ({ bytes }) => {
      if (bytes === PART) server.faults.push(['PATCH', { status: 400 }]);
    };
    await expect(run(first)).rejects.toMatchObject({ response: { status: 400 } });
    const upload = uploadOf(CONTENT, first.path);

    await run(upload);

    expect([upload.sent, upload.transferred]).toEqual([CONTENT.length, CONTENT.length - PART]);
  });

  it('sends nothing of a part that was being read when it was cancelled', async () => {
    const stopping = new AbortController();
    const content = new PlainContent(fileOf(CONTENT));
    const part = content.part.bind(content);
    content.part = (...range) => {
      stopping.abort();
      return part(...range);
    };

    await expect(new UploadInParts(content, where()).run(stopping.signal)).rejects.toThrow('aborted');

    expect(server.requests).toEqual(['POST']);
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
        ['PATCH', { status: 413, isForeign: true }],
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

      await expect(run(upload)).rejects.toThrow(Ended);
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
    expect(left.after(MIB, GB - MIB, 1000)).toBeUndefined();
    expect(left.after(4 * MIB, GB - 4 * MIB, 4000)).toBe(1020);
    expect(left.after(GB - 100 * MIB, 100 * MIB, 100_000)).toBeUndefined();
    expect(left.after(GB - 50 * MIB, 50 * MIB, 110_000)).toBe(10);
    expect(left.after(GB - 49 * MIB, 49 * MIB, 112_000)).toBe(20);
  });

  it('is not known while nothing arrives, or after a break', () => {
    const left = new TimeLeft();
    left.after(0, GB, 0);

    expect(left.after(0, GB, 10_000)).toBeUndefined();
    expect(left.after(MIB, GB - MIB, 10_600)).toBe(10_860);
    left.reset();
    expect(left.after(2 * MIB, GB - 2 * MIB, 11_000)).toBeUndefined();
  });

  it.each([
    ['en', 50, '50 seconds'],
    ['en', 3540, '59 minutes'],
    ['en', 3600, '1 hr'],
    ['en', 7140, '1 hr 59 min'],
    ['en', 7200, '2 hr'],
    ['en', 7260, '2 hr 1 min'],
    ['de', 7260, '2 Std., 1 Min.'],
  ])('is as exact as before when it becomes less: %s, %d seconds', (locale, seconds, words) => {
    expect(timeLeftIn(locale, seconds)).toBe(words);
  });
});

import { randomBytes } from 'node:crypto';
import {
  digestOf,
  forget,
  hasContentOf,
  keep,
  KEPT_UPLOADS,
  keptUploads,
  lostUploads,
} from '../../src/client/uploads/kept-uploads.js';
import { MIB } from '../../src/platform/settings/units.js';

const TARGET = { path: '/uploads', partBytes: MIB, metadata: {} };
const FILE = { purpose: '{}', name: 'a.bin', size: 5, lastModified: 1, sent: 3, digest: 'x' };
const HOUR_MS = 60 * 60 * 1000;

describe('Uploads that this browser has begun', () => {
  let storage: Map<string, string>;

  beforeEach(() => {
    storage = new Map();
    Object.assign(globalThis, {
      isSecureContext: true,
      localStorage: {
        getItem: (name: string) => storage.get(name) ?? null,
        setItem: (name: string, value: string) => storage.set(name, value),
        removeItem: (name: string) => storage.delete(name),
      },
    });
  });
  afterAll(() => {
    Reflect.deleteProperty(globalThis, 'isSecureContext');
    Reflect.deleteProperty(globalThis, 'localStorage');
  });

  const store = (value: unknown) => storage.set(KEPT_UPLOADS, JSON.stringify(value));
  const pathsOf = (uploads: { path: string }[]) => uploads.map(({ path }) => path);

  it('are kept until they are forgotten, those that can be continued apart from the others', () => {
    keep({ ...FILE, path: '/uploads/1' });
    keep({ path: '/uploads/2' });
    keep({ ...FILE, path: '/uploads/3', purpose: '{"request":"abc"}' });
    keep({ path: '/elsewhere/4' });
    expect([pathsOf(keptUploads(TARGET)), pathsOf(lostUploads(TARGET))]).toEqual([
      ['/uploads/1'],
      ['/uploads/2'],
    ]);

    for (const path of ['/uploads/1', '/uploads/2', '/uploads/3', '/elsewhere/4']) forget(path);
    expect(storage.size).toBe(0);
  });

  it('are removed from its storage once they have ended', () => {
    store([
      { ...FILE, path: '/uploads/1', endsAt: Date.now() - 1 },
      { ...FILE, path: '/uploads/2', endsAt: Date.now() + HOUR_MS },
    ]);

    expect(pathsOf(keptUploads(TARGET))).toEqual(['/uploads/2']);
    expect(storage.get(KEPT_UPLOADS)).not.toContain('/uploads/1');
  });

  it.each([['"text"'], [[1, null, {}]], [{ path: '/uploads/1' }]])('are none in %j', (value) => {
    store(value);

    expect([...keptUploads(TARGET), ...lostUploads(TARGET)]).toEqual([]);
    expect(storage.size).toBe(0);
  });

  it('are not offered on pages that cannot compare files', () => {
    keep({ ...FILE, path: '/uploads/1' });
    keep({ path: '/uploads/2' });
    Object.assign(globalThis, { isSecureContext: false });

    expect([...keptUploads(TARGET), ...lostUploads(TARGET)]).toEqual([]);
  });

  const CONTENT = randomBytes(5 * MIB);
  const fileWith = (position: number) => {
    const bytes = new Uint8Array(CONTENT);
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    return new File([bytes], 'a.bin', { lastModified: 1 });
  };

  it.each([
    ['at its beginning', 0, false],
    ['where it continues', 3 * MIB - 1, false],
    ['at its end', 5 * MIB - 1, false],
    ['elsewhere', 1.5 * MIB, true],
  ])('are of another file if it differs %s', async (_, position, isSame) => {
    const sent = 3 * MIB;
    const digest = await digestOf(new File([new Uint8Array(CONTENT)], 'a.bin'), sent);

    expect(await hasContentOf({ ...FILE, path: '', endsAt: 0, sent, digest }, fileWith(position))).toBe(
      isSame,
    );
  });

  it('may be of a file that cannot be read', async () => {
    const file = Object.assign(fileWith(0), {
      slice: () => {
        throw new Error('moved');
      },
    });

    expect(await hasContentOf({ ...FILE, path: '', endsAt: 0 }, file)).toBeUndefined();
  });
});

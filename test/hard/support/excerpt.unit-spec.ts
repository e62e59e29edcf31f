import { readFileSync, rmSync } from 'node:fs';
import * as fc from 'fast-check';
import { excerpt, keptExcerpt } from './excerpt.js';
import { anyCreation } from './hostile-requests.js';
import { MIB } from '../../../src/platform/settings/units.js';

const FILE = /all of it in ([\w/.-]+)/;

describe('The excerpt of a body', () => {
  it('is the body itself when it is short, or is no text', () => {
    expect(excerpt('tulip')).toBe('tulip');
    expect(excerpt(null)).toBe(null);
    expect(keptExcerpt('tulip\0')).toBe('"tulip\\u0000"');
  });

  it('has the ends, the length and the digest of a long one', () => {
    const text = excerpt(`first${'a'.repeat(MIB)}last`);

    expect(text).toMatch(/^"firsta{195}" … "a{196}last" \(1048585 bytes, SHA-256 [0-9a-f]{64}\)$/);
    expect(excerpt(`first${'b'.repeat(MIB)}last`)).not.toBe(text);
  });

  it('names a file with all of it', () => {
    const body = 'tulip'.repeat(MIB);
    const [, file = ''] = FILE.exec(keptExcerpt(body)) ?? [];
    const kept = readFileSync(file, 'utf8');
    rmSync(file);

    expect(kept === body).toBe(true);
  });

  it('is all that a failed property prints of a request', () => {
    const isShort = fc.property(anyCreation, ({ body }) => (body?.bytes.length ?? 0) < 10_000);
    const { failed, counterexample } = fc.check(isShort, { numRuns: 10_000, endOnFailure: true });
    const message = fc.stringify(counterexample);
    const [, file = ''] = FILE.exec(message) ?? [];
    const kept = readFileSync(file);
    rmSync(file);

    expect(failed).toBe(true);
    expect(message.length).toBeLessThan(10_000);
    expect(kept.equals(counterexample?.[0].body?.bytes as Buffer)).toBe(true);
  });
});

import { randomBytes } from 'node:crypto';
import { UnsealError } from './secretbox.js';
import type { WrappedKey } from './keyring.js';
import { Keyring } from './keyring.js';

const PLACE = 'push/1/dataKey';
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const dataKey = randomBytes(32);

describe('A keyring', () => {
  it('unseals what it wrapped, for the same scope and context', () => {
    const keyring = new Keyring([oldKey]);
    const wrap = keyring.wrap(dataKey, '1', PLACE);

    expect(wrap.masterKeyId).toBe(keyring.current);
    expect(wrap.wrapped.includes(dataKey)).toBe(false);
    expect(keyring.unwrap(wrap, '1', PLACE)).toEqual(dataKey);
    expect(new Keyring([oldKey]).unwrap(wrap, '1', PLACE)).toEqual(dataKey);
  });

  it('unseals nothing for another scope or context (J1)', () => {
    const keyring = new Keyring([oldKey]);
    const wrap = keyring.wrap(dataKey, '1', PLACE);

    expect(() => keyring.unwrap(wrap, '2', PLACE)).toThrow(UnsealError);
    expect(() => keyring.unwrap(wrap, '1', 'push/1/ownerKey')).toThrow(UnsealError);
  });

  it('unseals what it wrapped for any scope, also beyond the size of its cache', () => {
    const keyring = new Keyring([oldKey]);
    const scopes = Array.from({ length: 1000 }, (_, i) => String(i));
    const wraps = scopes.map((scope) => keyring.wrap(dataKey, scope, PLACE));

    for (const [i, scope] of scopes.entries()) {
      expect(keyring.unwrap(wraps[i] as WrappedKey, scope, PLACE)).toEqual(dataKey);
      expect(() => keyring.unwrap(wraps[i] as WrappedKey, String(i + 1), PLACE)).toThrow(UnsealError);
    }
  });

  it('seals with its first key and unseals with all (J2)', () => {
    const old = new Keyring([oldKey]);
    const both = new Keyring([newKey, oldKey]);
    const oldWrap = old.wrap(dataKey, '1', PLACE);
    const newWrap = both.wrap(dataKey, '1', PLACE);

    expect(both.ids).toEqual([both.current, old.current]);
    expect(both.unwrap(oldWrap, '1', PLACE)).toEqual(dataKey);
    expect(newWrap.masterKeyId).not.toBe(old.current);
    expect(new Keyring([newKey]).unwrap(newWrap, '1', PLACE)).toEqual(dataKey);
  });

  it('reports which key is not available (J2)', () => {
    const wrap = new Keyring([oldKey]).wrap(dataKey, '1', PLACE);

    expect(() => new Keyring([newKey]).unwrap(wrap, '1', PLACE)).toThrow(
      new Error(`Master key ${wrap.masterKeyId} is not configured`),
    );
  });

  it('unseals nothing under the id of another key', () => {
    const both = new Keyring([newKey, oldKey]);
    const { wrapped } = new Keyring([oldKey]).wrap(dataKey, '1', PLACE);

    expect(() => both.unwrap({ masterKeyId: both.current, wrapped }, '1', PLACE)).toThrow(UnsealError);
  });

  it('has an id that is the same everywhere and reveals nothing of the key', () => {
    const { current } = new Keyring([oldKey]);

    expect(current).toMatch(/^[0-9a-f]{16}$/);
    expect(new Keyring([oldKey]).current).toBe(current);
    expect(oldKey.toString('hex')).not.toContain(current);
  });

  it('verifies the key check value of its own key only (J2)', () => {
    const keyring = new Keyring([oldKey]);
    const other = new Keyring([newKey]);

    expect(() => {
      keyring.verify(keyring.current, keyring.keyCheck());
    }).not.toThrow();
    expect(() => {
      keyring.verify(keyring.current, other.keyCheck());
    }).toThrow(UnsealError);
  });
});

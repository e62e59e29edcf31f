import { randomBytes } from 'node:crypto';
import { UnsealError } from './secretbox.js';
import type { SealedByMasterKey } from './keyring.js';
import { Keyring } from './keyring.js';

const CONTEXT = 'push/1/dataKey';
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const dataKey = randomBytes(32);

describe('A keyring', () => {
  it('unseals what it sealed, for the same scope and context', () => {
    const keyring = new Keyring([oldKey]);
    const content = keyring.seal(dataKey, '1', CONTEXT);

    expect(content.masterKeyId).toBe(keyring.current);
    expect(content.sealed.includes(dataKey)).toBe(false);
    expect(keyring.unseal(content, '1', CONTEXT)).toEqual(dataKey);
    expect(new Keyring([oldKey]).unseal(content, '1', CONTEXT)).toEqual(dataKey);
  });

  it('unseals nothing for another scope or context (J1)', () => {
    const keyring = new Keyring([oldKey]);
    const content = keyring.seal(dataKey, '1', CONTEXT);

    expect(() => keyring.unseal(content, '2', CONTEXT)).toThrow(UnsealError);
    expect(() => keyring.unseal(content, '1', 'push/1/ownerKey')).toThrow(UnsealError);
  });

  it('unseals what it sealed for any scope, also beyond the size of its cache', () => {
    const keyring = new Keyring([oldKey]);
    const scopes = Array.from({ length: 1000 }, (_, i) => String(i));
    const contents = scopes.map((scope) => keyring.seal(dataKey, scope, CONTEXT));

    for (const [i, scope] of scopes.entries()) {
      expect(keyring.unseal(contents[i] as SealedByMasterKey, scope, CONTEXT)).toEqual(dataKey);
      expect(() => keyring.unseal(contents[i] as SealedByMasterKey, String(i + 1), CONTEXT)).toThrow(
        UnsealError,
      );
    }
  });

  it('seals with its first key and unseals with all (J2)', () => {
    const old = new Keyring([oldKey]);
    const both = new Keyring([newKey, oldKey]);
    const oldWrap = old.seal(dataKey, '1', CONTEXT);
    const newWrap = both.seal(dataKey, '1', CONTEXT);

    expect(both.ids).toEqual([both.current, old.current]);
    expect(both.unseal(oldWrap, '1', CONTEXT)).toEqual(dataKey);
    expect(newWrap.masterKeyId).not.toBe(old.current);
    expect(new Keyring([newKey]).unseal(newWrap, '1', CONTEXT)).toEqual(dataKey);
  });

  it('reports which key is not available (J2)', () => {
    const content = new Keyring([oldKey]).seal(dataKey, '1', CONTEXT);

    expect(() => new Keyring([newKey]).unseal(content, '1', CONTEXT)).toThrow(
      new Error(`Master key ${content.masterKeyId} is not configured`),
    );
  });

  it('unseals nothing under the id of another key', () => {
    const both = new Keyring([newKey, oldKey]);
    const { sealed } = new Keyring([oldKey]).seal(dataKey, '1', CONTEXT);

    expect(() => both.unseal({ masterKeyId: both.current, sealed }, '1', CONTEXT)).toThrow(UnsealError);
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

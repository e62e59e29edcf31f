import { createSecretKey, randomBytes } from 'node:crypto';
import { newKey, unseal, seal, UnsealError } from './secretbox.js';

const PLACE = 'push/1/payload';

describe('A sealed box', () => {
  const key = createSecretKey(newKey());

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['a word', Buffer.from('tulip')],
    ['zeros', Buffer.alloc(100)],
    ['four megabytes', randomBytes(4 * 1024 * 1024)],
  ])('unseals to %s', (_, content) => {
    expect(unseal(key, seal(key, content, PLACE), PLACE).equals(content)).toBe(true);
  });

  it('unseals to the same text, whatever its characters', () => {
    const text = '🦊 é \u0000 漢字';
    expect(unseal(key, seal(key, text, PLACE), PLACE).toString()).toBe(text);
  });

  it('has a new nonce each time, and does not contain the plaintext (J1)', () => {
    const boxes = Array.from({ length: 1000 }, () => seal(key, 'tulip', PLACE));

    expect(new Set(boxes.map((box) => box.subarray(0, 12).toString('hex'))).size).toBe(1000);
    expect(boxes.some((box) => box.includes('tulip'))).toBe(false);
    expect(boxes.every((box) => box.length === 12 + 5 + 16)).toBe(true);
  });

  it('cannot be unsealed when any bit was flipped (J1, J3)', () => {
    const box = seal(key, 'tulip', PLACE);
    for (let bit = 0; bit < box.length * 8; bit++) {
      const changed = Buffer.from(box);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => unseal(key, changed, PLACE)).toThrow(UnsealError);
    }
  });

  it('cannot be unsealed when it was truncated anywhere, or extended (J1)', () => {
    const box = seal(key, 'tulip', PLACE);
    for (let length = 0; length < box.length; length++) {
      expect(() => unseal(key, box.subarray(0, length), PLACE)).toThrow(UnsealError);
      expect(() => unseal(key, box.subarray(box.length - length), PLACE)).toThrow(UnsealError);
    }
    expect(() => unseal(key, Buffer.concat([box, Buffer.alloc(1)]), PLACE)).toThrow(UnsealError);
  });

  it('cannot be unsealed with another key or in another context (J1)', () => {
    const box = seal(key, 'tulip', PLACE);

    expect(() => unseal(createSecretKey(newKey()), box, PLACE)).toThrow(UnsealError);
    for (const context of ['', 'push/1/note', 'push/2/payload', `${PLACE} `, PLACE.toUpperCase()]) {
      expect(() => unseal(key, box, context)).toThrow(UnsealError);
    }
  });
});

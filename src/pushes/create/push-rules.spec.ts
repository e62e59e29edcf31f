import { ageFile, armoured } from '../../../test/support/age-files.js';
import { encryptedKindError, encryptedPayloadError, proofError } from './push-rules.js';
import { Problem } from '../../platform/errors/problem.js';

const NOT_ENCRYPTED = new Problem('payload_not_encrypted', {
  requirement: 'with one scrypt stanza of work factor at most 20',
});
const PAYLOAD = armoured(ageFile());

describe('The payload of a push that its client has encrypted', () => {
  it.each([0, 1, 100, 1_000_000])('is an armoured age file, here of %i bytes', (bytes) => {
    expect(encryptedPayloadError(armoured(ageFile(bytes)))).toBeUndefined();
    expect(encryptedPayloadError(armoured(ageFile(bytes, '9'), '\r\n'))).toBeUndefined();
  });

  it.each([
    ['is absent', undefined],
    ['is empty', ''],
    ['is clear text', 'correct horse'],
    ['is an envelope that was not encrypted', '{"v":1,"kind":"text","text":"correct horse"}'],
    ['is the file without armour', ageFile().toString('latin1')],
    ['is the file in base64', ageFile().toString('base64')],
    ['is clear text in armour', armoured(Buffer.from('correct horse '.repeat(30)))],
    ['begins with clear text', `correct horse\n${PAYLOAD}`],
    ['begins with white space', ` ${PAYLOAD}`],
    ['begins with a byte order mark', `\ufeff${PAYLOAD}`],
    ['has another label', PAYLOAD.replaceAll('AGE ENCRYPTED FILE', 'AGE encrypted FILE')],
    ['has a header of PEM', PAYLOAD.replace('FILE-----\n', 'FILE-----\nComment: correct horse\n\n')],
    ['has lines of another length', PAYLOAD.replace(/(?<=^[^-].{9})/m, '\n')],
    ['has no lines', PAYLOAD.replace(/(?<=[^-])\n(?=[^-])/g, '')],
    ['has an empty line', PAYLOAD.replace(/\n/, '\n\n')],
    ['has a space', PAYLOAD.replace(/(?<=^[^-].{9})./m, ' ')],
    ['has base64url', PAYLOAD.replace(/(?<=^[^-].{9})./m, '_')],
    ['ends in its header', PAYLOAD.slice(0, 200)],
    ['ends after its header', PAYLOAD.slice(0, 240)],
    ['has a work factor of 21', armoured(ageFile(300, '21'))],
  ])('is rejected when it %s', (_what, payload) => {
    expect(encryptedPayloadError(payload)).toEqual(NOT_ENCRYPTED);
  });
});

describe('The passphrase of a push that its client has encrypted', () => {
  const proof = 'Fq3vN7mXzK1bT9cYwR5sH8dLpJ2gA6eU4iO0tVxQn-_';

  it('has 43 characters of base64url', () => {
    expect(proofError(proof)).toBeUndefined();
    for (const other of [undefined, '', 'sesame', proof.slice(1), `${proof}a`, `${proof}=`, `${proof}\n`])
      expect(proofError(other)).toEqual(new Problem('passphrase_not_a_proof'));
    for (const wrong of ['+', '/', ' ', '\u00e9', '\u{1f337}', '='])
      expect(proofError(wrong + proof.slice(1))).toBeDefined();
  });
});

describe('The kind of a push that its client has encrypted', () => {
  it('does not tell what the secret is', () => {
    expect([encryptedKindError('text'), encryptedKindError('file')]).toEqual([undefined, undefined]);
    for (const kind of ['url', 'qr'] as const)
      expect(encryptedKindError(kind)).toEqual(new Problem('kind_not_encrypted'));
  });
});

import { isProof, isProofSalt, newProofSalt, proofKey } from './proofs.js';

const PROOF = 'x'.repeat(43);

describe('A proof', () => {
  it.each(['', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`, `${'x'.repeat(42)}é`, `${PROOF}\n`])(
    'is not %j',
    (text) => {
      expect([isProof(PROOF), isProof(text)]).toEqual([true, false]);
    },
  );

  it('gives another key for each salt, and for each use', () => {
    const [salt, other] = [newProofSalt(), newProofSalt()];
    const keys = [
      proofKey(PROOF, salt, 'a'),
      proofKey(PROOF, other, 'a'),
      proofKey(PROOF, salt, 'b'),
      proofKey(`${PROOF.slice(1)}y`, salt, 'a'),
    ];

    expect(proofKey(PROOF, salt, 'a').export()).toEqual(keys[0]?.export());
    expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(4);
  });

  it('has a salt by which it is known', () => {
    expect([isProofSalt(newProofSalt()), isProofSalt(Buffer.alloc(16))]).toEqual([true, false]);
  });
});

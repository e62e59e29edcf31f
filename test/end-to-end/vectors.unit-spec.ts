import { createHash, createHmac, hkdfSync, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { fileKeyOf } from '../../packages/client/src/end-to-end/age-header.js';
import {
  answerFragmentOf,
  isFragmentOf,
  parseAnswerFragment,
} from '../../packages/client/src/end-to-end/answer-link.js';
import { reasonOf } from '../../packages/client/src/end-to-end/end-to-end-error.js';
import type { Envelope } from '../../packages/client/src/end-to-end/envelope.js';
import { decodeEnvelope } from '../../packages/client/src/end-to-end/envelope.js';
import { decryptFileWith } from '../../packages/client/src/end-to-end/files.js';
import { newFragment, parseFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { decryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import {
  decryptPayloadWith,
  keyFileOf,
  recipientOf,
} from '../../packages/client/src/end-to-end/recipient-encryption.js';
import { proofOf, agePassphraseOf } from '../../packages/client/src/end-to-end/secret.js';
import { parsePushLink, parseRequestLink } from '../../packages/client/src/link.js';
import { hasAge, decryptWithAge, sayIfAgeIsMissing, encryptWithAge } from '../support/age.js';
import { findAge, findHybridAge } from '../support/find-age.js';
import { streamOf } from './streams.js';

/** What each key is: docs/end-to-end.md, Test vectors. */
interface Vectors {
  format: number;
  pushes: PushVector[];
  answers: AnswerVector[];
  links: { push: LinkVector[]; answer: LinkVector[] };
  refused: {
    fragments: { why: string; fragment: string }[];
    envelopes: { why: string; envelope: string }[];
    payloads: (Refusal & { fragment: string; passphrase: string; secret: string; payload: string })[];
    files: (Omit<Refusal, 'reason'> & { key: string; size: number; sealed: string })[];
    answers: (Refusal & { identity: string; payload: string })[];
    answerFragments: { why: string; recipient: string; fragment: string }[];
  };
}

interface Content {
  name: string;
  fragment: string;
  payload: string;
  envelope: Envelope;
  files: { sha256: string; sealed: string }[];
}

interface PushVector extends Content {
  /** The same passphrase in several Unicode forms. */
  passphrases: string[];
  proof: string;
  secret: string;
  proofKey: string;
  salt?: string;
  stretched?: string;
}

interface AnswerVector extends Content {
  identity: string;
  recipient: string;
}

interface LinkVector {
  link: string;
  server: string;
  token: string;
  fragment: string | null;
}

interface Refusal {
  why: string;
  reason: string;
  refusedByAge: boolean;
}

const { pushes, answers, links, refused, format } = JSON.parse(
  readFileSync('test/end-to-end/vectors.json', 'utf8'),
) as Vectors;
const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const fragmentOf = (text: string) => parseFragment(text) ?? newFragment({ needsPassphrase: false });

async function expectFiles({ envelope, files }: Content): Promise<void> {
  expect(envelope.files).toHaveLength(files.length);
  for (const [i, { sha256, sealed }] of files.entries()) {
    const file = envelope.files[i] ?? { key: '', size: 0 };
    const content = await decryptFileWith(streamOf(Buffer.from(sealed, 'base64')), file, fileKeyOf);
    expect(digestOf(await buffer(content))).toBe(sha256);
  }
}

async function reasonFor(opening: Promise<unknown>): Promise<unknown> {
  return opening.then(
    () => 'it was opened',
    (error: unknown) => reasonOf(error) ?? error,
  );
}

it('The test vectors are of the format that their document describes', () => {
  expect(format).toBe(1);
  expect(readFileSync('docs/end-to-end.md', 'utf8')).toContain('(../test/end-to-end/vectors.json)');
});

describe.each(pushes)('The end-to-end push "$name"', (vector) => {
  const fragment = fragmentOf(vector.fragment);
  const [passphrase = ''] = vector.passphrases;

  it('has the same proof and secret in every Unicode form of its passphrase', async () => {
    expect(fragment.text).toBe(vector.fragment);
    for (const passphrase of vector.passphrases)
      expect(agePassphraseOf(fragment, passphrase)).toBe(vector.secret);
    expect(await proofOf(fragment, vector.passphrases.at(-1) ?? '')).toBe(vector.proof);
  });

  it('has the proof that HKDF, scrypt and HMAC of another library make', () => {
    const key = Buffer.from(vector.fragment.slice(1), 'base64url');
    const derived = (info: string) => Buffer.from(hkdfSync('sha256', key, '', `sealpush/e2e/1/${info}`, 32));
    const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
    const stretched = fragment.needsPassphrase
      ? scryptSync(passphrase.normalize('NFC'), derived('salt'), 32, cost)
      : Buffer.alloc(0);

    expect(derived('proof').toString('hex')).toBe(vector.proofKey);
    expect(vector.salt).toBe(fragment.needsPassphrase ? derived('salt').toString('hex') : undefined);
    expect(vector.stretched ?? '').toBe(stretched.toString('hex'));
    expect(createHmac('sha256', derived('proof')).update(stretched).digest('base64url')).toBe(vector.proof);
  });

  it('is opened, with its files', async () => {
    const envelope = await decryptPayload(vector.payload, fragment, vector.passphrases.at(-1) ?? '');

    expect(envelope).toEqual(vector.envelope);
    await expectFiles(vector);
  });
});

describe.each(answers)('The answer "$name"', (vector) => {
  it('has a link with the digest of the recipient of its identity', async () => {
    expect(await recipientOf(vector.identity)).toBe(vector.recipient);
    expect(await answerFragmentOf(vector.recipient)).toBe(vector.fragment);
    expect(`1${createHash('sha256').update(vector.recipient).digest('base64url')}`).toBe(vector.fragment);
  });

  it('is opened, with its files', async () => {
    expect(await decryptPayloadWith(vector.payload, [vector.identity])).toEqual(vector.envelope);
    await expectFiles(vector);
  });
});

describe('A link', () => {
  it.each(links.push)('to a push has its parts: $link', ({ link, server, token, fragment }) => {
    const parsed = parsePushLink(link);

    expect(parsed).toMatchObject({ server, urlToken: token });
    expect(parsed.fragment?.text ?? null).toBe(fragment);
  });

  it.each(links.answer)('to answer has its parts: $link', ({ link, server, token, fragment }) => {
    expect(parseRequestLink(link)).toEqual({ server, urlToken: token, fragment: fragment ?? undefined });
  });
});

describe('What must be refused', () => {
  it.each(refused.fragments)('a fragment $why', ({ fragment }) => {
    expect(parseFragment(fragment)).toBeUndefined();
  });

  it.each(refused.envelopes)('an envelope $why', async ({ envelope }) => {
    const decoding = Promise.resolve(Buffer.from(envelope)).then(decodeEnvelope);

    expect(await reasonFor(decoding)).toBe('unsupported');
  });

  it.each(refused.payloads)('a payload $why', async ({ payload, fragment, passphrase, reason }) => {
    expect(await reasonFor(decryptPayload(payload, fragmentOf(fragment), passphrase))).toBe(reason);
  });

  it.each(refused.files)('a file $why', async ({ sealed, key, size }) => {
    const opening = decryptFileWith(streamOf(Buffer.from(sealed, 'base64')), { key, size }, fileKeyOf);

    expect(await reasonFor(opening.then(buffer))).toMatch(/^(damaged|wrong-secret)$/);
  });

  it.each(refused.answers)('an answer $why', async ({ payload, identity, reason }) => {
    expect(await reasonFor(decryptPayloadWith(payload, [identity]))).toBe(reason);
  });

  it.each(refused.answerFragments)(
    'a link to answer whose fragment is one $why',
    async ({ recipient, fragment }) => {
      const parsed = parseAnswerFragment(fragment);

      expect(parsed !== undefined && (await isFragmentOf(parsed, recipient))).toBe(false);
    },
  );
});

sayIfAgeIsMissing();

(hasAge ? describe : describe.skip)('The program age', () => {
  const resultOf = (opening: Promise<Buffer>) =>
    opening.then(
      () => 'opened',
      () => 'refused',
    );

  it.each(pushes)('opens "$name", with its files', async ({ payload, secret, envelope, files }) => {
    const opened = await decryptWithAge(payload, secret);

    expect(JSON.parse(opened.toString())).toEqual({ v: 1, ...envelope, pad: expect.stringMatching(/^ *$/) });
    expect(opened.length % 256).toBe(0);
    for (const [i, { sha256, sealed }] of files.entries()) {
      const content = await decryptWithAge(Buffer.from(sealed, 'base64'), envelope.files[i]?.key ?? '');
      expect(digestOf(content)).toBe(sha256);
    }
  });

  // of the work factor 21 it would take seconds to see that age opens it
  it.each(refused.payloads.filter(({ why }) => !why.includes('work factor')))(
    'refuses what it can see is wrong: a payload $why',
    async ({ payload, secret, refusedByAge }) => {
      expect(await resultOf(decryptWithAge(payload, secret))).toBe(refusedByAge ? 'refused' : 'opened');
    },
  );

  it.each(refused.files)(
    'refuses what it can see is wrong: a file $why',
    async ({ sealed, key, refusedByAge }) => {
      const opening = decryptWithAge(Buffer.from(sealed, 'base64'), key);

      expect(await resultOf(opening)).toBe(refusedByAge ? 'refused' : 'opened');
    },
  );

  it('encrypts a payload that we decrypt', async () => {
    const fragment = newFragment({ needsPassphrase: false });
    const envelope = { kind: 'text', text: 'tulip', files: [] };

    const payload = await encryptWithAge(
      JSON.stringify({ v: 1, ...envelope }),
      agePassphraseOf(fragment, ''),
    );

    expect(await decryptPayload(payload.toString(), fragment, '')).toEqual(envelope);
  });
});

const isHybrid = ({ identity }: { identity: string }) => identity.startsWith('AGE-SECRET-KEY-PQ-');

describe.each([
  ['age', findAge(), false],
  ['age with hybrid keys', findHybridAge(), true],
])('The program %s', (_name, age, hybrid) => {
  if (!age) {
    it.skip('is missing', () => undefined);
    return;
  }

  const keyFileFor = async (identity: string) =>
    keyFileOf({ identity, recipient: await recipientOf(identity), createdAt: new Date(0) });

  it.each(answers.filter((each) => isHybrid(each) === hybrid))(
    'opens the answer "$name"',
    async ({ payload, identity, recipient, envelope }) => {
      const keyFile = await keyFileFor(identity);

      expect(age.recipientOf(keyFile)).toBe(recipient);
      expect(JSON.parse(age.decrypt(payload, keyFile))).toMatchObject({ v: 1, ...envelope });
    },
  );

  if (hybrid) return;

  it.each(refused.answers)('refuses what it can see is wrong: an answer $why', async (vector) => {
    const keyFile = await keyFileFor(vector.identity);
    const open = () => age.decrypt(vector.payload, keyFile);

    if (vector.refusedByAge) expect(open).toThrow();
    else expect(open()).not.toBe('');
  });
});

// Adds to vectors.json what it does not have yet: node test/end-to-end/make-vectors.mjs
// What it has never changes: pushes that were encrypted like this have to stay readable.
import { createHash, hkdfSync, scryptSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { armor, Encrypter, generateX25519Identity, identityToRecipient, Stanza } from 'age-encryption';
import { build } from 'esbuild';
import { format } from 'prettier';

const FILE = 'test/end-to-end/vectors.json';
const MODULE = './packages/client/src/end-to-end';
const folder = await mkdtemp('.vectors-'); // in the project, so that packages are found
const outfile = join(folder, 'module.mjs');
const contents = [
  'answer-link',
  'envelope',
  'files',
  'fragment',
  'key',
  'payload',
  'recipient-encryption',
  'secret',
]
  .map((name) => `export * from '${MODULE}/${name}.ts';`)
  .join('\n');
await build({
  stdin: { contents, resolveDir: '.' },
  outfile,
  bundle: true,
  format: 'esm',
  packages: 'external',
});
const client = await import(new URL(`../../${outfile}`, import.meta.url));
const { newFragment, newKey, agePassphraseOf, encodeEnvelope, encryptPayload, encryptPayloadFor } = client;

const vectors = {
  pushes: [],
  answers: [],
  links: {},
  refused: {},
  ...JSON.parse(await readFile(FILE, 'utf8')),
};

/** Adds a vector with this name to a list, unless it has one. */
async function add(list, name, make) {
  if (!list.some((each) => each.name === name)) list.push({ name, ...(await make()) });
}

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const base64 = (bytes) => Buffer.from(bytes).toString('base64');
const textOf = (text) => ({ kind: 'text', text, files: [] });

/** A file with a passphrase, as other programs write it. */
async function encryptedFor(content, secret, { workFactor = 12, endOfLine = '\n' } = {}) {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(secret);
  encrypter.setScryptWorkFactor(workFactor);
  return armor.encode(await encrypter.encrypt(content)).replaceAll('\n', endOfLine);
}

async function encryptedFile(content, key) {
  return buffer(await client.encryptFile(new Blob([content]).stream(), key));
}

function filesOf(contents, envelope) {
  return Promise.all(
    contents.map(async (content, i) => ({
      sha256: createHash('sha256').update(content).digest('hex'),
      sealed: base64(await encryptedFile(content, envelope.files[i].key)),
    })),
  );
}

function describedFile(name, type, content) {
  return { name, type, size: content.length, key: newKey() };
}

/** What is computed on the way to the proof, in hexadecimal. */
function derivation({ fragment, passphrases }) {
  const key = Buffer.from(fragment.slice(1), 'base64url');
  const derive = (info) => hkdfSync('sha256', key, '', `sealpush/e2e/1/${info}`, 32);
  const proofKey = hex(derive('proof'));
  if (fragment.startsWith('1')) return { proofKey };
  const options = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
  const stretched = scryptSync(passphrases[0].normalize('NFC'), Buffer.from(derive('salt')), 32, options);
  return { salt: hex(derive('salt')), stretched: hex(stretched), proofKey };
}

async function push(envelope, { passphrase = '', files = [], encrypt = encryptPayload } = {}) {
  const fragment = newFragment({ needsPassphrase: passphrase !== '' });
  return {
    fragment: fragment.text,
    passphrases: [...new Set([passphrase, passphrase.normalize('NFC'), passphrase.normalize('NFD')])],
    proof: await client.proofOf(fragment, passphrase),
    secret: agePassphraseOf(fragment, passphrase),
    payload: await encrypt(envelope, fragment, passphrase),
    envelope,
    files: await filesOf(files, envelope),
  };
}

/** A text whose envelope needs no padding. */
function textOfWholeBlock() {
  let text = '';
  while (
    !Buffer.from(encodeEnvelope(textOf(text)))
      .toString()
      .endsWith('"pad":""}')
  )
    text += 'x';
  return text;
}

const asAgeDoes = (envelope, fragment, passphrase) =>
  encryptedFor(encodeEnvelope(envelope), agePassphraseOf(fragment, passphrase), {
    workFactor: 18,
    endOfLine: '\r\n',
  });

const { pushes } = vectors;
await add(pushes, 'text that needs no padding', () => push(textOf(textOfWholeBlock())));
await add(pushes, 'text that is not in NFC, with a NUL and both line ends', () =>
  push(textOf('Gru\u0308\u00dfe\0\r\nand \u202e more\n')),
);
await add(pushes, 'text with the work factor of age, in CRLF', () =>
  push(textOf('tulip'), { encrypt: asAgeDoes }),
);
await add(pushes, 'file alone', async () => {
  const content = Buffer.from('a very secret file\n');
  const files = [describedFile('report.txt', 'text/plain', content)];
  return push({ kind: 'file', text: '', files }, { passphrase: 'open sesame', files: [content] });
});
for (const each of pushes) Object.assign(each, { ...derivation(each), ...each });

const { answers } = vectors;
async function answer(identity, { text = 'tulip', contents = [], encrypt = encryptPayloadFor } = {}) {
  const recipient = await identityToRecipient(identity);
  const files = contents.map((content, i) => describedFile(`${i}.txt`, 'text/plain', content));
  const envelope = { kind: files.length > 0 ? 'file' : 'text', text, files };
  return {
    identity,
    recipient,
    fragment: await client.answerFragmentOf(recipient),
    payload: await encrypt(envelope, recipient),
    envelope,
    files: await filesOf(contents, envelope),
  };
}

/** Adds a stanza that no identity is for. */
const stanzaOf = (type, ...args) => ({
  wrapFileKey: () => [new Stanza([type, ...args], new Uint8Array(32))],
});
const withStanzas =
  (...stanzas) =>
  async (envelope, recipient) => {
    const encrypter = new Encrypter();
    for (const one of [...stanzas, recipient]) encrypter.addRecipient(one);
    return armor.encode(await encrypter.encrypt(encodeEnvelope(envelope)));
  };

const newHybrid = async () => (await client.newIdentity()).identity;
await add(answers, 'text, to X25519', async () => answer(await generateX25519Identity()));
await add(answers, 'text, to ML-KEM-768 with X25519', async () => answer(await newHybrid()));
await add(answers, 'text and files, to ML-KEM-768 with X25519', async () =>
  answer(await newHybrid(), { text: 'two files', contents: [Buffer.from('red'), Buffer.alloc(0)] }),
);
await add(answers, 'text, with a stanza that means nothing', async () =>
  answer(await generateX25519Identity(), { encrypt: withStanzas(stanzaOf('grease', 'x')) }),
);

const [{ fragment: FRAGMENT }] = pushes;
const TOKEN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';
const link = (text, server, fragment = FRAGMENT) => ({ link: text, server, token: TOKEN, fragment });
const HOST = 'https://push.example.org';
vectors.links.push ??= [
  link(`${HOST}/p/${TOKEN}#${FRAGMENT}`, HOST),
  link(`${HOST}/p/${TOKEN}/r#${FRAGMENT}`, HOST),
  link(`${HOST}:8443/secrets/p/${TOKEN}#${FRAGMENT}`, `${HOST}:8443/secrets`),
  link(`${HOST}/p/${TOKEN}%23${FRAGMENT}`, HOST),
  link(`${HOST}/p/${TOKEN}/r%2523${FRAGMENT}`, HOST),
  link(`${HOST}/p/${TOKEN}`, HOST, null),
];
const ANSWER = answers[0].fragment;
vectors.links.answer ??= [
  link(`${HOST}/requests/${TOKEN}#${ANSWER}`, HOST, ANSWER),
  link(`${HOST}/secrets/requests/${TOKEN}%23${ANSWER}`, `${HOST}/secrets`, ANSWER),
  link(`${HOST}/requests/${TOKEN}`, HOST, null),
];

const { refused } = vectors;
refused.fragments ??= [
  { why: 'cut at its end', fragment: FRAGMENT.slice(0, -1) },
  { why: 'cut at its start', fragment: FRAGMENT.slice(1) },
  { why: 'extended', fragment: `${FRAGMENT}A` },
  { why: 'with padding', fragment: `${FRAGMENT}=` },
  { why: 'of another version', fragment: `3${FRAGMENT.slice(1)}` },
  { why: 'in base64, not base64url', fragment: `${FRAGMENT.slice(0, 20)}+${FRAGMENT.slice(21)}` },
  { why: 'with other unused bits in its last character', fragment: `${FRAGMENT.slice(0, -1)}B` },
];
refused.envelopes ??= [
  { why: 'not JSON', envelope: 'tulip' },
  { why: 'an array', envelope: '[]' },
  { why: 'of another version', envelope: '{"v":2,"kind":"text","text":"tulip","files":[]}' },
  { why: 'whose version is a text', envelope: '{"v":"1","kind":"text","text":"tulip","files":[]}' },
  { why: 'of an unknown kind', envelope: '{"v":1,"kind":"html","text":"tulip","files":[]}' },
  { why: 'without a text', envelope: '{"v":1,"kind":"text","files":[]}' },
  { why: 'of kind file without files', envelope: '{"v":1,"kind":"file","text":"tulip","files":[]}' },
  {
    why: 'of another kind with files',
    envelope: JSON.stringify({ v: 1, ...pushes[3].envelope, kind: 'text' }),
  },
  { why: 'a URL that is a script', envelope: '{"v":1,"kind":"url","text":"javascript:alert(1)","files":[]}' },
  ...[
    { why: 'of a file with a short key', change: { key: 'tulip' } },
    { why: 'of a file with a negative size', change: { size: -1 } },
    { why: 'of a file whose size is a text', change: { size: '3' } },
    { why: 'of a file without a name', change: { name: undefined } },
  ].map(({ why, change }) => ({
    why,
    envelope: JSON.stringify({
      v: 1,
      kind: 'file',
      text: '',
      files: [{ ...pushes[3].envelope.files[0], ...change }],
    }),
  })),
];

function altered(bytes, place) {
  const copy = Buffer.from(bytes);
  const at = place < 0 ? copy.length + place : place;
  copy[at] ^= 2;
  return copy;
}

const HEADER = 150;
const NONCE = 16;
const CHUNK = 65_536 + 16;

/** Whether age refuses it as well, or only a reader of this format does. */
const byAge = (refusal) => ({ ...refusal, refusedByAge: true });
const byReader = (refusal) => ({ ...refusal, refusedByAge: false });

if (!refused.payloads) {
  const { payload, secret } = pushes[0];
  const bytes = Buffer.from(armor.decode(payload));
  const header = bytes.subarray(0, HEADER).toString('latin1');
  const withHeader = (change) =>
    armor.encode(Buffer.concat([Buffer.from(change(header), 'latin1'), bytes.subarray(HEADER)]));
  const stanza = `-> scrypt ${'A'.repeat(22)} 10\n${'A'.repeat(43)}\n`;
  const version2 = '{"v":2,"kind":"text","text":"tulip","files":[]}';
  const all = [
    byAge({ why: 'in clear', reason: 'damaged', payload: 'tulip' }),
    byAge({
      why: 'armour without its end',
      reason: 'damaged',
      payload: payload.slice(0, payload.lastIndexOf('\n---')),
    }),
    byAge({ why: 'cut', reason: 'damaged', payload: armor.encode(bytes.subarray(0, -1)) }),
    byAge({
      why: 'extended',
      reason: 'damaged',
      payload: armor.encode(Buffer.concat([bytes, Buffer.alloc(1)])),
    }),
    byAge({ why: 'altered at its end', reason: 'damaged', payload: armor.encode(altered(bytes, -1)) }),
    byAge({
      why: 'altered in the MAC of its header',
      reason: 'damaged',
      payload: armor.encode(altered(bytes, HEADER - 20)),
    }),
    byAge({
      why: 'of another version of age',
      reason: 'damaged',
      payload: withHeader((text) => text.replace('/v1\n', '/v2\n')),
    }),
    byAge({
      why: 'with two stanzas',
      reason: 'damaged',
      payload: withHeader((text) => text.replace('---', `${stanza}---`)),
    }),
    byAge({ why: 'with another key', reason: 'wrong-secret', payload: pushes[1].payload }),
    byReader({
      why: 'that takes too long: work factor 21',
      reason: 'unsupported',
      payload: withHeader((text) => text.replace(' 12\n', ' 21\n')),
    }),
    byReader({
      why: 'whose envelope is of another version',
      reason: 'unsupported',
      payload: await encryptedFor(version2, secret),
    }),
    byReader({
      why: 'without an envelope',
      reason: 'unsupported',
      payload: await encryptedFor('tulip', secret),
    }),
  ];
  refused.payloads = all.map((each) => ({ ...each, fragment: FRAGMENT, passphrase: '', secret }));
}

if (!refused.files) {
  const content = Buffer.alloc(65_537, 'tulip'); // two chunks
  const [key, otherKey] = [newKey(), newKey()];
  const bytes = await encryptedFile(content, key);
  const small = Buffer.from('tulip');
  const smallBytes = await encryptedFile(small, key);
  const all = [
    byAge({ why: 'cut between two chunks', size: 65_536, sealed: bytes.subarray(0, HEADER + NONCE + CHUNK) }),
    byAge({ why: 'cut', size: small.length, sealed: smallBytes.subarray(0, -1) }),
    byAge({ why: 'empty', size: 0, sealed: Buffer.alloc(0) }),
    byAge({ why: 'extended', size: small.length, sealed: Buffer.concat([smallBytes, Buffer.alloc(1)]) }),
    byAge({ why: 'altered', size: small.length, sealed: altered(smallBytes, -1) }),
    byAge({ why: 'in clear', size: small.length, sealed: small }),
    byAge({ why: 'with another key', size: small.length, sealed: await encryptedFile(small, otherKey) }),
    byReader({ why: 'longer than the envelope says', size: small.length - 1, sealed: smallBytes }),
    byReader({ why: 'shorter than the envelope says', size: small.length + 1, sealed: smallBytes }),
  ];
  refused.files = all.map((each) => ({ ...each, key, sealed: base64(each.sealed) }));
}

if (!refused.answers) {
  const { identity, recipient, payload } = answers[0];
  const bytes = Buffer.from(armor.decode(payload));
  const many = Array.from({ length: 4 }, (_, i) => stanzaOf('other', String(i)));
  const version2 = new Encrypter();
  version2.addRecipient(recipient);
  const all = [
    byAge({ why: 'cut', reason: 'damaged', payload: armor.encode(bytes.subarray(0, -1)) }),
    byAge({ why: 'altered at its end', reason: 'damaged', payload: armor.encode(altered(bytes, -1)) }),
    byAge({ why: 'to another recipient', reason: 'wrong-secret', payload: answers[3].payload }),
    byAge({ why: 'with a passphrase', reason: 'unsupported', payload: pushes[0].payload }),
    byReader({
      why: 'with five stanzas',
      reason: 'unsupported',
      payload: await withStanzas(...many)(textOf('tulip'), recipient),
    }),
    byReader({
      why: 'whose envelope is of another version',
      reason: 'unsupported',
      payload: armor.encode(await version2.encrypt('{"v":2,"kind":"text","text":"tulip","files":[]}')),
    }),
  ];
  refused.answers = all.map((each) => ({ ...each, identity }));
}
refused.answerFragments ??= [
  { why: 'of another recipient', recipient: answers[0].recipient, fragment: answers[1].fragment },
  { why: 'cut', recipient: answers[0].recipient, fragment: ANSWER.slice(0, -1) },
  { why: 'of another version', recipient: answers[0].recipient, fragment: `2${ANSWER.slice(1)}` },
  { why: 'of the recipient in upper case', recipient: answers[0].recipient.toUpperCase(), fragment: ANSWER },
];

await writeFile(FILE, await format(JSON.stringify(vectors), { parser: 'json', printWidth: 110 }));
await rm(folder, { recursive: true });

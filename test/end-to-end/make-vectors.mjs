// Writes vectors.json, once for each version of the format: node test/end-to-end/make-vectors.mjs
// It must not change afterwards: pushes that were encrypted like this have to stay readable.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { build } from 'esbuild';
import { format } from 'prettier';

const MODULE = './packages/client/src/end-to-end';
const folder = await mkdtemp('.vectors-'); // in the project, so that packages are found
const outfile = join(folder, 'module.mjs');
const contents = ['files', 'fragment', 'key', 'payload', 'secret']
  .map((name) => `export * from '${MODULE}/${name}.ts';`)
  .join('\n');
await build({
  stdin: { contents, resolveDir: '.' },
  outfile,
  bundle: true,
  format: 'esm',
  packages: 'external',
});
const { newFragment, newKey, proofOf, encryptFile, encryptPayload, agePassphraseOf } = await import(
  new URL(`../../${outfile}`, import.meta.url)
);

const FILES = [
  { name: 'Bericht 2026.pdf', type: 'application/pdf', content: Buffer.alloc(65_537, 'tulip') }, // two chunks
  { name: '空.txt', type: 'text/plain', content: Buffer.alloc(0) },
];

async function vector(name, envelope, passphrase = '', contents = []) {
  const fragment = newFragment({ needsPassphrase: passphrase !== '' });
  const files = await Promise.all(
    contents.map(async ({ content }, i) => {
      const encrypted = await encryptFile(new Blob([content]).stream(), envelope.files[i].key);
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { sha256, sealed: (await buffer(encrypted)).toString('base64') };
    }),
  );
  return {
    name,
    fragment: fragment.text,
    passphrases: [...new Set([passphrase, passphrase.normalize('NFC'), passphrase.normalize('NFD')])],
    proof: await proofOf(fragment, passphrase),
    secret: agePassphraseOf(fragment, passphrase),
    payload: await encryptPayload(envelope, fragment, passphrase),
    envelope,
    files,
  };
}

const withoutFiles = (kind, text) => ({ kind, text, files: [] });
const withFiles = {
  kind: 'file',
  text: 'two files',
  files: FILES.map(({ name, type, content }) => ({ name, type, size: content.length, key: newKey() })),
};

const vectors = [
  await vector('text', withoutFiles('text', 'correct horse\nbattery "staple" \u{1f40e}')),
  await vector('url', withoutFiles('url', 'https://example.org/a?b=c#d')),
  await vector('qr', withoutFiles('qr', 'WIFI:T:WPA;S=home;P=tulip;;')),
  await vector('file', withFiles, '', FILES),
  await vector('text with a passphrase', withoutFiles('text', 'tulip'), 'schöne Grüße, 한국 '),
];
const json = await format(JSON.stringify(vectors), { parser: 'json' });
await writeFile('test/end-to-end/vectors.json', json);
await rm(folder, { recursive: true });

// Bundles and minifies the styles and browser scripts of the pages. Each page loads one script and one stylesheet.
import { createHash } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const BUNDLES = 'dist/client';
const END_TO_END = 'src/client/end-to-end';

const bundle = (entryPoints, options = {}) =>
  build({
    entryPoints,
    entryNames: '[name]',
    outdir: BUNDLES,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    ...options,
  });

/** The value of the attribute `integrity`, in base64. */
const integrityOf = (name) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(`${BUNDLES}/${name}`))
    .digest('base64')}`;

/** For pushes only passphrases are used. If age-encryption imports anything else from these, the bundle fails. */
const withoutPublicKeys = Object.fromEntries(
  ['@noble/curves/ed25519.js', '@noble/curves/nist.js', '@noble/post-quantum/hybrid.js'].map((name) => [
    name,
    `./${END_TO_END}/no-public-keys.ts`,
  ]),
);

// Each contains the digest of what it loads.
await bundle([{ in: `${END_TO_END}/worker.ts`, out: 'end-to-end-worker' }], {
  alias: withoutPublicKeys,
  format: 'iife',
});
await bundle([`${END_TO_END}/end-to-end.ts`], {
  alias: withoutPublicKeys,
  define: { WORKER_INTEGRITY: JSON.stringify(integrityOf('end-to-end-worker.js')) },
});
await bundle([`${END_TO_END}/recipient-encryption.ts`]); // with public keys
await bundle([`${END_TO_END}/archive.ts`]);
await bundle(['src/client/uploads/uploads.ts']);
await bundle(
  [
    'src/client/every-page.ts',
    'src/client/account.ts',
    'src/client/home.ts',
    'src/client/created.ts',
    'src/client/answer.ts',
    'src/client/new-request.ts',
    'src/client/own-request.ts',
    'src/client/owner.ts',
    'src/client/open.ts',
    'src/client/docs.ts',
    'src/client/delete-push.ts',
    'src/web/assets/sealpush.css',
    'src/web/assets/docs.css',
  ],
  {
    external: [
      './end-to-end.js',
      './recipient-encryption.js',
      './archive.js',
      './uploads.js',
      '*.woff2',
      '*.svg',
    ], // loaded when they are needed
    define: {
      END_TO_END_INTEGRITY: JSON.stringify(integrityOf('end-to-end.js')),
      RECIPIENT_ENCRYPTION_INTEGRITY: JSON.stringify(integrityOf('recipient-encryption.js')),
      ARCHIVE_INTEGRITY: JSON.stringify(integrityOf('archive.js')),
      UPLOADS_INTEGRITY: JSON.stringify(integrityOf('uploads.js')),
    },
  },
);

const scripts = readdirSync(BUNDLES).filter((name) => name.endsWith('.js'));
const digests = Object.fromEntries(scripts.sort().map((name) => [name, integrityOf(name)]));
writeFileSync(`${BUNDLES}/integrity.json`, `${JSON.stringify(digests, null, 2)}\n`);
for (const name of readdirSync('src/web/assets').filter((name) => !name.endsWith('.css')))
  copyFileSync(`src/web/assets/${name}`, `${BUNDLES}/${name}`);

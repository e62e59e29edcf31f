// A push as a browser encrypts and sends it, by the code of the pages. It is encrypted once and sent again and again, so
// that this costs the load generator nothing.
import { build } from 'esbuild';

const MODULES = ['fragment', 'payload', 'secret'];

export async function endToEndPush(text) {
  const { newFragment, encryptPayload, proofOf } = await clientCode();
  const fragment = newFragment({ needsPassphrase: false });
  return {
    client_encrypted: true,
    payload: await encryptPayload({ kind: 'text', text, files: [] }, fragment, ''),
    passphrase: await proofOf(fragment, ''),
  };
}

async function clientCode() {
  const contents = MODULES.map((name) => `export * from './packages/client/src/end-to-end/${name}.ts';`).join(
    '\n',
  );
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

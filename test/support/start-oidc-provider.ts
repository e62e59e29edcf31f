import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CHILD_ENV } from './child-env.js';
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider.js';

/** Starts test/support/oidc-provider.mjs for an installation at `site`; returns its issuer. */
export async function startOidcProvider(
  site: string,
): Promise<{ issuer: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, ['test/support/oidc-provider.mjs'], {
    env: { ...CHILD_ENV, CLIENT_ID, CLIENT_SECRET, SITE: site },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    issuer: chunk.toString().trim(),
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

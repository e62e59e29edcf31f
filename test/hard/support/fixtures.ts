import { randomUUID } from 'node:crypto';
import { linksOf, pushFiles } from '../../support/files.js';
import type { Instance } from '../../support/instance.js';
import type { SpawnedServer } from '../../support/spawn-server.js';
import { cli } from '../../support/spawn-server.js';
import { PASSWORD, PageClient } from '../../support/page-client.js';
import { MIB } from '../../../src/platform/settings/units.js';

const MANY_VIEWS = 1_000_000;

/** What requests can refer to by name. */
export type Fixtures = Record<
  'open' | 'large' | 'quoted' | 'protected' | 'download' | 'token' | 'session' | 'email',
  string
>;

/** For a server that allows a million views and anonymous files. */
export async function makeFixtures({ url, anonymous }: SpawnedServer, instance: Instance): Promise<Fixtures> {
  const email = `${randomUUID()}@example.org`;
  const member = new PageClient(url);
  await member.post('/users/sign_up', { email, password: PASSWORD });
  await member.signIn(email);
  const { stdout } = await cli(instance, 'user:create', `${randomUUID()}@example.org`);

  const pushed = async (fields: object): Promise<string> =>
    (await anonymous.push({ payload: 'tulip', expire_after_views: MANY_VIEWS, ...fields })).url_token;
  const { url_token } = await pushFiles(anonymous, [{ name: 'a', content: Buffer.alloc(8 * MIB, 'tulip') }]);
  const [download = ''] = await linksOf(anonymous, url_token);
  return {
    open: await pushed({}),
    large: await pushed({ payload: `a${'\u0001'.repeat(MIB - 1)}` }), // six bytes for each in JSON
    quoted: await pushed({ payload: '"'.repeat(MIB) }), // six bytes for each in HTML
    protected: await pushed({ passphrase: 'right' }),
    download: new URL(download).pathname,
    token: JSON.parse(stdout).token,
    session: member.cookies,
    email,
  };
}

import { allAddresses } from '../../src/platform/settings/networks.js';
import { Client } from '../support/client.js';
import { newApiToken } from '../support/command.js';
import { forEachTest, forThisTest } from '../support/for-tests.js';
import { freePort } from '../support/free-port.js';
import { makeInstance } from '../support/instance.js';
import type { SpawnedServer } from '../support/spawn-server.js';
import { spawnServer } from '../support/spawn-server.js';

const LOOPBACKS = allAddresses() === '::' ? ['127.0.0.1', '::1'] : ['127.0.0.1'];
const LIMIT = 20;

describe('A server that listens on all addresses, as by default', () => {
  const instance = forEachTest(makeInstance);
  let server: SpawnedServer;
  let port: string;
  let token: string;

  beforeEach(async () => {
    port = String(await freePort());
    token = await newApiToken(instance);
  });

  const start = async (env: NodeJS.ProcessEnv) => {
    server = await forThisTest(spawnServer(instance, { HOST: undefined, PORT: port, ...env }));
  };
  const at = (address: string) =>
    new Client(`http://${address.includes(':') ? `[${address}]` : address}:${port}`);
  const owning = (client: Client) => client.with({ Authorization: `Bearer ${token}` });

  it.each(LOOPBACKS)('knows a client by its own address: %s', async (address) => {
    await start({ CREATORS: address });
    const other = at(LOOPBACKS.find((each) => each !== address) ?? address);
    const push = () => owning(at(address)).push({ payload: 'tulip', allowed_networks: [address] });
    const { url_token } = await push();
    const { logs } = (await owning(other).get(`/api/v2/pushes/${url_token}/audit`)).body;

    expect(logs.map(({ ip }: { ip: string }) => ip)).toEqual([address]);
    expect((await at(address).retrieve(url_token)).body.payload).toBe('tulip');
    expect((await other.retrieve((await push()).url_token)).status).toBe(
      other.url.includes(address) ? 200 : 403,
    );
    expect(server.output()).not.toContain('::ffff:');
  });

  it('trusts a proxy by its IPv4 address, and counts each spelling of a client together (B2, L3)', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1', REQUESTS_PER_MINUTE: String(LIMIT) });
    const from = (ip: string) => at('127.0.0.1').with({ 'X-Forwarded-For': ip });
    const spellings = ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207'];
    const statuses: number[] = [];
    for (let i = 0; i <= LIMIT; i++)
      statuses.push((await from(spellings[i % 3] ?? '').get('/api/v2/version')).status);

    expect(statuses).toEqual([...Array<number>(LIMIT).fill(200), 429]);
    expect((await from('192.0.2.8').get('/api/v2/version')).status).toBe(200);
  });
});

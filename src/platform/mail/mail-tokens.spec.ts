import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import type { HostilePeer } from '../../../test/support/hostile-peer.js';
import { BUFFERED_BYTES, drip, flood, startHostilePeer } from '../../../test/support/hostile-peer.js';
import type { TokenEndpoint } from '../../../test/support/token-endpoint.js';
import { CLIENT_ID, CLIENT_SECRET, SCOPE, startTokenEndpoint } from '../../../test/support/token-endpoint.js';
import { Proxies } from '../settings/proxies.js';
import { readSettings } from '../settings/read-settings.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../settings/units.js';
import { MailTokens } from './mail-tokens.js';

const MAIL = {
  ...{ MAIL_URL: 'smtp://127.0.0.1', MAIL_FROM: 'Sealpush <push@example.org>' },
  PUBLIC_URL: 'https://push.example.org',
};

describe('An access token for the mail server', () => {
  let endpoint: TokenEndpoint | undefined;
  let peer: HostilePeer | undefined;

  afterEach(async () => {
    await endpoint?.stop();
    await peer?.stop();
    endpoint = peer = undefined;
  });

  const tokensOf = (env: NodeJS.ProcessEnv) => {
    const settings = readSettings({ ...MAIL, ...env });
    return new MailTokens(settings, new Proxies(settings));
  };
  const tokensFrom = async (behaviour: Parameters<typeof startTokenEndpoint>[0] = {}, env = {}) => {
    endpoint = await startTokenEndpoint(behaviour);
    return tokensOf({ ...endpoint.env, ...env });
  };
  const tokensFromPeer = async (behave: Parameters<typeof startHostilePeer>[0]) => {
    peer = await startHostilePeer(behave);
    const MAIL_OAUTH_TOKEN_URL = `http://127.0.0.1:${peer.port}/token`;
    const settings = { MAIL_OAUTH_TOKEN_URL, MAIL_OAUTH_CLIENT_ID: 'a', MAIL_OAUTH_CLIENT_SECRET: 'b' };
    return tokensOf(settings);
  };

  it('is requested with client credentials', async () => {
    const tokens = await tokensFrom({ expiresIn: 3600 });

    expect(await tokens.current()).toBe(endpoint?.given[0]);
    expect(endpoint?.requests).toEqual([
      {
        ...{ grant_type: 'client_credentials', scope: SCOPE },
        ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
      },
    ]);
  });

  it('is requested with an assertion of a service account, for the mailbox', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    const tokens = await tokensFrom(
      { refusal: () => undefined },
      {
        ...{ MAIL_OAUTH_CLIENT_SECRET: undefined, MAIL_OAUTH_PRIVATE_KEY: pem },
        MAIL_OAUTH_CLIENT_ID: 'push@project.iam.example.org',
      },
    );
    await tokens.current();
    const [{ assertion = '', ...others } = {}] = endpoint?.requests ?? [];

    expect(others).toEqual({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' });
    const { payload } = await jwtVerify(assertion, createPublicKey(privateKey), {
      ...{ issuer: 'push@project.iam.example.org', audience: endpoint?.url, subject: 'push@example.org' },
      algorithms: ['RS256'],
    });
    expect(payload).toMatchObject({ scope: SCOPE, exp: (payload.iat ?? 0) + 300 });
  });

  it.each<[unknown, number]>([
    [3600, 55 * MINUTE_MS],
    ['3600', 55 * MINUTE_MS],
    [60, 54 * SECOND_MS],
    [undefined, 4.5 * MINUTE_MS],
    [1e300, DAY_MS - 5 * MINUTE_MS],
  ])('that lasts for %j seconds is kept until shortly before its end', async (expiresIn, keptFor) => {
    const tokens = await tokensFrom({ expiresIn });
    const first = await tokens.current(undefined, 0);

    expect(await tokens.current(undefined, keptFor - 1)).toBe(first);
    expect(await tokens.current(undefined, keptFor)).not.toBe(first);
    expect(endpoint?.requests).toHaveLength(2);
  });

  it.each([-1, 'soon', null, {}])('is not taken with the lifetime %j (M6)', async (expiresIn) => {
    const tokens = await tokensFrom({ expiresIn });

    await expect(tokens.current()).rejects.toMatchObject({ failure: 'OAUTH_UNAVAILABLE' });
  });

  it('is refused in the words of the server', async () => {
    const tokens = await tokensFrom({}, { MAIL_OAUTH_CLIENT_SECRET: 'wrong' });

    await expect(tokens.current()).rejects.toThrow(
      /^The token URL refuses: invalid_client: AADSTS7000215: Invalid client secret provided/,
    );
  });

  it.each<[string, number, string, string]>([
    ['HTTP 503', 503, 'application/json', '{}'],
    ['HTTP 404', 404, 'text/html', '<h1>Not here</h1>'],
    ['HTTP 302', 302, 'text/html', ''],
    ['ClientError OAUTH_RESPONSE_IS_NOT_JSON', 200, 'text/html', '<h1>Welcome</h1>'],
    ['ClientError OAUTH_PARSE_ERROR', 200, 'application/json', '{'],
    ['ClientError OAUTH_INVALID_RESPONSE', 200, 'application/json', '{"token_type":"Bearer"}'],
  ])('is not there when the server responds with %s', async (code, status, type, body) => {
    const tokens = await tokensFrom({
      respond: (response) => response.writeHead(status, { 'Content-Type': type }).end(body),
    });

    await expect(tokens.current()).rejects.toThrow(`The token URL cannot be used: ${code}`);
  });

  it('is not there when no server listens', async () => {
    const tokens = await tokensFrom();
    await endpoint?.stop();
    endpoint = undefined;

    await expect(tokens.current()).rejects.toThrow('The token URL cannot be used: ECONNREFUSED');
  });

  it.each([
    ['a body', 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n', '{"a":"tulip"'],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-Tulip: tulip\r\n'],
    ['interim responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('is not read from a server that sends %s without end (M6)', async (_what, beginning, rest) => {
    const tokens = await tokensFromPeer(flood(rest, beginning));

    await expect(tokens.current()).rejects.toMatchObject({ failure: 'OAUTH_UNAVAILABLE' });
    await peer?.stop();
    expect(peer?.sentBytes()).toBeLessThan(BUFFERED_BYTES);
    peer = undefined;
  });

  it('is not waited for longer than the mail that needs it (M6)', async () => {
    const tokens = await tokensFromPeer(drip('HTTP/1.1 200 OK\r\nX-Tulip: '));

    await expect(tokens.current(AbortSignal.timeout(300))).rejects.toThrow(
      'The token URL cannot be used: TIMEOUT',
    );
  });
});

import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { WebhookClient, HostLookup } from '../../src/features/webhooks/webhook-client.js';
import { S3FileStore } from '../../src/files/s3-file-store.js';
import { Log } from '../../src/platform/logging/log.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { Proxies } from '../../src/platform/settings/proxies.js';
import { readSettings } from '../../src/platform/settings/read-settings.js';
import type { Certificate } from '../support/certificate.js';
import { makeCertificate } from '../support/certificate.js';
import { eventually } from '../support/eventually.js';
import { makeFolder } from '../support/folder.js';
import { forAllTests, forEachTest, forThisTest } from '../support/for-tests.js';
import { ForwardProxy, PROXY_LOGIN, startTlsFront } from '../support/forward-proxy.js';
import { addWebhook, startHookReceiver } from '../support/hook-receiver.js';
import { flood } from '../support/hostile-peer.js';
import { leadsTo, signInAtProvider, TestIdentityProvider } from '../support/identity-provider.js';
import { PageClient } from '../support/page-client.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { startS3 } from '../support/stores.js';

const { password: PASSWORD } = PROXY_LOGIN;
const SECRETS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  Buffer.from(`egress:${PASSWORD}`).toString('base64'),
];
const KEY = 'a'.repeat(48);

/** Keeps all that it would write. */
class KeptLog extends Log {
  lines = '';

  constructor() {
    super({ LOG_LEVEL: 'info' });
  }

  override event(message: string, facts: object): void {
    this.lines += `${message} ${JSON.stringify(facts)}\n`;
  }

  override warning(message: string, facts: object): void {
    this.event(message, facts);
  }

  override error(message: unknown, stack?: string): void {
    this.event(String(message), { stack });
  }
}

describe('Where only a proxy reaches others', () => {
  const trusted = getCACertificates('default');
  const folder = forAllTests(makeFolder);
  let certificates: Record<'localhost' | 'hooks.corp.example', Certificate>;
  const log = forEachTest(() => new KeptLog());
  const proxy = forEachTest(() => ForwardProxy.start());

  beforeAll(async () => {
    certificates = {
      localhost: await makeCertificate(folder.path, 'localhost'),
      'hooks.corp.example': await makeCertificate(folder.path, 'hooks.corp.example'),
    };
    const ours = Object.values(certificates).map(({ cert }) => cert.toString());
    setDefaultCACertificates([...trusted, ...ours]);
  });
  afterAll(() => {
    setDefaultCACertificates(trusted);
  });
  afterEach(() => {
    for (const secret of SECRETS) expect(log.lines).not.toContain(secret);
  });

  const start = (env: Record<string, string>, lookup?: HostLookup['addressesOf']) =>
    forThisTest(
      startApp(env, {
        adjust: (builder) => {
          const logged = builder.overrideProvider(Log).useValue(log);
          return lookup
            ? logged.overrideProvider(HostLookup).useValue({ addressesOf: lookup } satisfies HostLookup)
            : logged;
        },
      }),
    );
  /** Another address of a server, with TLS. */
  const frontOf = (upstream: string, host: keyof typeof certificates = 'localhost') =>
    forThisTest(startTlsFront(certificates[host], upstream));
  const silent = (socket: Socket) => {
    socket.resume();
  };

  describe('people sign in at a provider', () => {
    const startProvider = async () => {
      const provider = await forThisTest(TestIdentityProvider.start());
      const front = await frontOf(provider.issuer);
      return { provider, front };
    };

    /** Without those of the browser. */
    const ofService = ({ requests }: TestIdentityProvider) =>
      requests.filter((path) => path !== '/authorize');

    it('with TLS through a tunnel, which all requests use', async () => {
      const { provider, front } = await startProvider();
      provider.address = `https://localhost:${front.port}`;
      const running = await start({
        ...provider.env,
        https_proxy: proxy.url,
        HTTPS_PROXY: 'http://127.0.0.1:9',
      });
      provider.newPerson();

      const response = await signInAtProvider(new PageClient(running.url));

      expect(leadsTo(response)).toEqual([303, '/pushes']);
      expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT localhost:${front.port}`]));
      expect(proxy.asked).toHaveLength(ofService(provider).length);
    });

    it('also by a proxy that has TLS itself', async () => {
      const { provider, front } = await startProvider();
      provider.address = `https://localhost:${front.port}`;
      const secured = await frontOf(proxy.url);
      const HTTPS_PROXY = proxy.url.replace(/^http:(.*)127.*/, `https:$1localhost:${secured.port}`);
      const running = await start({ ...provider.env, HTTPS_PROXY });
      provider.newPerson();

      expect(leadsTo(await signInAtProvider(new PageClient(running.url)))).toEqual([303, '/pushes']);
      expect(proxy.asked).toHaveLength(ofService(provider).length);
    });

    it('without TLS by requests for whole URLs', async () => {
      const { provider } = await startProvider();
      const running = await start({ ...provider.env, HTTP_PROXY: proxy.url });
      provider.newPerson();

      expect(leadsTo(await signInAtProvider(new PageClient(running.url)))).toEqual([303, '/pushes']);
      expect(proxy.asked).toContain(`GET ${provider.issuer}/.well-known/openid-configuration`);
      expect(proxy.asked).toHaveLength(ofService(provider).length);
    });

    it('directly when NO_PROXY names it', async () => {
      const { provider } = await startProvider();
      const running = await start({ ...provider.env, HTTP_PROXY: proxy.url, no_proxy: '127.0.0.0/8' });
      provider.newPerson();

      expect(leadsTo(await signInAtProvider(new PageClient(running.url)))).toEqual([303, '/pushes']);
      expect(proxy.asked).toEqual([]);
    });

    it.each([
      ['wants another login', 'PROXY_407', () => ({ HTTPS_PROXY: proxy.urlWithoutLogin })],
      ['wants another login, without TLS', 'PROXY_407', () => ({ HTTP_PROXY: proxy.urlWithoutLogin })],
      [
        'cannot be reached',
        'PROXY_ECONNREFUSED',
        () => ({ HTTPS_PROXY: `http://egress:secret@127.0.0.1:9` }),
      ],
      ['does not answer', 'PROXY_TIMEOUT', () => ({ HTTPS_PROXY: proxy.url })],
      [
        'with TLS does not answer',
        'PROXY_TIMEOUT',
        () => ({ HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` }),
      ],
      ['with TLS hangs up', 'PROXY_ECONNRESET', () => ({ HTTPS_PROXY: `https://127.0.0.1:${proxy.port}` })],
      ['sends no end of headers', 'PROXY_HPE_HEADER_OVERFLOW', () => ({ HTTPS_PROXY: proxy.url })],
      ['hangs up', 'PROXY_ECONNRESET', () => ({ HTTPS_PROXY: proxy.url })],
    ])('not while the proxy %s, and the log says so: %s', async (what, reason, env) => {
      const { provider, front } = await startProvider();
      if (!what.includes('without TLS')) provider.address = `https://localhost:${front.port}`;
      const running = await start({ ...provider.env, ...env(), OIDC_TIMEOUT: '2' });
      if (what.includes('does not answer')) proxy.behave = silent;
      if (what === 'sends no end of headers') proxy.behave = flood('A: b\r\n', 'HTTP/1.1 200 OK\r\n');
      if (what.includes('hangs up')) proxy.behave = (socket) => socket.once('data', () => socket.destroy());

      const { status, headers } = await new PageClient(running.url).get('/users/sign_in/provider');

      expect([status, headers.get('location')]).toEqual([303, '/users/sign_in?failed=provider_unavailable']);
      expect(log.lines).toContain('The provider of OpenID Connect cannot be used');
      expect(log.lines).toContain(`"${reason}"`);
      expect(provider.requests).toEqual([]);
    });
  });

  describe('webhooks', () => {
    const unknown: HostLookup['addressesOf'] = () =>
      Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    const send = async (running: RunningApp, url: string) => {
      const { id, client } = await running.newUser();
      await addWebhook(running, id, url);
      await client.push({ payload: 'tulip' });
      const row = () => running.dataSource.getRepository(OutboxMessage).findOneByOrFail({});
      await eventually(async () => (await row()).outcome !== null || (await row()).error !== null);
      const { outcome, error } = await row();
      return outcome ?? error;
    };
    const startReceiver = () => forThisTest(startHookReceiver());

    it('are sent to hosts that only the proxy can find, and the log says who decides then', async () => {
      const receiver = await startReceiver();
      proxy.ports['hooks.corp.example'] = (await frontOf(receiver.url, 'hooks.corp.example')).port;
      const running = await start({ HTTPS_PROXY: proxy.url }, unknown);

      expect(await send(running, 'https://hooks.corp.example/hook?token=tulip')).toBe('delivered');
      expect(proxy.asked).toEqual(['CONNECT hooks.corp.example:443']);
      expect(receiver.received).toHaveLength(1);
      expect(receiver.received[0]?.headers).not.toHaveProperty('proxy-authorization');
      expect(log.lines).toContain(
        'Webhooks are sent through HTTPS_PROXY, whose rules decide what they reach',
      );
    });

    it.each([
      ['https://10.0.0.1/', 'ADDRESS_NOT_ALLOWED', unknown],
      ['https://[fd00::1]/', 'ADDRESS_NOT_ALLOWED', unknown],
      ['https://10-0-0-1.example/', 'ADDRESS_NOT_ALLOWED', () => Promise.resolve(['10.0.0.1'])],
      ['https://hooks.example/', 'ADDRESS_NOT_ALLOWED', () => Promise.resolve(['8.8.8.8', '::1'])],
      ['https://localhost/', 'ENOTFOUND', unknown],
      ['https://sealpush.localhost/', 'ENOTFOUND', unknown],
      ['https://intranet/', 'ENOTFOUND', unknown],
      ['http://hooks.example/', 'ENOTFOUND', unknown],
    ] satisfies [string, string, HostLookup['addressesOf']][])(
      'are not sent to %s, which can be known not to be public: %s (G1)',
      async (url, error, lookup) => {
        const env = {
          HTTPS_PROXY: proxy.url,
          HTTP_PROXY: proxy.url,
          WEBHOOK_ALLOWED_NETWORKS: '192.0.2.0/24',
        };
        const running = await start(env, lookup);
        const client = running.app.get(WebhookClient);

        const sent = client.post({ url: new URL(url), headers: { 'Content-Length': 2 }, body: '{}' });

        await expect(sent).rejects.toMatchObject({ code: error });
        expect(proxy.asked).toEqual([]);
      },
    );

    it('without TLS are sent by requests for the whole URL, if all addresses are known and allowed', async () => {
      const { port } = new URL((await startReceiver()).url);
      proxy.ports['hooks.corp.example'] = Number(port);
      const env = { HTTP_PROXY: proxy.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
      const running = await start(env, () => Promise.resolve(['127.0.0.1']));
      const host = `http://hooks.corp.example:${port}`;

      expect(await send(running, `${host}/hook?a=b#c`)).toBe('delivered');
      expect(proxy.asked).toEqual([`POST ${host}/hook?a=b`]);
    });

    it('are sent directly, with all checks, to hosts in NO_PROXY (G1)', async () => {
      const { port } = new URL((await startReceiver()).url);
      const env = { HTTP_PROXY: proxy.url, NO_PROXY: '.corp.example', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
      const running = await start(env, () => Promise.resolve(['127.0.0.1']));

      expect(await send(running, `http://hooks.corp.example:${port}/`)).toBe('delivered');
      expect(proxy.asked).toEqual([]);
    });

    it.each([
      ['wants another login', 'PROXY_407'],
      ['does not answer', 'PROXY_TIMEOUT'],
      ['refuses the host', 'PROXY_403'],
    ])('show to their owners that the proxy %s', async (what, error) => {
      const isLoginWrong = what === 'wants another login';
      const running = await start({ HTTPS_PROXY: isLoginWrong ? proxy.urlWithoutLogin : proxy.url }, unknown);
      running.app.get(WebhookClient).timeoutMs = 500;
      if (what === 'does not answer') proxy.behave = silent;
      if (what === 'refuses the host')
        proxy.behave = (socket) => socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));

      expect(await send(running, 'https://hooks.corp.example/')).toBe(error);
    });
  });

  describe('files are stored on an S3 server', () => {
    const storeAt = (
      endpoint: string,
      env: Record<string, string>,
      s3: Record<string, string>,
      ms?: number,
    ) =>
      new S3FileStore(
        {
          endpoint,
          bucket: s3.S3_BUCKET ?? '',
          region: 'us-east-1',
          accessKeyId: 'S3RVER',
          secretAccessKey: 'S3RVER',
          proxies: new Proxies(readSettings(env)),
        },
        ms,
      );
    const startServer = async () => {
      const { env } = await forThisTest(startS3());
      const front = await frontOf(env.S3_ENDPOINT ?? '');
      return { s3: env, front, plain: env.S3_ENDPOINT ?? '', secure: `https://localhost:${front.port}` };
    };

    it('with TLS through tunnels, also in large parts', async () => {
      const { s3, front, secure } = await startServer();
      const store = storeAt(secure, { HTTPS_PROXY: proxy.url }, s3);
      const bytes = Buffer.alloc(9 * 1024 * 1024, 'tulip'); // two parts, and so large that the SDK expects 100 Continue

      await store.put(KEY, Readable.from([bytes]));
      const read = await store.read(KEY, { start: bytes.length - 5, end: bytes.length - 1 });

      expect(Buffer.concat((await read.toArray()) as Buffer[])).toEqual(bytes.subarray(-5));
      expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT localhost:${front.port}`]));
      expect(proxy.asked).toHaveLength(front.connections());
    });

    it('without TLS by requests for whole URLs, and directly when NO_PROXY names it', async () => {
      const { s3, plain } = await startServer();
      const store = storeAt(plain, { HTTP_PROXY: proxy.url }, s3);
      await store.put(KEY, Readable.from([Buffer.from('tulip')]));
      const read = await store.read(KEY, { start: 0, end: 4 });

      expect(Buffer.concat((await read.toArray()) as Buffer[]).toString()).toBe('tulip');
      expect(proxy.asked).toEqual([
        expect.stringMatching(`^PUT ${plain}/`),
        expect.stringMatching(`^GET ${plain}/`),
      ]);
      const direct = storeAt(plain, { HTTP_PROXY: proxy.url, NO_PROXY: '127.0.0.1' }, s3);
      await direct.probe();
      expect(proxy.asked).toHaveLength(2);
    });

    it.each([
      ['wants another login', /407/],
      ['does not answer', /timeout/i],
      ['cannot be reached', /ECONNREFUSED/],
    ])('not while the proxy %s, without its login in the error', async (what, expected) => {
      const { s3, secure } = await startServer();
      const user = what === 'wants another login' ? 'stranger' : PROXY_LOGIN.username;
      const port = what === 'cannot be reached' ? 9 : proxy.port;
      const HTTPS_PROXY = `http://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
      if (what === 'does not answer') proxy.behave = silent;
      const store = storeAt(secure, { HTTPS_PROXY }, s3, 500);

      const error = await store.probe().then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
      const cause = error?.cause as Error | undefined;
      log.error(error?.message, `${error?.stack} ${cause?.stack}`);

      expect(cause?.stack).toMatch(expected);
    });
  });

  it('the settings in force are shown without the login', async () => {
    const { shownSettings } = await import('../../src/platform/settings/shown-settings.js');
    const { AllSettings } = await import('../../src/platform/settings/read-settings.js');
    const shown = shownSettings(
      new AllSettings({ HTTPS_PROXY: proxy.url, NO_PROXY: 'A.example, .b.example:8443' }),
    );

    expect(shown.find(({ name }) => name === 'HTTPS_PROXY')?.value).toBe(proxy.urlWithoutLogin);
    expect(shown.find(({ name }) => name === 'NO_PROXY')?.value).toBe('a.example, .b.example:8443');
  });
});

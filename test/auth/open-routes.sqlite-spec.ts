import { All, Controller, Get, Module } from '@nestjs/common';
import { Public } from '../../src/auth/access.decorators.js';
import type { TokenScope } from '../../src/auth/entities/api-token.entity.js';
import { User } from '../../src/auth/entities/user.entity.js';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { AdministratorsService } from '../../src/auth/users/administrators.service.js';
import { forAllTests } from '../support/for-tests.js';
import { newSignedInUser } from '../support/page-client.js';
import type { Route } from '../support/routes.js';
import { routesOf } from '../support/routes.js';
import { sendRaw } from '../support/send-raw.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

/** The legacy API has each of its paths under three prefixes. */
const legacy = (method: string, path: string) =>
  ['p', 'f', 'r'].map((prefix) => `${method} /${prefix}/${path}`);

const PUBLIC = [
  'GET /api',
  'GET /api/docs',
  'GET /api/docs.md',
  'GET /api/v1/version',
  'GET /api/v2/openapi',
  'GET /api/v2/version',
  'GET /files/:ticket',
  'GET /files/all/:ticket',
  'GET /ready',
  'GET /up',
  'HEAD /files/:ticket',
  'HEAD /files/all/:ticket',
  'OPTIONS /api/v2/uploads',
  'OPTIONS /p.json',
];

const UPLOADS = [
  'DELETE /api/v2/uploads/:id',
  'HEAD /api/v2/uploads/:id',
  'PATCH /api/v2/uploads/:id',
  'POST /api/v2/uploads',
  'POST /api/v2/uploads/:id',
];

const ANONYMOUS = [
  'DELETE /api/v2/pushes/:url_token',
  'GET /api/v2/pushes/:url_token',
  'GET /api/v2/pushes/:url_token/preview',
  'GET /api/v2/requests/:url_token',
  'GET /api/v2/requests/:url_token/preview',
  'PATCH /api/v2/requests/:url_token/respond',
  'POST /api/v2/requests/:url_token/respond',
  'HEAD /api/v2/pushes/:url_token',
  'POST /api/v2/generate',
  'POST /api/v2/pushes',
  'POST /api/v2/pushes/:url_token/code',
  ...UPLOADS,
  'POST /p.json',
  ...legacy('DELETE', ':url_token.json'),
  ...legacy('GET', ':url_token.json'),
  ...legacy('GET', ':url_token/preview.json'),
  ...legacy('HEAD', ':url_token.json'),
];

const WITH_A_TOKEN = [
  'DELETE /api/v2/requests/:url_token',
  'GET /api/v2/requests/:url_token/audit',
  'GET /api/v2/requests/closed',
  'GET /api/v2/requests/open',
  'POST /api/v2/requests',
  'GET /api/v2/pushes/:url_token/audit',
  'GET /api/v2/audit',
  'GET /api/v2/pushes/active',
  'GET /api/v2/pushes/expired',
  'PATCH /api/v2/pushes/:url_token',
  'POST /api/v2/pushes/:url_token/notify_emails',
  'POST /f.json',
  'POST /r.json',
  ...legacy('GET', ':url_token/audit.json'),
  ...legacy('GET', 'active.json'),
  ...legacy('GET', 'expired.json'),
];

/** They do not exist without a provider of OpenID Connect. */
const PROVIDER_PAGES = [
  'GET /users/sign_in/join',
  'GET /users/sign_in/join/:token',
  'GET /users/sign_in/provider',
  'GET /users/sign_in/provider/callback',
  'GET /users/sign_out/provider',
  'POST /users/sign_in/join',
  'POST /users/sign_in/join/:token',
  'POST /users/sign_in/join/mail',
  'POST /users/sign_in/provider/logout',
];

const OPEN_PAGES = [
  'GET /assets/:version/:name',
  'GET /how-it-works',
  'GET /f/:url_token',
  'GET /:locale/f/:url_token',
  'GET /:locale/f/:url_token/r',
  'GET /:locale/p/:url_token',
  'GET /:locale/p/:url_token/r',
  'GET /:locale/r/:url_token',
  'GET /:locale/r/:url_token/r',
  'GET /api_tokens',
  'GET /f/:url_token/r',
  'GET /help/api',
  'GET /p/:url_token/preview',
  'GET /p/:url_token/r/preview',
  'GET /favicon.ico',
  'GET /p/:url_token',
  'GET /p/:url_token/delete',
  'GET /p/:url_token/r',
  'GET /r/:url_token',
  'GET /r/:url_token/r',
  'GET /requests/:url_token',
  'GET /requests/:url_token/sent',
  'GET /robots.txt',
  'GET /setup',
  'GET /users/password',
  'GET /users/password/:token',
  'GET /users/sign_in',
  'GET /users/sign_in/passkey',
  ...PROVIDER_PAGES,
  'GET /users/sign_up',
  'GET /users/sign_up_link/:token',
  'POST /language',
  'POST /p/:url_token',
  'POST /p/:url_token/code',
  'POST /p/:url_token/delete',
  'POST /p/:url_token/r',
  'POST /requests/:url_token',
  'POST /requests/:url_token/passphrase',
  'POST /setup',
  'POST /users/mail_sent',
  'POST /users/password',
  'POST /users/password/:token',
  'POST /users/sign_in',
  'POST /users/sign_in/passkey',
  'POST /users/sign_up',
  'POST /users/sign_up_link',
  'POST /users/sign_up_link/:token',
  'DELETE /uploads/:id',
  'HEAD /uploads/:id',
  'PATCH /uploads/:id',
  'POST /uploads',
];

const ANONYMOUS_PAGES = ['GET /', 'POST /'];

const MEMBER_PAGES = [
  'GET /p/:url_token/audit',
  'GET /p/:url_token/audit/download',
  'GET /pushes',
  'GET /pushes/expired',
  'GET /requests',
  'GET /requests/answered/:id',
  'GET /requests/new',
  'GET /users/edit',
  'GET /users/log',
  'GET /users/email/:token',
  'GET /users/second_factor',
  'GET /users/second_factor/passkey',
  'GET /users/second_factor/passkey/new',
  'GET /users/sign_in/provider/confirm',
  'GET /users/sign_in/second_factor/passkey', // redirects to the sign-in page too
  'GET /users/sign_in/second_factor', // redirects to the sign-in page too
  'GET /users/sessions',
  'GET /users/signed_in',
  'GET /users/token',
  'GET /users/notices',
  'POST /p/:url_token/notify_emails',
  'POST /p/:url_token/recipients',
  'POST /pushes/delete',
  'POST /p/:url_token/share',
  'POST /p/:url_token/shorten',
  'POST /pushes/search',
  'POST /requests',
  'POST /requests/:url_token/close',
  'POST /users/edit/delete',
  'POST /users/edit/email',
  'POST /users/edit/password',
  'POST /users/edit/verification',
  'POST /users/email/:token',
  'POST /users/notices',
  'POST /users/second_factor/authenticator',
  'POST /users/second_factor/authenticator/remove',
  'POST /users/second_factor/passkeys',
  'POST /users/second_factor/passkeys/:id/remove',
  'POST /users/second_factor/proof',
  'POST /users/second_factor/recovery_codes',
  'POST /users/sign_in/second_factor', // redirects to the sign-in page too
  'POST /users/sessions/:id/end',
  'POST /users/sessions/end_others',
  'POST /users/sign_in_first', // redirects to the sign-in page too
  'POST /users/sign_out', // redirects to the sign-in page too
  'POST /users/sign_out_everywhere',
  'POST /users/token',
  'POST /users/token/:id/revoke',
  'GET /users/webhooks',
  'POST /users/webhooks',
  'POST /users/webhooks/:id/secret',
  'POST /users/webhooks/:id/test',
  'POST /users/webhooks/:id/enable',
  'POST /users/webhooks/:id/delete',
];

/** They respond to other accounts as if they did not exist. */
const ADMINISTRATOR_PAGES = [
  'GET /admin',
  'GET /admin/accounts',
  'GET /admin/accounts/:id',
  'GET /admin/audit',
  'GET /admin/audit/download',
  'GET /admin/first_steps',
  'GET /admin/groups',
  'GET /admin/groups/:id',
  'POST /admin/accounts',
  'POST /admin/accounts/:id/delete',
  'POST /admin/accounts/:id/demote',
  'POST /admin/accounts/:id/disable',
  'POST /admin/accounts/:id/enable',
  'POST /admin/accounts/:id/group',
  'POST /admin/accounts/:id/password_link',
  'POST /admin/accounts/:id/promote',
  'POST /admin/accounts/:id/reset_second_factor',
  'POST /admin/accounts/:id/send_password_link',
  'POST /admin/accounts/:id/unlink',
  'POST /admin/accounts/find',
  'POST /admin/first_steps/backup',
  'POST /admin/first_steps/hide',
  'POST /admin/first_steps/mail',
  'POST /admin/groups',
  'POST /admin/groups/:id',
  'POST /admin/groups/:id/delete',
  'GET /admin/webhooks',
  'POST /admin/webhooks',
  'POST /admin/webhooks/:id/secret',
  'POST /admin/webhooks/:id/test',
  'POST /admin/webhooks/:id/enable',
  'POST /admin/webhooks/:id/delete',
];

async function limitedToken(running: RunningApp, scope: TokenScope): Promise<string> {
  const { app, dataSource } = running;
  const { id } = await running.newUser();
  const user = await dataSource.manager.findOneByOrFail(User, { id });
  return app.get(TokensService).create(user, { name: 'limited', scope });
}

const named = ({ method, path }: Route) => `${method} ${path}`;

describe.each([
  ['anonymous use allowed', 'true', ANONYMOUS, ANONYMOUS_PAGES],
  ['anonymous use not allowed', 'false', [], []],
])('The routes of an instance with %s', (_name, ALLOW_ANONYMOUS, anonymous, anonymousPages) => {
  const openToAll = [...PUBLIC, ...OPEN_PAGES, ...anonymousPages];
  const running = forAllTests(() =>
    startApp({ ALLOW_ANONYMOUS, ENABLE_REQUESTS_API: 'true', ANSWERS_PER_MINUTE: '0' }),
  );

  /** The routes that do not reject the caller, for a push that allows everything to anyone. */
  const answering = async (headers: Record<string, string>) => {
    const owner = await running.newUser();
    const answers = routesOf(running.app).map(async (route) => {
      const { url_token } = await owner.client.push({ payload: 'tulip', deletable_by_viewer: true });
      const path = route.path.replace(':url_token', url_token).replace(':locale', 'en');
      const answer = await sendRaw(running.url, { ...route, path, headers });
      return isRefused(answer) ? [] : [named(route)];
    });
    return (await Promise.all(answers)).flat().sort();
  };

  it('are all listed in this test', () => {
    expect(routesOf(running.app).map(named).sort()).toEqual(
      [
        ...PUBLIC,
        ...ANONYMOUS,
        ...WITH_A_TOKEN,
        ...OPEN_PAGES,
        ...ANONYMOUS_PAGES,
        ...MEMBER_PAGES,
        ...ADMINISTRATOR_PAGES,
      ].sort(),
    );
  });

  it('work without a token only if a decorator opens them (C2)', async () => {
    expect(await answering({})).toEqual([...openToAll, ...anonymous].sort());
  });

  it.each<[TokenScope, string[]]>([
    [
      'create',
      [
        'POST /api/v2/generate',
        'POST /api/v2/pushes',
        ...UPLOADS,
        'POST /p.json',
        'POST /f.json',
        'POST /r.json',
      ],
    ],
    [
      'read',
      [
        'GET /api/v2/audit',
        'GET /api/v2/pushes/:url_token/audit',
        'GET /api/v2/pushes/active',
        'GET /api/v2/pushes/expired',
        'GET /api/v2/requests/:url_token/audit',
        'GET /api/v2/requests/closed',
        'GET /api/v2/requests/open',
        ...legacy('GET', ':url_token/audit.json'),
        ...legacy('GET', 'active.json'),
        ...legacy('GET', 'expired.json'),
      ],
    ],
  ])(
    'work with a token that is limited to %s only if they are of that, or ignore it',
    async (scope, allowed) => {
      const { id } = await running.newUser();
      const user = await running.dataSource.manager.findOneByOrFail(User, { id });
      const token = await running.app.get(TokensService).create(user, { name: 'x', scope });
      const routes = routesOf(running.app).filter(({ path }) =>
        /^\/(api|[pfr]\.json|[pfr]\/.*json)/.test(path),
      );
      const statuses = await Promise.all(
        routes.map(async (route) => {
          const { status } = await sendRaw(running.url, {
            ...route,
            headers: { Authorization: `Bearer ${token}` },
          });
          return [named(route), status] as const;
        }),
      );
      const expected = new Set([...allowed, ...PUBLIC, 'GET /api_tokens']);

      for (const [route, status] of statuses)
        expect([route, status === 403]).toEqual([route, !expected.has(route)]);
      expect(statuses.length).toBeGreaterThan(30);
    },
  );

  it.each<Record<string, string>>([
    { Authorization: 'Bearer wrong' },
    { Authorization: 'Token' },
    { 'X-User-Email': 'a@b.c', 'X-User-Token': 'x' },
  ])('work with the invalid %j only if they need no token (C8)', async (headers) => {
    expect(await answering(headers)).toEqual([...openToAll].sort());
  });
});

@Controller()
class GreedyController {
  @Get('api/own')
  own(): string {
    return 'own';
  }

  @All('*path')
  @Public()
  take(): string {
    return 'taken';
  }
}

@Module({ controllers: [GreedyController] })
class GreedyModule {}

describe('The routes of an added module', () => {
  const running = forAllTests(() => startApp({}, { extensions: [GreedyModule] }));

  it('are reached only where the service has none, so that none replaces one of its own (C2)', async () => {
    const { url_token } = await running.anonymous.push({ payload: 'tulip' });
    const own = routesOf(running.app).filter(({ path }) => !/path|own/.test(path));
    const answers = own.map(async (route) => {
      const path = route.path.replace(':url_token', url_token).replace(':locale', 'en');
      return (await sendRaw(running.url, { ...route, path })).body;
    });

    expect(own.length).toBeGreaterThan(100);
    expect(await Promise.all(answers)).not.toContain('taken');
    expect((await running.anonymous.get('/nothing')).body).toBe('taken');
  });

  it('need a token unless a decorator opens them (C2)', async () => {
    const { client } = await running.newUser();
    const limited = await limitedToken(running, 'read');
    const clients = [
      running.anonymous,
      client,
      running.anonymous.with({ Authorization: `Bearer ${limited}` }),
    ];
    const answers = await Promise.all(clients.map((each) => each.get('/api/own')));

    expect(answers.map(({ status }) => status)).toEqual([401, 200, 403]);
  });
});

describe('The pages of administrators', () => {
  const running = forAllTests(startApp);

  it('do not exist for other accounts, and not for one that is no administrator any more (C5)', async () => {
    const { pageClient, ...account } = await newSignedInUser(running);
    const statuses = async () => {
      const routes = routesOf(running.app).filter((route) => ADMINISTRATOR_PAGES.includes(named(route)));
      const answers = routes.map(({ method, path }) =>
        method === 'GET' ? pageClient.get(path) : pageClient.post(path),
      );
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    const all404 = ADMINISTRATOR_PAGES.map(() => 404);
    expect(await statuses()).toEqual(all404);

    await running.app.get(AdministratorsService).promote(account);
    expect(await statuses()).not.toEqual(all404);
    await running.app.get(AdministratorsService).demote(account, { mayBeLast: true });
    expect(await statuses()).toEqual(all404);
  });
});

/** The API responds that a token is needed; pages redirect to the sign-in page. */
function isRefused({ status, headers }: Awaited<ReturnType<typeof sendRaw>>): boolean {
  return status === 401 || (headers.location?.startsWith('/users/sign_in') ?? false);
}

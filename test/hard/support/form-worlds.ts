import { randomUUID } from 'node:crypto';
import { AccountAdministration } from '../../../src/auth/users/account-administration.js';
import { AccountGroupsService } from '../../../src/auth/groups/account-groups.service.js';
import { UsersService } from '../../../src/auth/users/users.service.js';
import type { PasskeyRequest } from '../../../src/auth/second-factor/passkeys.service.js';
import { SignInsService } from '../../../src/auth/sign-in/sign-ins.service.js';
import { FirstStepsService } from '../../../src/features/setup/first-steps.service.js';
import { SecretRequest } from '../../../src/features/requests/secret-request.entity.js';
import { Webhook } from '../../../src/features/webhooks/webhook.entity.js';
import { digestOf } from '../../../src/platform/random/random.js';
import { AS_SETTINGS } from '../../support/account-groups.js';
import { newAdministrator, passwordPath } from '../../support/administrator.js';
import { addApp, makeAuthenticationsOld } from '../../support/authenticator-app.js';
import type { ClientResponse } from '../../support/client.js';
import { Client } from '../../support/client.js';
import type { TestIdentityProvider } from '../../support/identity-provider.js';
import { signInAtProvider } from '../../support/identity-provider.js';
import { linkIn, mailsTo } from '../../support/mailbox.js';
import type { MailServer } from '../../support/mail-server.js';
import { resolved } from '../../support/openapi.js';
import type { SignedInUser } from '../../support/page-client.js';
import { newSignedInUser, PASSWORD, PageClient } from '../../support/page-client.js';
import { ask } from '../../support/requests.js';
import { routesOf } from '../../support/routes.js';
import { SoftAuthenticator } from '../../support/soft-authenticator.js';
import type { RunningApp } from '../../support/start-app.js';
import type { Fixtures } from './fixtures.js';
import type { PageForm } from './page-forms.js';
import { formsOn, otherFields, pagesFrom } from './page-forms.js';

/** A form, and who sends it. */
export interface ShownForm extends PageForm {
  withSession?: boolean;
  withToken?: boolean;
}

/** All forms that an instance accepts, and what identifies who sends them. */
export interface FormWorld {
  forms: ShownForm[];
  fixtures: Pick<Fixtures, 'session' | 'token' | 'open'>;
}

interface Operation {
  requestBody?: { content: Record<string, { schema: { properties: object } } | undefined> };
}

const CREATE = '/api/v2/pushes';
const REQUESTS = '/api/v2/requests';

/** Settings that every world needs. */
export const OF_WORLDS = {
  ENABLE_REQUESTS_API: 'true',
  ANSWERS_PER_MINUTE: '0',
  MAX_OPEN_REQUESTS: '100000',
};

/** The PUBLIC_URL of the world with second factors. */
export const SITE_OF_PASSKEYS = 'http://push.localhost';

/** Before there is an administrator, and where no mails are sent. */
export async function worldOfNewInstance(running: RunningApp): Promise<FormWorld> {
  return shown(running, await newSignedInUser(running), []);
}

/** With an administrator who has the first steps to do, other accounts, webhooks, tokens and links in mails. */
export async function worldWithMail(running: RunningApp, mails: MailServer): Promise<FormWorld> {
  const member = await newAdministrator(running);
  const { pageClient } = member;
  await running.app.get(FirstStepsService).record('begun');
  await makeAccounts(running);
  await makeWebhooks(running, pageClient);
  await pageClient.post('/users/token', { name: 'deploy script' });
  const links = await linksOf(running, mails, member);
  // not before: no webhook of these ever arrives
  const named = await pushPages(running, { recipients: ['ada@example.org'] });
  const fields = { 'push[payload]': 'tulip', 'push[kind]': 'text', 'push[recipients]': 'ada@example.org' };
  const created = (await pageClient.post('/', fields)).headers.get('location') ?? '';
  return shown(running, member, [...links, ...named, created.replace(/preview.*/, 'audit')]);
}

/** Of an account with second factors that is signed in elsewhere too, and signs in again, whose last reauthentication is old. */
export async function worldWithSecondFactors(running: RunningApp): Promise<FormWorld> {
  const [member, other] = [await newAdministrator(running), await newSignedInUser(running)];
  await addApp(other.pageClient);
  await addApp(member.pageClient);
  const { body } = await member.pageClient.get('/users/second_factor/passkey/new');
  const { options, state } = body as never as PasskeyRequest<never>;
  const passkey = new SoftAuthenticator(SITE_OF_PASSKEYS).create(options);
  await member.pageClient.post('/users/second_factor/passkeys', { passkey, passkey_state: state, name: '' });
  const user = await running.app.get(UsersService).findByEmail(member.email);
  if (user) await running.app.get(SignInsService).begin(user);
  await member.pageClient.signIn(member.email);
  await makeAuthenticationsOld(running, member);
  return shown(running, member, []);
}

/** Of an administrator whose browser is about to join an account, with one that was joined. */
export async function worldWithProvider(
  running: RunningApp,
  _mails: MailServer,
  provider: TestIdentityProvider,
): Promise<FormWorld> {
  const { email, id } = await newAdministrator(running);
  provider.newPerson();
  await signInAtProvider(new PageClient(running.url));
  provider.newPerson({ email: (await newSignedInUser(running)).email });
  const pageClient = new PageClient(running.url);
  await signInAtProvider(pageClient);
  await pageClient.signIn(email);
  const world = await shown(running, { email, id, pageClient }, [`/users/sign_in/join/${'x'.repeat(43)}`]);
  const fields = [
    { name: 'logout_token', type: 'text', value: await provider.logoutToken({ sub: 'x' }), isSent: true },
  ];
  const logout = { method: 'POST', action: '/users/sign_in/provider/logout', fields };
  return { ...world, forms: [...world.forms, logout] };
}

async function makeAccounts(running: RunningApp): Promise<void> {
  await newAdministrator(running);
  const users = running.app.get(UsersService);
  const { user: disabled } = await users.create({ email: `${randomUUID()}@example.org`, password: PASSWORD });
  await running.app.get(AccountAdministration).disable(disabled);
  await running.app.get(AccountGroupsService).create(AS_SETTINGS);
}

/** One that is in use and one that is disabled, of the account and of the instance. */
async function makeWebhooks({ dataSource }: RunningApp, client: PageClient): Promise<void> {
  for (const path of ['/users/webhooks', '/admin/webhooks']) {
    const [, events = ''] = /name="(\w+\.\w+)"/.exec((await client.get(path)).body) ?? [];
    for (const host of ['a', 'b'])
      await client.post(path, { url: `https://${host}.example.org/`, [events]: 'on', password: PASSWORD });
  }
  const [own, , ofInstance] = await dataSource.manager.find(Webhook, { order: { id: 'ASC' } });
  for (const { id } of [own, ofInstance].filter((webhook) => webhook !== undefined))
    await dataSource.manager.update(Webhook, { id }, { disabledAt: new Date() });
}

/** Links that open a form and that no page has. */
async function linksOf(running: RunningApp, mails: MailServer, member: SignedInUser): Promise<string[]> {
  const { pageClient, email, id } = member;
  const stranger = new PageClient(running.url);
  const links: string[] = [];
  for (const [client, path, to] of [
    [stranger, '/users/sign_up_link', `${randomUUID()}@example.org`],
    [stranger, '/users/password', email],
    [pageClient, '/users/edit/verification', email],
  ] as const) {
    await client.post(path, { email: to });
    links.push(linkIn((await mailsTo(running, mails, to)).at(-1)));
  }
  const page = await pageClient.post(`/admin/accounts/${id}/password_link`, { password: PASSWORD });
  return [...links, passwordPath(page.body)];
}

/** The forms of all pages, and of pages of pushes in each of their states. */
async function shown(running: RunningApp, member: SignedInUser, links: string[]): Promise<FormWorld> {
  const { pageClient } = member;
  const pages = routesOf(running.app).filter(({ method, path }) => method === 'GET' && !path.includes(':'));
  const pushed = [
    ...(await pushPages(running, { passphrase: 'right' })),
    ...(await pushPages(running, { deletable_by_viewer: true, retrieval_step: true })),
  ];
  await pageClient.post('/', { 'push[payload]': 'tulip', 'push[kind]': 'text' });
  const asked = await requestPages(running, pageClient);
  const paths = [...pages.map(({ path }) => path), ...pushed, ...asked, ...links.filter(Boolean)];

  const { token, client } = await running.newUser();
  const { url_token: open } = await client.push({ payload: 'tulip' });
  const ofVisitor = await pagesShownTo(running, new PageClient(running.url), paths);
  const unverified = await pagesShownTo(running, pageClient, paths);
  await running.dataSource.query('UPDATE users SET email_unverified = FALSE');
  const verified = await pagesShownTo(running, pageClient, paths); // which offer mails
  const api = formsOfApi(await openRequest(running, client));
  const ofPushes = api.filter(({ action }) => action === CREATE);
  return {
    forms: [
      ...api,
      // the page accepts all fields of a push, whether it shows them or not
      ...ofPushes.map((form) => ({ ...form, action: '/', withToken: false })),
      ...formsOn(ofVisitor),
      ...formsOn([...unverified, ...verified]).map((form) => ({ ...form, withSession: true })),
    ],
    fixtures: { session: pageClient.cookies, token, open },
  };
}

/** The token of a request that takes more answers than any test sends. */
async function openRequest({ dataSource }: RunningApp, client: Client): Promise<string> {
  const { url_token: urlToken } = await ask(client);
  const tokenDigest = digestOf(urlToken);
  await dataSource.manager.update(SecretRequest, { tokenDigest }, { answers: 1_000_000_000 });
  return urlToken;
}

/**
 * The requests of the API that may be forms.
 * @param asking the token of an open request for a secret
 */
function formsOfApi(asking: string): ShownForm[] {
  const paths = resolved.paths as Record<string, { post?: Operation }>;
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const { schema } = post?.requestBody?.content['application/x-www-form-urlencoded'] ?? {};
    if (!schema) return [];
    const fields = Object.keys(schema.properties).map((name) => {
      const isSent = /\[(payload|request|response)\]$/.test(name);
      return { name, type: 'text', value: 'https://example.org/', isSent };
    });
    const action = path.replace('{url_token}', path.startsWith(REQUESTS) ? asking : '$open');
    return [{ method: 'POST', action, fields, withToken: true }];
  });
}

/** The pages that can be reached, and those that respond to a form that is sent as it is. */
async function pagesShownTo({ url }: RunningApp, pageClient: PageClient, paths: string[]): Promise<string[]> {
  const client = new Client(url, { Cookie: pageClient.cookies, 'Sec-Fetch-Site': 'same-origin' });
  const htmlOf = ({ headers, body }: ClientResponse): string =>
    headers.get('content-type')?.startsWith('text/html') ? body : '';
  const pages = await pagesFrom(paths, async (path) => htmlOf(await client.get(path)));
  for (const form of formsOn(pages)) {
    if (form.method !== 'POST' || form.fields.length === 0) continue; // such as one that signs out
    pages.push(htmlOf(await client.post(form.action, new URLSearchParams(otherFields(form, '', '')))));
  }
  return pages;
}

/** A request of the account with an answer, and one with a passphrase. */
async function requestPages({ anonymous }: RunningApp, pageClient: PageClient): Promise<string[]> {
  const ask = async (fields: Record<string, string>) => {
    const made = await pageClient.post('/requests', { request: 'tulip', answers: '100', ...fields });
    return made.headers.get('location') ?? '';
  };
  const own = await ask({});
  await anonymous.post(`/api/v2${own}/respond`, { request: { response: 'tulip' } });
  const [, answer = ''] = /\/p\/([\w-]{43})/.exec((await pageClient.get(own)).body) ?? [];
  return [own, `/p/${answer}/audit`, await ask({ passphrase: 'right' })];
}

async function pushPages({ anonymous }: RunningApp, fields: object): Promise<string[]> {
  const { url_token } = await anonymous.push({ payload: 'tulip', expire_after_views: 100, ...fields });
  return [`/p/${url_token}`, `/p/${url_token}/r`, `/p/${url_token}/delete`];
}

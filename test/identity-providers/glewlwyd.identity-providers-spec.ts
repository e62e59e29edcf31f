import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { eventually } from '../support/eventually.js';
import { forAllTests } from '../support/for-tests.js';
import { testTheWalk } from './support/walk.js';
import { Installation } from './support/installation.js';
import { freePort } from '../support/free-port.js';
import type { Page } from './support/browser.js';
import { Browser } from './support/browser.js';
import type { DebianProvider } from './support/provider.js';
import { PASSWORD, Program } from './support/provider.js';

const SCHEMA = '/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3';
const SESSION_COOKIE = 'GLEWLWYD2_OIDC_SID';
/** The scopes that an installation asks for by default, besides `openid`, which is there. */
const SCOPES = ['email', 'profile'];

interface Glewlwyd extends DebianProvider {
  /** Signs out there, without a page of an installation. */
  signOut: (browser: Browser) => Promise<Page>;
}

/**
 * Starts Glewlwyd. Its own pages are scripts, so what they would send to its API is sent here.
 * @see https://github.com/babelouest/glewlwyd/blob/master/docs/OIDC.md
 */
async function startGlewlwyd(): Promise<Glewlwyd> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-glewlwyd-'));
  const port = await freePort();
  const site = `http://127.0.0.1:${port}`;
  const api = `${site}/api`;
  const issuer = `${api}/oidc`;
  const program = new Program({
    command: 'glewlwyd',
    args: ['--config-file', join(folder, 'config')],
    log: join(folder, 'log'),
    ready: `${site}/config`,
  });
  let administrator = new Browser();

  const database = new Database(join(folder, 'database'));
  database.exec(await readFile(SCHEMA, 'utf8'));
  database.close();
  await writeFile(join(folder, 'config'), configOf(folder, port));

  /** Calls the API as an administrator, and returns what it answers. */
  const call = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await administrator.call(method, `${api}${path}`, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${answer}`);
    return answer === '' ? {} : JSON.parse(answer);
  };
  /** Creates it, or replaces what there is of the same name. */
  const put = async (path: string, name: string, content: object) => {
    const at = `${path}/${encodeURIComponent(name)}`;
    const isThere = (await administrator.call('GET', `${api}${at}`)).status === 200;
    await (isThere ? call('PUT', at, content) : call('POST', `${path}/`, content));
  };
  const start = async (clock = '') => {
    await program.start(clock);
    administrator = new Browser();
    await call('POST', '/auth/', { username: 'admin', password: 'password' });
  };
  const useNewKey = () => put('/mod/plugin', 'oidc', pluginWith(issuer, newKey()));

  const endSession = (browser: Browser, sid: string | null | undefined) =>
    browser.call('DELETE', `${issuer}/session/${sid ?? 'none'}/`);

  await start();
  for (const [path, fields] of Object.entries(MORE_FIELDS)) {
    const module = await call('GET', path);
    Object.assign(module.parameters['data-format'], fields);
    await call('PUT', path, module);
    await call('PUT', `${path}/reset`);
  }
  for (const name of SCOPES)
    await put('/scope', name, { name, display_name: name, password_required: false });
  await useNewKey();
  return {
    issuer,
    register: ({ id, secret, site: client }) =>
      put('/client', id, {
        client_id: id,
        name: 'Sealpush',
        enabled: true,
        confidential: true,
        client_secret: secret,
        authorization_type: ['code'],
        token_endpoint_auth_method: ['client_secret_post', 'client_secret_basic'],
        scope: [],
        redirect_uri: [`${client}/users/sign_in/provider/callback`],
        post_logout_redirect_uris: [`${client}/users/sign_in`],
        backchannel_logout_uri: `${client}/users/sign_in/provider/logout`,
        backchannel_logout_session_required: 'true',
      }),
    add: ({ name, email, groups }) =>
      put('/user', name, {
        username: name,
        password: PASSWORD,
        email,
        email_verified: 'yes',
        groups,
        enabled: true,
        scope: ['openid', ...SCOPES],
      }),
    signIn: async (browser, page, { name }) => {
      const query = new URL(page.url).searchParams;
      await browser.call('POST', `${api}/auth/`, { username: name, password: PASSWORD });
      const grant = `${api}/auth/grant/${encodeURIComponent(query.get('client_id') ?? '')}/`;
      await browser.call('PUT', grant, { scope: query.get('scope') });
      return browser.visit(`${query.get('callback_url') ?? ''}&g_continue`);
    },
    signOut: (browser) => endSession(browser, browser.cookie(issuer, SESSION_COOKIE)),
    agreeToSignOut: async (browser, page) => {
      const query = new URL(page.url).searchParams;
      await endSession(browser, query.get('sid'));
      await browser.call('DELETE', `${api}/auth/`);
      return browser.visit(query.get('callback_url') ?? '');
    },
    rotateKeys: async () => {
      await useNewKey();
      await start();
    },
    restart: start,
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What users and clients have besides what the database module knows. */
const field = { multiple: false, read: true, write: true };
const MORE_FIELDS = {
  '/mod/user/database': { groups: { ...field, multiple: true }, email_verified: field },
  '/mod/client/database': { post_logout_redirect_uris: { ...field, multiple: true } },
};

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    key: privateKey.export({ type: 'pkcs1', format: 'pem' }),
    cert: publicKey.export({ type: 'spki', format: 'pem' }),
  };
}

function pluginWith(iss: string, keys: object): object {
  const claim = { mandatory: true, 'on-demand': false, scope: [] };
  return {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    enabled: true,
    parameters: {
      iss,
      'jwt-type': 'rsa',
      'jwt-key-size': '256',
      ...keys,
      'subject-type': 'public',
      'access-token-duration': 3600,
      'refresh-token-duration': 3600,
      'code-duration': 600,
      'auth-type-code-enabled': true,
      'auth-type-implicit-enabled': false,
      'auth-type-refresh-enabled': false,
      'allowed-scope': ['openid', ...SCOPES],
      'jwks-show': true,
      'pkce-allowed': true,
      'name-claim': 'no',
      'email-claim': 'mandatory',
      claims: [
        { ...claim, name: 'groups', 'user-property': 'groups', type: 'string' },
        {
          ...claim,
          name: 'email_verified',
          'user-property': 'email_verified',
          type: 'boolean',
          'boolean-value-true': 'yes',
          'boolean-value-false': 'no',
        },
      ],
      'session-management-allowed': true,
      'session-cookie-name': SESSION_COOKIE,
      'session-cookie-expiration': 3600,
      'back-channel-logout-allowed': true,
      'front-channel-logout-allowed': false,
    },
  };
}

function configOf(folder: string, port: number): string {
  const settings = {
    port,
    bind_address: '127.0.0.1',
    external_url: `http://127.0.0.1:${port}`,
    login_url: 'login.html',
    api_prefix: 'api',
    static_files_path: '/usr/share/glewlwyd/webapp',
    log_mode: 'console',
    log_level: 'INFO',
    cookie_secure: 0,
    session_expiration: 3600,
    session_key: 'GLEWLWYD2_SESSION_ID',
    admin_scope: 'g_admin',
    profile_scope: 'g_profile',
    user_module_path: '/usr/lib/glewlwyd/user',
    client_module_path: '/usr/lib/glewlwyd/client',
    user_auth_scheme_module_path: '/usr/lib/glewlwyd/scheme',
    plugin_module_path: '/usr/lib/glewlwyd/plugin',
    hash_algorithm: 'SHA512',
    database: { type: 'sqlite3', path: join(folder, 'database') },
  };
  return linesOf(settings).join('\n');
}

/** In the language of libconfig. */
function linesOf(settings: object): string[] {
  return Object.entries(settings).map(([name, value]) => {
    const isGroup = typeof value === 'object';
    return `${name} = ${isGroup ? `{\n${linesOf(value as object).join('\n')}\n}` : JSON.stringify(value)};`;
  });
}

describe('Glewlwyd', () => {
  let provider: Glewlwyd;
  const installation = forAllTests(async () => Installation.start((provider = await startGlewlwyd())));

  // it compares Basic without decoding it
  testTheWalk(() => installation, ['post', 'basic_raw']);

  it.each(['', '+3m', '-3m'])(
    'ends the session here when somebody signs out there, clock: %j',
    async (clock) => {
      await provider.restart(clock);
      const person = await installation.newPerson();
      const [here, elsewhere] = [await installation.signIn(person), await installation.signIn(person)];
      await provider.signOut(here.browser);
      await eventually(async () => !(await installation.isSignedIn(here.browser)));
      await provider.restart();
      expect(await installation.isSignedIn(elsewhere.browser)).toBe(true);
    },
  );
});

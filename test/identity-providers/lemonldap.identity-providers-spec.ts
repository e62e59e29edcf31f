import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { Installation } from './support/installation.js';
import { alertIn, testTheWalk } from './support/walk.js';
import { forAllTests } from '../support/for-tests.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import type { DebianProvider, Person, RegisteredClient } from './support/provider.js';
import { PASSWORD, Program } from './support/provider.js';

const PORTAL = resolve('test/identity-providers/support/lemonldap.psgi');
/** It knows groups by rules about people. */
const GROUPS = ['staff', 'Staff', 'staff2', 'admins', 'others'];
/** More than one: while it answers a browser it may have to answer an installation, too. */
const WORKERS = '3';

/** Ids of clients that have a fault each, besides the registered one. */
const FAULTY_CLIENTS = { new: 'signs-with-secret', unverified: 'without-email-verified' };

/**
 * Starts the portal of LemonLDAP::NG. It asks this process about people, by its REST backends.
 * @see https://lemonldap-ng.org/documentation/latest/idpopenidconnect.html
 */
async function startLemonLdap(): Promise<DebianProvider> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-lemonldap-'));
  const stores = ['conf', 'cache', 'sessions', 'sessions/lock', 'persistent', 'persistent/lock'];
  for (const name of stores) await mkdir(join(folder, name));
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}/`;
  const people = await servePeople();
  let clients = {};
  let keys = newKeys();
  let configurations = 0;

  const configure = async () => {
    configurations += 1;
    const configuration = {
      cfgNum: configurations,
      cfgDate: configurations,
      cfgVersion: '2.16.1',
      key: randomUUID(),
      portal: issuer,
      domain: '127.0.0.1',
      securedCookie: 0,
      authentication: 'REST',
      userDB: 'REST',
      restAuthUrl: people.url,
      restUserDBUrl: people.url,
      ...storesIn(folder),
      locationRules: { '127.0.0.1': { default: 'accept' } },
      captcha: 'NoCaptcha',
      issuerDBOpenIDConnectActivation: 1,
      ...keys,
      groups: Object.fromEntries(GROUPS.map((name) => [name, `$member =~ /(^| )${name}( |$)/`])),
      macros: { email_verified: '1' },
      ...clients,
    };
    await writeFile(join(folder, `conf/lmConf-${configurations}.json`), JSON.stringify(configuration));
  };
  const program = new Program({
    command: 'starman',
    args: ['--listen', `127.0.0.1:${port}`, '--workers', WORKERS, PORTAL],
    log: join(folder, 'log'),
    env: { LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') },
    ready: `${issuer}.well-known/openid-configuration`,
    stopWith: 'SIGQUIT', // which its workers know
  });

  await writeFile(join(folder, 'lemonldap-ng.ini'), localSettings(folder));
  return {
    issuer,
    register: async (client) => {
      clients = clientsLike(client);
      await configure();
      await program.start();
    },
    add: (person) => Promise.resolve(void people.known.set(person.name, person)),
    signIn: (browser, page, { name }) => browser.submit(page, { user: name, password: PASSWORD }),
    agreeToSignOut: (browser, page) => browser.submit(page),
    rotateKeys: async () => {
      keys = newKeys();
      await configure();
      // each worker reads the configuration again within a second
      await eventually(async () => {
        const answers = Array.from({ length: 12 }, async () => (await fetch(`${issuer}oauth2/jwks`)).text());
        return (await Promise.all(answers)).every((answer) => answer.includes(keys.oidcServiceKeyIdSig));
      });
    },
    restart: (clock) => program.start(clock),
    stop: async () => {
      await program.stop();
      people.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function newKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    oidcServicePrivateKeySig: privateKey.export({ type: 'pkcs1', format: 'pem' }),
    oidcServicePublicKeySig: publicKey.export({ type: 'spki', format: 'pem' }),
    oidcServiceKeyIdSig: randomUUID(),
  };
}

/** A client, and those with a fault that differ from it in nothing else. */
function clientsLike({ id, secret, site }: RegisteredClient): object {
  const options = {
    oidcRPMetaDataOptionsClientID: id,
    oidcRPMetaDataOptionsClientSecret: secret,
    oidcRPMetaDataOptionsRedirectUris: `${site}/users/sign_in/provider/callback`,
    oidcRPMetaDataOptionsPostLogoutRedirectUris: `${site}/users/sign_in`,
    oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
    oidcRPMetaDataOptionsBypassConsent: 1, // after its page, signing out leads nowhere
  };
  const signedWithSecret = {
    oidcRPMetaDataOptionsClientID: FAULTY_CLIENTS.new,
    oidcRPMetaDataOptionsIDTokenSignAlg: 'HS512', // what the Manager gives to new clients
  };
  const unverified = { oidcRPMetaDataOptionsClientID: FAULTY_CLIENTS.unverified };
  const claims = { email: 'mail', groups: 'groups;string;always' };
  const allClaims = { ...claims, email_verified: 'email_verified;bool' };
  return {
    oidcRPMetaDataOptions: {
      right: options,
      new: { ...options, ...signedWithSecret },
      unverified: { ...options, ...unverified },
    },
    oidcRPMetaDataExportedVars: { right: allClaims, new: allClaims, unverified: claims },
    oidcServiceIgnoreScopeForClaims: 1, // as in Debian's configuration
  };
}

/** Answers who can sign in, and what is known about them. */
async function servePeople() {
  const known = new Map<string, Person>();
  const server = createServer((request, response) => {
    void json(request).then((asked) => {
      const { user, password = PASSWORD } = asked as { user: string; password?: string };
      const person = known.get(user);
      const answer =
        person && password === PASSWORD
          ? { result: true, info: { uid: user, mail: person.email, member: person.groups.join(' ') } }
          : { result: false };
      response.end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { known, url, stop };
}

function localSettings(folder: string): string {
  return `
[all]
logLevel = notice
checkTime = 1
[configuration]
type = File
dirName = ${folder}/conf
localStorage = Cache::FileCache
localStorageOptions = {'namespace' => 'configuration', 'cache_root' => '${folder}/cache'}
[portal]
templateDir = /usr/share/lemonldap-ng/portal/templates
staticPrefix = /static
languages = en
`;
}

function storesIn(folder: string): Record<string, unknown> {
  const inFiles = (name: string) => ({
    Directory: join(folder, name),
    LockDirectory: join(folder, name, 'lock'),
  });
  return {
    globalStorage: 'Apache::Session::File',
    globalStorageOptions: {
      ...inFiles('sessions'),
      generateModule: 'Lemonldap::NG::Common::Apache::Session::Generate::SHA256',
    },
    persistentStorage: 'Apache::Session::File',
    persistentStorageOptions: inFiles('persistent'),
    localSessionStorage: 'Cache::FileCache',
    localSessionStorageOptions: { namespace: 'sessions', cache_root: join(folder, 'cache') },
  };
}

describe('LemonLDAP::NG', () => {
  const installation = forAllTests(async () => Installation.start(await startLemonLdap()));

  // it reads Basic only up to the first + or / of base64
  testTheWalk(() => installation, ['post']);

  it('says why when the ID token is signed with the secret, as it is for a new client', async () => {
    const { browser, page } = await installation.with({ OIDC_CLIENT_ID: FAULTY_CLIENTS.new }, async () =>
      installation.signIn(await installation.newPerson()),
    );
    expect(alertIn(page)).toContain('Signing in did not work');
    expect(await installation.isSignedIn(browser)).toBe(false);
    await installation.expectRefusal('algorithm');
  });

  it('says why when the email address is not exported as verified', async () => {
    const { page } = await installation.with({ OIDC_CLIENT_ID: FAULTY_CLIENTS.unverified }, async () =>
      installation.signIn(await installation.newPerson()),
    );
    expect(alertIn(page)).toContain('does not say that your email address is verified');
    await installation.expectRefusal('email_unverified');
  });

  it('says in its metadata that it tells nobody who has signed out there', async () => {
    const metadata = await fetch(`${installation.provider.issuer}.well-known/openid-configuration`);
    expect(await metadata.json()).toMatchObject({ backchannel_logout_supported: false });
  });
});

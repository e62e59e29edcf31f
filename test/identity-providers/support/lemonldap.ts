import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/free-port.js';
import type { DebianProvider, Person } from './provider.js';
import { PASSWORD, Program } from './provider.js';

const PORTAL = resolve('test/identity-providers/support/lemonldap.psgi');
/** It knows groups by rules about people. */
const GROUPS = ['staff', 'Staff', 'staff2', 'admins', 'others'];
/** More than one: while it answers a browser it may have to answer an installation, too. */
const WORKERS = '3';

/** Options of a client, and claims that it gets. */
interface ClientConfiguration {
  options?: Record<string, unknown>;
  claims?: Record<string, unknown>;
}

export interface LemonLdap extends DebianProvider {
  /** Changes what is configured of the client. */
  configure: (client: ClientConfiguration) => Promise<void>;
}

/**
 * Starts the portal of LemonLDAP::NG. It asks this process about people, by its REST backends.
 * @see https://lemonldap-ng.org/documentation/latest/idpopenidconnect.html
 */
export async function startLemonLdap(): Promise<LemonLdap> {
  const folder = await mkdtemp(join(tmpdir(), 'sealpush-lemonldap-'));
  const stores = ['conf', 'cache', 'sessions', 'sessions/lock', 'persistent', 'persistent/lock'];
  for (const name of stores) await mkdir(join(folder, name));
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}/`;
  const people = await servePeople();
  const options: Record<string, unknown> = {};
  const claims: Record<string, unknown> = {
    email: 'mail',
    email_verified: 'email_verified;bool',
    groups: 'groups;string;always',
  };
  let keys = newKeys();
  let configurations = 0;

  const configure = async (client: ClientConfiguration = {}) => {
    Object.assign(options, client.options);
    Object.assign(claims, client.claims);
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
      oidcRPMetaDataOptions: { sealpush: options },
      oidcRPMetaDataExportedVars: { sealpush: claims },
      oidcRPMetaDataOptionsExtraClaims: { sealpush: { profile: 'groups' } },
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
  await configure();
  await program.start();
  return {
    issuer,
    configure: async (client) => {
      await configure(client);
      await program.start();
    },
    register: async ({ id, secret, site }) => {
      const registered = {
        oidcRPMetaDataOptionsClientID: id,
        oidcRPMetaDataOptionsClientSecret: secret,
        oidcRPMetaDataOptionsRedirectUris: `${site}/users/sign_in/provider/callback`,
        oidcRPMetaDataOptionsPostLogoutRedirectUris: `${site}/users/sign_in`,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
        oidcRPMetaDataOptionsBypassConsent: 1, // after its page, signing out leads nowhere
      };
      await configure({ options: registered });
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

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { Daemon, until } from '../../support/daemon.js';
import { freePort } from '../../support/free-port.js';
import type { DebianProvider, Person, RegisteredClient } from './provider.js';
import { PASSWORD, untilReady, withClock } from './provider.js';

const PORTAL = resolve('test/identity-providers/support/lemonldap.psgi');
const METADATA = '.well-known/openid-configuration';
/** More than one: while it answers a browser it may have to answer an installation, too. */
const WORKERS = '3';

export interface LemonLdap extends DebianProvider {
  /** Changes the configuration, as its Manager does. */
  configure: (client: Record<string, unknown>) => Promise<void>;
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
  let keys = newKeys();
  let configurations = 0;
  let daemon: Daemon | undefined;

  const configure = async (client: Record<string, unknown> = {}) => {
    Object.assign(options, client);
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
      groups: { staff: '$member =~ /\\bstaff\\b/', admins: '$member =~ /\\badmins\\b/' },
      macros: { email_verified: '1' },
      oidcRPMetaDataOptions: { sealpush: options },
      oidcRPMetaDataExportedVars: {
        sealpush: { email: 'mail', email_verified: 'email_verified;bool', groups: 'groups;string;always' },
      },
      oidcRPMetaDataOptionsExtraClaims: { sealpush: { profile: 'groups' } },
    };
    await writeFile(join(folder, `conf/lmConf-${configurations}.json`), JSON.stringify(configuration));
  };
  const restart = async (clock = '') => {
    await daemon?.stop('SIGQUIT');
    daemon = new Daemon(
      'starman',
      ['--listen', `127.0.0.1:${port}`, '--workers', WORKERS, PORTAL],
      join(folder, 'log'),
      { LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini'), ...withClock(clock) },
    );
    await untilReady(new URL(METADATA, issuer), daemon);
  };

  await writeFile(join(folder, 'lemonldap-ng.ini'), localSettings(folder));
  await configure();
  await restart();
  return {
    issuer,
    configure: async (client) => {
      await configure(client);
      await restart();
    },
    register: async ({ id, secret, site }: RegisteredClient) => {
      await configure({
        oidcRPMetaDataOptionsClientID: id,
        oidcRPMetaDataOptionsClientSecret: secret,
        oidcRPMetaDataOptionsRedirectUris: `${site}/users/sign_in/provider/callback`,
        oidcRPMetaDataOptionsPostLogoutRedirectUris: `${site}/users/sign_in`,
        oidcRPMetaDataOptionsIDTokenSignAlg: 'RS256',
      });
      await restart();
    },
    add: async (person) => void people.known.set(person.name, person),
    signIn: async (browser, page, { name }) => {
      const asked = await browser.submit(page, { user: name, password: PASSWORD });
      return asked.url.startsWith(issuer) ? browser.submit(asked, { confirm: '1' }) : asked;
    },
    agreeToSignOut: (browser, page) => browser.submit(page, { confirm: '1' }),
    rotateKeys: async () => {
      keys = newKeys();
      await configure();
      // each worker reads the configuration again in the second after
      const { kid } = { kid: keys.oidcServiceKeyIdSig };
      let seen = 0;
      await until(async () => {
        const text = await (await fetch(`${issuer}oauth2/jwks`)).text();
        seen = text.includes(kid) ? seen + 1 : 0;
        return seen > 10;
      });
    },
    restart,
    stop: async () => {
      await daemon?.stop('SIGQUIT');
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

import 'reflect-metadata';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { allAddresses } from './networks.js';
import { AllSettings } from './read-settings.js';
import { allSettings } from './settings-classes.js';
import { shownSettings } from './shown-settings.js';

/** Settings that are shown and accept any text. Add one only if nobody would put a credential there. */
const PUBLIC_TEXTS = [
  ...['HOST', 'MODULES', 'PUBLIC_URL', 'DATA_DIR', 'S3_PREFIX', 'S3_BUCKET', 'S3_REGION'],
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
  ...[
    'OIDC_ISSUER',
    'OIDC_CLIENT_ID',
    'OIDC_NAME',
    'OIDC_GROUPS_CLAIM',
    'OIDC_ALLOWED_GROUPS',
    'OIDC_ADMIN_GROUP',
  ],
  ...[
    'MAIL_EHLO_NAME',
    'MAIL_OAUTH_TOKEN_URL',
    'MAIL_OAUTH_CLIENT_ID',
    'MAIL_OAUTH_SCOPE',
    'MAIL_OAUTH_USER',
  ],
  ...['MAIL_FROM', 'OPERATOR_NAME', 'OPERATOR_CONTACT', 'FOOTER_TEXT', 'GENERATOR_SEPARATOR'],
];

const RSA_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  ...{ type: 'pkcs8', format: 'pem' },
}) as string;

/** What a credential may look like; each contains the same word. */
const CREDENTIALS = [
  'geheim',
  'geheim 1',
  '/geheim',
  'user:geheim',
  'geheim@example.org',
  ...['mysql', 'redis', 'rediss', 'http', 'https', 'smtp', 'smtps', 'ldaps'].flatMap((scheme) => [
    `${scheme}://geheim@example.org/1`,
    `${scheme}://geheim:x@example.org/1`,
    `${scheme}://user:geheim@example.org/1`,
    `${scheme}://:geheim@example.org/1`,
    `${scheme}://example.org/geheim`,
    `${scheme}://example.org/1?key=geheim`,
  ]),
];

/** By its name, a setting may have a credential in it. */
const SUSPECT =
  /URL(?!_)|URI|DSN|KEY|SECRET|PASS|TOKEN|CREDENTIAL|LOGIN|USER|AUTH(?!ENTICATION)|ENDPOINT|WEBHOOK|PROXY/;

/** Such settings with a value, and what is shown of it: undefined means nothing. */
const SUSPECTS: Record<string, [text: string, shown: string | undefined]> = {
  PUBLIC_URL: ['https://push.example.org/base/', 'https://push.example.org/base'],
  HTTPS_PROXY: ['http://geheim1:geheim2@proxy.example.org:3128', 'http://proxy.example.org:3128'],
  HTTP_PROXY: ['geheim1:geheim2@[::1]:3128', 'http://[::1]:3128'],
  NO_PROXY: ['*.example.org,10.0.0.0/8', '*.example.org, 10.0.0.0/8'],
  DATABASE_URL: [
    'mysql://geheim1:geheim2@db.example.org/push?tls=on',
    'mysql://db.example.org:3306/push?tls=true',
  ],
  MASTER_KEYS: [randomBytes(32).toString('hex'), undefined],
  ADMIN_PASSWORD: ['geheim 1 geheim', undefined],
  OIDC_CLIENT_AUTH: ['post', 'post'],
  OIDC_CLIENT_SECRET: ['geheim', undefined],
  OIDC_TOKENS_FOLLOW: ['yes', 'true'],
  PASSWORD_SIGN_IN: ['none', 'none'],
  REQUIRE_PASSPHRASE: ['api', 'api'],
  S3_ENDPOINT: ['http://10.0.0.7:9000', 'http://10.0.0.7:9000'],
  S3_ACCESS_KEY_ID: ['geheim', undefined],
  S3_SECRET_ACCESS_KEY: ['geheim', undefined],
  MAIL_URL: ['smtps://geheim1:geheim2@mail.example.org', 'smtps://mail.example.org:465'],
  MAIL_OAUTH_TOKEN_URL: ['https://login.example.org/1/token', 'https://login.example.org/1/token'],
  MAIL_OAUTH_CLIENT_ID: ['sealpush', 'sealpush'],
  MAIL_OAUTH_CLIENT_SECRET: ['geheim', undefined],
  MAIL_OAUTH_PRIVATE_KEY: [RSA_KEY, undefined],
  MAIL_OAUTH_SCOPE: ['https://outlook.example.org/.default', 'https://outlook.example.org/.default'],
  MAIL_OAUTH_USER: ['push@example.org', 'push@example.org'],
  ENABLE_WEBHOOKS: ['FALSE', 'false'],
  API_TOKEN_DAYS_MAX: ['365', '365'],
  WEBHOOK_ALLOWED_NETWORKS: ['10.0.0.0/8,fd00::/8', '10.0.0.0/8, fd00::/8'],
  THROTTLE_REDIS_URL: ['rediss://geheim1:geheim2@[::1]:6380/3', 'rediss://[::1]:6380/3'],
};

const names = [...allSettings().keys()];

/** What is shown of a setting with this value; undefined also when the value is not accepted. */
function shownOf(name: string, text: string): string | undefined {
  const parse = allSettings().get(name);
  try {
    return parse?.show?.(parse(text) as never);
  } catch {
    return undefined;
  }
}

describe('Of the settings, administrators see', () => {
  it('no value that may be a credential, unless its setting is listed here as public', () => {
    const showing = names.filter((name) =>
      CREDENTIALS.some((text) => shownOf(name, text)?.includes('geheim')),
    );

    // DATABASE_URL shows the name of the database, which is the whole path
    expect(showing.filter((name) => name !== 'DATABASE_URL').sort()).toEqual([...PUBLIC_TEXTS].sort());
  });

  it('what is listed here for each whose name suggests a credential', () => {
    expect(Object.keys(SUSPECTS).sort()).toEqual(names.filter((name) => SUSPECT.test(name)).sort());
    for (const [name, [text, shown]] of Object.entries(SUSPECTS)) {
      expect(() => allSettings().get(name)?.(text)).not.toThrow();
      expect([name, shownOf(name, text)]).toEqual([name, shown]);
    }
  });

  it('every name in the order of the README, and whether it is set', () => {
    const settings = shownSettings(
      new AllSettings({
        PORT: '80',
        ALLOW_ANONYMOUS: 'yes',
        TRUSTED_PROXIES: '10.0.0.1 ::1',
        MASTER_KEYS: randomBytes(32).toString('hex'),
        S3_ACCESS_KEY_ID: 'geheim',
        S3_SECRET_ACCESS_KEY: 'geheim',
      }),
    );

    expect(settings.map(({ name }) => name)).toEqual(names);
    expect(settings).toEqual(
      expect.arrayContaining([
        { name: 'PORT', value: '80', standard: '5100', isSet: true },
        { name: 'HOST', value: allAddresses(), standard: allAddresses(), isSet: false },
        { name: 'ALLOW_ANONYMOUS', value: 'true', standard: 'true', isSet: false },
        { name: 'TRUSTED_PROXIES', value: '10.0.0.1, ::1', standard: '', isSet: true },
        { name: 'MASTER_KEYS', isSet: true },
        { name: 'S3_SECRET_ACCESS_KEY', isSet: true },
        { name: 'DATABASE_URL', isSet: false },
      ]),
    );
    expect(JSON.stringify(settings)).not.toContain('geheim');
  });
});

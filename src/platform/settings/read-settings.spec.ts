import { join, resolve } from 'node:path';
import { declareCrossChecks, hasNoEffectWithout } from './cross-checks.js';
import { allAddresses } from './networks.js';
import { flag, wholeNumber } from './parsers.js';
import { AllSettings, readSettings } from './read-settings.js';
import { common, ofOneProcess, Setting, shown } from './setting.js';
import { Settings } from './settings.js';
import { allSettings } from './settings-classes.js';
import { StartError } from './start-error.js';
import { makeFolder } from '../../../test/support/folder.js';
import { forAllTests } from '../../../test/support/for-tests.js';

const errorOf = (environment: Record<string, string>): string => {
  try {
    readSettings(environment);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(StartError);
    return (error as Error).message;
  }
};

class TulipSettings {
  @Setting(wholeNumber(1, 9)) TULIP_ROWS: number = 3;
  @Setting(wholeNumber(1, 9)) TULIP_BEDS: number = 1;
  @Setting(flag) TULIP_MAILS: boolean = false;
}

declareCrossChecks(TulipSettings, {
  TULIP_BEDS: ({ TULIP_BEDS, TULIP_ROWS }) => TULIP_BEDS > TULIP_ROWS && 'must not be more than TULIP_ROWS',
});
declareCrossChecks(TulipSettings, { TULIP_MAILS: hasNoEffectWithout('MAIL_URL') }); // added to the first

describe('The settings', () => {
  const folder = forAllTests(makeFolder);

  it('have defaults, so that none is required', () => {
    expect({ ...readSettings({}) }).toMatchObject({
      PORT: 5100,
      HOST: allAddresses(),
      DATA_DIR: resolve('data'),
      ALLOW_ANONYMOUS: true,
      EXPIRE_AFTER_DAYS_DEFAULT: 7,
      EXPIRE_AFTER_VIEWS_DEFAULT: 5,
      REQUESTS_PER_MINUTE: 120,
      PAGE_REQUESTS_PER_MINUTE: 1200,
      LOG_LEVEL: 'info',
    });
    expect(readSettings({}).MASTER_KEYS).toBeUndefined();
    expect(readSettings({}).DATABASE_URL).toBeUndefined();
  });

  it('ignore white space around a value, and variables that are not settings', () => {
    expect(readSettings({ PORT: ' 80\n', PATH: '/bin' }).PORT).toBe(80);
  });

  it('that many programs have are also read in lower case, which counts more, and may be empty', () => {
    const hostOf = (environment: Record<string, string>) => readSettings(environment).HTTPS_PROXY?.host;

    expect(hostOf({ HTTPS_PROXY: 'http://upper.proxy' })).toBe('upper.proxy');
    expect(hostOf({ HTTPS_PROXY: 'http://upper.proxy', https_proxy: 'http://lower.proxy' })).toBe(
      'lower.proxy',
    );
    expect(hostOf({ HTTPS_PROXY: 'http://upper.proxy', https_proxy: '' })).toBe('upper.proxy');
    expect(hostOf({ HTTPS_PROXY: '', https_proxy: ' ' })).toBeUndefined();
    expect(readSettings({ no_proxy: 'a.example', NO_PROXY: '' }).NO_PROXY).toEqual(['a.example']);
    expect(errorOf({ https_proxy: 'socks5://egress:tulip@proxy.example' })).toBe(
      'Wrong settings. HTTPS_PROXY: must look like http://user:password@proxy.example.org:3128, or https:// for TLS',
    );
  });

  it('can be read from a file, ignoring its last line break', () => {
    expect(readSettings({ HOST_FILE: folder.file('db.example.org\n') }).HOST).toBe('db.example.org');
    expect(readSettings({ PORT_FILE: folder.file('81\r\n') }).PORT).toBe(81);
  });

  it('can each be read from a file', () => {
    for (const name of allSettings().keys()) {
      expect(errorOf({ [`${name}_FILE`]: join(folder.path, 'nothing') })).toBe(
        `Wrong settings. ${name}: its file ${join(folder.path, 'nothing')} cannot be read (ENOENT)`,
      );
    }
  });

  it('cannot be given both as a variable and in a file', () => {
    expect(errorOf({ PORT: '80', PORT_FILE: folder.file('80') })).toBe(
      'Wrong settings. PORT: is given twice, also as PORT_FILE',
    );
  });

  it.each([['nothing'], ['.'], ['']])('cannot be in an unreadable file: %p', (name) => {
    const path = name === '' ? '' : join(folder.path, name);
    expect(errorOf({ MASTER_KEYS_FILE: path })).toMatch(
      /^Wrong settings\. MASTER_KEYS: its file (\/\S+ )?cannot be read \(E[A-Z]+\)$/,
    );
  });

  it.each(['/nope', './nope', '../no pe'])('name the path %s of a file that cannot be read', (path) => {
    expect(errorOf({ MASTER_KEYS_FILE: path })).toBe(
      `Wrong settings. MASTER_KEYS: its file ${path} cannot be read (ENOENT)`,
    );
    expect(errorOf({ BRAND_LOGO_FILE: path })).toBe(
      `Wrong settings. BRAND_LOGO_FILE: its file ${resolve(path)} cannot be read (ENOENT)`,
    );
  });

  it.each(['geheim', 'mysql://root:geheim@db/x', `/${'geheim+'.repeat(6)}=`, '/geheim\nLine two'])(
    'do not show %j, which may be a secret in place of a path (H1)',
    (secret) => {
      expect(errorOf({ MASTER_KEYS_FILE: secret })).toBe(
        'Wrong settings. MASTER_KEYS: its file cannot be read (ENOENT)',
      );
    },
  );

  it('that are misspelt stop the start, also beside the right ones (M11)', () => {
    expect(errorOf({ DISABLE_SIGNUPS: 'true', DISABLE_SIGNUP: 'geheim', MASTER_KEY_FILE: '/geheim' })).toBe(
      'Wrong settings. DISABLE_SIGNUP: is no setting; did you mean DISABLE_SIGNUPS?; ' +
        'MASTER_KEY_FILE: is no setting; did you mean MASTER_KEYS_FILE?',
    );
  });

  it('cannot be empty, in the environment or in a file', () => {
    for (const [name, { isCommon }] of allSettings()) {
      if (isCommon) continue;
      const error = `Wrong settings. ${name}: is empty; leave it out for the default`;
      expect(errorOf({ [name]: '' })).toBe(error);
      expect(errorOf({ [name]: ' \t' })).toBe(error);
    }
    expect(errorOf({ MASTER_KEYS_FILE: folder.file('\n') })).toContain('MASTER_KEYS: is empty');
  });

  it('report all errors at once, without values (H1)', () => {
    const environment = {
      PORT: 'geheim1',
      DATABASE_URL: 'mysql://root:geheim2@db:nowhere/x',
      MASTER_KEYS: 'geheim3',
      ALLOW_ANONYMOUS: 'geheim4',
      EXPIRE_AFTER_DAYS_MIN: '30',
      EXPIRE_AFTER_VIEWS_MAX: 'geheim5',
      LOG_LEVEL_FILE: folder.file('geheim6'),
    };

    expect(errorOf(environment)).toBe(
      'Wrong settings. PORT: must be a whole number from 0 to 65535; ' +
        'DATABASE_URL: must look like mysql://user:password@host:3306/database; ' +
        'MASTER_KEYS: must be keys of 32 bytes in base64 or hex, separated by commas; ' +
        'ALLOW_ANONYMOUS: must be true or false; ' +
        'EXPIRE_AFTER_VIEWS_MAX: must be a whole number from 1 to 1000000; ' +
        'LOG_LEVEL: must be one of error, warn, info, debug; ' +
        'EXPIRE_AFTER_DAYS_DEFAULT: must lie between EXPIRE_AFTER_DAYS_MIN and EXPIRE_AFTER_DAYS_MAX',
    );
  });

  it.each<Record<string, string>>([
    { EXPIRE_AFTER_DAYS_MIN: '8' },
    { EXPIRE_AFTER_DAYS_MAX: '6' },
    { EXPIRE_AFTER_DAYS_DEFAULT: '91' },
    { EXPIRE_AFTER_DAYS_MIN: '9', EXPIRE_AFTER_DAYS_MAX: '3' },
  ])('cannot contradict each other: %j (A3)', (environment) => {
    expect(errorOf(environment)).toBe(
      'Wrong settings. EXPIRE_AFTER_DAYS_DEFAULT: must lie between EXPIRE_AFTER_DAYS_MIN and EXPIRE_AFTER_DAYS_MAX',
    );
  });

  it.each<Record<string, string>>([
    { ADMIN_EMAIL: 'ada@example.org' },
    { ADMIN_PASSWORD: 'geheim, aber lang' },
  ])('need each other: %j', (environment) => {
    expect(errorOf(environment)).toBe(
      'Wrong settings. ADMIN_EMAIL: must be set together with ADMIN_PASSWORD or not at all',
    );
  });

  it.each([
    [{ OIDC_CLIENT_AUTH: 'post' }, 'must be none unless OIDC_CLIENT_SECRET is set'],
    [
      { OIDC_CLIENT_AUTH: 'none', OIDC_CLIENT_SECRET: 'x' },
      'must not be none while OIDC_CLIENT_SECRET is set',
    ],
    [{ OIDC_CLIENT_AUTH: 'jwt' }, 'must be one of post, basic, basic_raw, none'],
  ])('say how a secret is sent only if there is one: %j', (more, error) => {
    const provider = { OIDC_ISSUER: 'https://login.example.org', OIDC_CLIENT_ID: 'sealpush' };
    const environment = { ...provider, PUBLIC_URL: 'https://push.example.org', ...more };
    expect(errorOf(environment)).toBe(`Wrong settings. OIDC_CLIENT_AUTH: ${error}`);
  });

  const MAIL = {
    ...{ MAIL_URL: 'smtp://mail.example.org', MAIL_FROM: 'push@example.org' },
    PUBLIC_URL: 'https://push.example.org',
  };
  const OAUTH = {
    ...{ MAIL_OAUTH_TOKEN_URL: 'https://login.example.org/token', MAIL_OAUTH_CLIENT_ID: 'sealpush' },
    MAIL_OAUTH_CLIENT_SECRET: 'geheim',
  };

  it.each<[Record<string, string>, string]>([
    [{ MAIL_TLS: 'off' }, 'MAIL_TLS: has no effect unless MAIL_URL is set'],
    [
      { ...MAIL, MAIL_URL: 'smtps://mail.example.org', MAIL_TLS: 'opportunistic' },
      'MAIL_TLS: must be required with smtps://, where the connection begins with TLS',
    ],
    [
      { ...MAIL, ...OAUTH, MAIL_TLS: 'opportunistic' },
      'MAIL_TLS: must be required when MAIL_OAUTH_TOKEN_URL is set: a token must not be read on the way',
    ],
    [
      { ...MAIL, ...OAUTH, MAIL_URL: 'smtp://robin:geheim@mail.example.org' },
      'MAIL_URL: must have no user and password when MAIL_OAUTH_TOKEN_URL is set',
    ],
    [
      { ...MAIL, MAIL_OAUTH_TOKEN_URL: OAUTH.MAIL_OAUTH_TOKEN_URL, MAIL_OAUTH_CLIENT_ID: 'sealpush' },
      'MAIL_OAUTH_CLIENT_SECRET: is needed when MAIL_OAUTH_TOKEN_URL is set, unless MAIL_OAUTH_PRIVATE_KEY is',
    ],
    [
      { ...MAIL, MAIL_OAUTH_USER: 'push@example.org' },
      'MAIL_OAUTH_USER: has no effect unless MAIL_OAUTH_TOKEN_URL is set',
    ],
    [
      { ...MAIL, ...OAUTH, MAIL_OAUTH_TOKEN_URL: 'http://login.example.org/token' },
      'MAIL_OAUTH_TOKEN_URL: must be an https address without query, or an http address of this machine',
    ],
  ])('of mail cannot contradict each other: %j', (environment, error) => {
    expect(errorOf(environment)).toBe(`Wrong settings. ${error}`);
  });

  it('of mail agree where a token is sent to this machine only', () => {
    const environment = { ...MAIL, ...OAUTH, MAIL_URL: 'smtp://127.0.0.1', MAIL_TLS: 'off' };
    expect(readSettings(environment)).toMatchObject({ MAIL_TLS: 'off', MAIL_OAUTH_CLIENT_SECRET: 'geheim' });
  });

  it.each<[Record<string, string>, string]>([
    [{ TULIP_BEDS: '4' }, 'TULIP_BEDS: must not be more than TULIP_ROWS'],
    [{ TULIP_BEDS: '4', TULIP_ROWS: '0' }, 'TULIP_ROWS: must be a whole number from 1 to 9'],
    [{ TULIP_BEDS: '0' }, 'TULIP_BEDS: must be a whole number from 1 to 9'],
    [{ TULIP_MAILS: 'yes' }, 'TULIP_MAILS: has no effect unless MAIL_URL is set'],
    [{ TULIP_MAILS: 'yes', MAIL_URL: 'tulip' }, 'MAIL_URL: must look like smtp://'],
  ])(
    'of another class keep its rules, unless what these need is wrong by itself: %j',
    (environment, error) => {
      expect(errorOf(environment).startsWith(`Wrong settings. ${error}`)).toBe(true);
      expect(errorOf(environment)).not.toContain('; ');
    },
  );

  it('of all classes are read together', () => {
    const settings = new AllSettings({ PORT: '80', TULIP_ROWS: '5' });
    expect([settings.of(Settings).PORT, settings.of(TulipSettings).TULIP_ROWS]).toEqual([80, 5]);
  });

  it('keep what each decorator of their parser says', () => {
    for (const { ...parser } of [ofOneProcess(common(shown(flag))), common(ofOneProcess(shown(flag)))])
      expect(parser).toEqual({ isCommon: true, isOfOneProcess: true, show: String });
  });

  it('can be equal to the minimum and maximum', () => {
    const environment = {
      EXPIRE_AFTER_VIEWS_MIN: '3',
      EXPIRE_AFTER_VIEWS_DEFAULT: '3',
      EXPIRE_AFTER_VIEWS_MAX: '3',
    };
    expect(readSettings(environment).EXPIRE_AFTER_VIEWS_DEFAULT).toBe(3);
  });
});

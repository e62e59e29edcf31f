import 'reflect-metadata';
import { describeIgnoredNames, misspeltNames } from './names.js';
import { allSettings } from './settings-classes.js';

const environmentOf = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'geheim']));

/** What shells, container engines, process managers and orchestrators set, and what other programs read. */
const OF_THE_MACHINE = [
  ...[
    'PATH',
    'PWD',
    'OLDPWD',
    'HOME',
    'HOSTNAME',
    'HOSTTYPE',
    'HOSTFILE',
    'HISTFILE',
    'USER',
    'LOGNAME',
    'MAIL',
  ],
  ...[
    'SHELL',
    'SHLVL',
    'TERM',
    'LANG',
    'LC_ALL',
    'TZ',
    'TMPDIR',
    'EDITOR',
    'PAGER',
    'DISPLAY',
    'POST',
    'SORT',
    'HOSTS',
  ],
  ...[
    'PORTS',
    'CERT_FILE',
    'LOCK_FILE',
    'SSL_CERT_FILE',
    'XDG_DATA_DIRS',
    'XDG_DATA_HOME',
    'BASE_DIR',
    'CACHE_DIR',
  ],
  ...[
    'SUDO_USER',
    'SSH_AUTH_SOCK',
    'http_proxy',
    'https_proxy',
    'no_proxy',
    'NO_PROXY',
    'ALL_PROXY',
    'all_proxy',
    'FTP_PROXY',
    'ftp_proxy',
    'NODE_USE_ENV_PROXY',
    'npm_config_https_proxy',
    'npm_config_noproxy',
    'COLOR',
    'NO_COLOR',
    'FORCE_COLOR',
    'CI',
    'DEBUG',
  ],
  ...[
    'NODE',
    'NODE_ENV',
    'NODE_OPTIONS',
    'NODE_VERSION',
    'NODE_EXTRA_CA_CERTS',
    'NODE_COMPILE_CACHE',
    'YARN_VERSION',
  ],
  ...[
    'npm_config_loglevel',
    'npm_package_name',
    'npm_lifecycle_event',
    'INIT_CWD',
    'NODE_UNIQUE_ID',
    'NODE_CHANNEL_FD',
  ],
  ...[
    'INVOCATION_ID',
    'JOURNAL_STREAM',
    'STATE_DIRECTORY',
    'CREDENTIALS_DIRECTORY',
    'LOGS_DIRECTORY',
    'NOTIFY_SOCKET',
  ],
  ...[
    'KUBERNETES_PORT',
    'KUBERNETES_SERVICE_HOST',
    'KUBERNETES_PORT_443_TCP_ADDR',
    'SEALPUSH_PORT',
    'REDIS_PORT',
  ],
  ...[
    'SEALPUSH_SERVICE_HOST',
    'SEALPUSH_SERVICE_PORT',
    'MYSQL_PORT_3306_TCP',
    'MAIL_SERVICE_HOST',
    'S3_SERVICE_PORT',
  ],
  ...[
    'S3_SERVICE_HOST',
    'S3_PORT',
    'S3_PORT_9000_TCP_PROTO',
    'AWS_REGION',
    'REQUESTS_CA_BUNDLE',
    'AWS_ACCESS_KEY_ID',
    'MYSQL_PASSWORD',
    'MARIADB_DATABASE',
  ],
];

describe('The names of settings', () => {
  it.each([
    ['DISABLE_SIGNUP', 'DISABLE_SIGNUPS'],
    ['DISABLE_SINGUPS', 'DISABLE_SIGNUPS'],
    ['DISABLE_SIGN_UPS', 'DISABLE_SIGNUPS'],
    ['disable_signups', 'DISABLE_SIGNUPS'],
    ['DISABLE-SIGNUPS', 'DISABLE_SIGNUPS'],
    ['ALOW_ANONYMUS', 'ALLOW_ANONYMOUS'],
    ['MASTER_KEY', 'MASTER_KEYS'],
    ['MASTER_KEY_FILE', 'MASTER_KEYS_FILE'],
    ['MASTER_KEYSFILE', 'MASTER_KEYS_FILE'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['EXPIRE_AFTER_VIEW_MAX', 'EXPIRE_AFTER_VIEWS_MAX'],
    ['WORKER', 'WORKERS'],
    ['WROKERS', 'WORKERS'],
    ['DATADIR', 'DATA_DIR'],
    ['3S_BUCKET', 'S3_BUCKET'],
  ])('that are misspelt are told from others: %s is meant as %s (M11)', (name, meant) => {
    expect(misspeltNames(environmentOf(name))).toEqual([[name, meant]]);
  });

  it('that are short, and those of the machine, are not meant by others (M11)', () => {
    const environment = environmentOf(...OF_THE_MACHINE, 'HORST', 'PROT', 'WORKSHOP', 'WOKER', 'METRIC_PORT');
    environment.METRIC_SERVICE_HOST = '10.0.0.1';

    expect(misspeltNames(environment)).toEqual([]);
    expect(describeIgnoredNames(environment)).toBeUndefined();
  });

  it.each(['DO_REGION', 'B2_BUCKET', 'MAX_LINES', 'META_DIR', 'METRICS_HOST'])(
    'with another word are not meant by %s (M11)',
    (name) => {
      expect(misspeltNames(environmentOf(name))).toEqual([]);
    },
  );

  it('are themselves neither misspelt nor ignored, also with _FILE', () => {
    const environment = environmentOf(...[...allSettings().keys()].flatMap((name) => [name, `${name}_FILE`]));

    expect(misspeltNames(environment)).toEqual([]);
    expect(describeIgnoredNames(environment)).toBeUndefined();
  });

  it('that only begin alike are named with others, without their values (H1, M11)', () => {
    const names = ['OIDC_RESPONSE_TYPE', 'S3_ACCELERATE', 'MAIL_PASSWORD', 'LOG_FILE', 'EXPIRE_AFTER_HOURS'];

    expect(misspeltNames(environmentOf(...names))).toEqual([]);
    expect(describeIgnoredNames(environmentOf(...names, 'PATH'))).toBe(
      `Ignored, because there are no settings of these names (docs/settings.md): ${names.join(', ')}`,
    );
  });
});

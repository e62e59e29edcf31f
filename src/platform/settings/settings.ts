import { resolve } from 'node:path';
import { declareCrossChecks, hasNoEffectWithout, liesBetween, setTogether } from './cross-checks.js';
import type { Mailbox } from './parsers.js';
import {
  color,
  contact,
  domains,
  ehloName,
  email,
  flag,
  folder,
  host,
  hostsWithoutProxy,
  line,
  mailbox,
  masterKeys,
  modules,
  networks,
  oneOf,
  rsaKey,
  s3Endpoint,
  s3Prefix,
  showMailbox,
  tokenUrl,
  limit,
  wholeNumber,
  word,
} from './parsers.js';
import type { Language } from '../../texts/languages.js';
import { LANGUAGE_CODES } from '../../texts/languages.js';
import type { Logo } from './logo.js';
import { logo } from './logo.js';
import { allAddresses, isLoopback } from './networks.js';
import { publicUrl } from './parse-public-url.js';
import type { DatabaseAddress } from './database-address.js';
import { databaseUrl, showDatabaseUrl } from './database-address.js';
import type { MailServerAddress, ProxyAddress, RedisAddress } from './server-addresses.js';
import {
  haveAgentsProxies,
  mailUrl,
  proxyUrl,
  redisUrl,
  showMailUrl,
  showProxyUrl,
  showRedisUrl,
} from './server-addresses.js';
import { common, ofOneProcess, Setting, shown } from './setting.js';
import type { OwnTexts } from './texts.js';
import { language, languages, ownTexts } from './texts.js';

type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Text is for people, JSON for programs. */
export type LogFormat = 'json' | 'text';

/** Which accounts with a password must have a second factor. */
type SecondFactorPolicy = 'none' | 'administrators' | 'everyone';

/** Who may sign in with a password. */
export type PasswordSignIn = 'all' | 'administrators' | 'none';

/** Whether mails are encrypted on the way to the mail server: always, if it can, or never. */
export type MailTls = 'required' | 'opportunistic' | 'off';

/** For which ways to create something it is required. */
export type RequiredFor = 'false' | 'pages' | 'api' | 'true';

/** What a process serves: everything, or only what recipients need. */
type Role = 'all' | 'gateway';

/** Whether the pages encrypt secrets in the browser. It never concerns the API. */
export type EndToEnd = 'off' | 'offered' | 'default' | 'required';

/**
 * The settings of the service with their defaults; those of a feature are in its folder. docs/settings.md is generated
 * from all of them by `npm run settings`: line comments are its headings, and the comment of each property says what it
 * means.
 */
export class Settings {
  // Server

  /** Port to listen on; 0 means any free one. */
  @Setting(ofOneProcess(wholeNumber(0, 65535))) PORT: number = 5100;
  /**
   * Address or host name to listen on. `::` is all addresses, of IPv4 as well; `0.0.0.0`, the default where the system has
   * no IPv6, is those of IPv4.
   */
  @Setting(ofOneProcess(shown(host))) HOST: string = allAddresses();
  /** Processes that share PORT, for machines with several cores. */
  @Setting(wholeNumber(1, 64)) WORKERS: number = 1;
  /**
   * What this process serves: `all`, or as `gateway` only what recipients need, for the public side of an installation
   * whose other processes are not public: [how](operating/several-processes.md#a-gateway-for-recipients).
   */
  @Setting(oneOf('all', 'gateway')) ROLE: Role = 'all';
  /**
   * Base URL of the installation, at the root of a host or [below a path](install/reverse-proxies.md#below-a-path-of-a-host);
   * all links start with it; when absent, the scheme and host of each request.
   */
  @Setting(shown(publicUrl)) PUBLIC_URL?: string;
  /**
   * Your own proxies, separated by commas; client address, scheme and host in `X-Forwarded-*` are accepted
   * only from them.
   */
  @Setting(networks) TRUSTED_PROXIES: string[] = [];

  /**
   * A proxy by which this service reaches others at `https` addresses: the identity provider, the file store and webhooks,
   * such as `http://user:password@proxy.example.org:3128`. [More](operating/outgoing.md); also read in lower case.
   */
  @Setting(common(shown(proxyUrl, showProxyUrl))) HTTPS_PROXY?: ProxyAddress;
  /** The same for their `http` addresses. */
  @Setting(common(shown(proxyUrl, showProxyUrl))) HTTP_PROXY?: ProxyAddress;
  /**
   * What is reached without these proxies: host names, each with all names below it, IP addresses and networks, also with a
   * port, separated by commas; `*` is everything.
   */
  @Setting(common(hostsWithoutProxy)) NO_PROXY: string[] = [];

  /**
   * Your own modules, separated by commas or spaces: paths that start with `./` or `/`, or names of packages:
   * [more](extending.md).
   */
  @Setting(modules) MODULES: string[] = [];

  // Database and master keys

  /** Folder of the SQLite database and of a generated master key. */
  @Setting(shown(folder)) DATA_DIR: string = resolve('data');
  /**
   * A database of MySQL or MariaDB, with `?tls=true` for TLS, or of PostgreSQL, with the
   * [parameters](operating/databases.md#postgresql) of libpq; when absent, SQLite in DATA_DIR.
   */
  @Setting(shown(databaseUrl, showDatabaseUrl)) DATABASE_URL?: DatabaseAddress;
  /** Connections to the database server for each process. */
  @Setting(wholeNumber(1, 1000)) DATABASE_POOL_SIZE: number = 10;
  /**
   * The first encrypts, all can decrypt; when absent, `DATA_DIR/master.key`, which the first start creates.
   */
  @Setting(masterKeys) MASTER_KEYS?: Buffer[];

  // Accounts

  /**
   * Whether people without an account may use it; when false, the API serves only version, introduction and
   * documentation without a token, and the page to create pushes requires signing in; pages still open a
   * push for anyone who has its link, and anyone may sign up unless `DISABLE_SIGNUPS` is true.
   */
  @Setting(flag) ALLOW_ANONYMOUS: boolean = true;
  /**
   * When true, nobody can sign up on the pages; administrators invite people, and commands create accounts. Recommended:
   * [why](operating/accounts.md#signing-up).
   */
  @Setting(flag) DISABLE_SIGNUPS: boolean = false;

  /**
   * Which accounts with a password must have a [second factor](operating/accounts.md#second-factors): until they have set one up,
   * they can do nothing else on the pages, and their API tokens get a 403.
   */
  @Setting(oneOf('none', 'administrators', 'everyone')) REQUIRE_SECOND_FACTOR: SecondFactorPolicy = 'none';
  /** Days after which a session on the pages ends, however much it is used; one that is not used ends after a day. */
  @Setting(wholeNumber(1, 365)) SESSION_DAYS: number = 14;

  // Single sign-on

  /** Whether those who come from the provider are asked for a second factor of ours, and REQUIRE_SECOND_FACTOR holds for them. */
  @Setting(flag) OIDC_SECOND_FACTOR: boolean = false;
  /**
   * Whether API tokens of accounts that sign in at the provider stop working while the account has not signed in there
   * for SESSION_DAYS.
   */
  @Setting(flag) OIDC_TOKENS_FOLLOW: boolean = false;
  /**
   * Who may sign in with a password: `all`, `administrators`, or `none`. Passkeys and API tokens work in any case. Unless
   * it is `all`, nobody can sign up on the pages.
   */
  @Setting(oneOf('all', 'administrators', 'none')) PASSWORD_SIGN_IN: PasswordSignIn = 'all';

  // Pushes

  /** Whether pushes of kind `url` are accepted. */
  @Setting(flag) ENABLE_URL_PUSHES: boolean = true;
  /** Whether pushes of kind `qr` are accepted. */
  @Setting(flag) ENABLE_QR_PUSHES: boolean = true;
  /** Lifetime of a push in days when its creator does not set it. */
  @Setting(wholeNumber(1, 36500)) EXPIRE_AFTER_DAYS_DEFAULT: number = 7;
  /** Smallest allowed number of days. */
  @Setting(wholeNumber(1, 36500)) EXPIRE_AFTER_DAYS_MIN: number = 1;
  /** Largest allowed number of days. */
  @Setting(wholeNumber(1, 36500)) EXPIRE_AFTER_DAYS_MAX: number = 90;
  /** Views that a push allows when its creator does not set them. */
  @Setting(wholeNumber(1, 1_000_000)) EXPIRE_AFTER_VIEWS_DEFAULT: number = 5;
  /** Smallest allowed number of views. */
  @Setting(wholeNumber(1, 1_000_000)) EXPIRE_AFTER_VIEWS_MIN: number = 1;
  /** Largest allowed number of views. */
  @Setting(wholeNumber(1, 1_000_000)) EXPIRE_AFTER_VIEWS_MAX: number = 100;
  /** Whether a viewer may delete a push when the request does not say. */
  @Setting(flag) DELETABLE_BY_VIEWER_DEFAULT: boolean = false;
  /**
   * Whether a link asks for confirmation before it shows the secret when the request does not say; the form
   * on the pages always proposes it.
   */
  @Setting(flag) RETRIEVAL_STEP_DEFAULT: boolean = false;
  /** Whether a retrieval by the owner counts as a view. */
  @Setting(flag) OWNER_VIEWS_COUNT: boolean = true;
  /** Days after which an API token that is created on the pages ends at the latest; when absent, it need not end. */
  @Setting(wholeNumber(1, 36500)) API_TOKEN_DAYS_MAX?: number;
  /** Days that an ended push with an owner is kept, with its note and audit log; when absent, forever. */
  @Setting(wholeNumber(1, 36500)) RETENTION_DAYS?: number;
  /** Days that an entry of the [audit log of the installation](operating/audit-logs.md#audit-log-of-the-installation) is kept. */
  @Setting(wholeNumber(1, 36500)) AUDIT_RETENTION_DAYS: number = 365;
  /**
   * Whether the pages encrypt secrets in the browser, [end to end](end-to-end.md): `off` never, `offered`
   * when the sender chooses it, `default` unless the sender chooses otherwise or the browser has no
   * JavaScript, `required` always; for the API: END_TO_END_API.
   */
  @Setting(oneOf('off', 'offered', 'default', 'required')) END_TO_END: EndToEnd = 'default';

  // Who may create, and what

  /**
   * Networks from which pushes and requests may be created, separated by commas; when absent, all. Elsewhere creating is
   * a 403; opening and answering are not affected: [more](operating/limits.md#who-may-create-and-what).
   */
  @Setting(networks) CREATORS: string[] = [];
  /**
   * Networks from which pushes may be created without an account, separated by commas; when absent, all, unless
   * CREATOR_DOMAINS is set. Requires ALLOW_ANONYMOUS.
   */
  @Setting(networks) ANONYMOUS_CREATORS: string[] = [];
  /**
   * Domains of email addresses, separated by commas: only accounts with such an address, verified, may create; when
   * absent, all.
   */
  @Setting(domains) CREATOR_DOMAINS: string[] = [];
  /** Whether a push needs a passphrase: `false`, `true`, or only where it is created on the `pages` or by the `api`. */
  @Setting(oneOf('false', 'pages', 'api', 'true')) REQUIRE_PASSPHRASE: RequiredFor = 'false';
  /** Whether links ask for confirmation, whatever the request says; the values are those of REQUIRE_PASSPHRASE. */
  @Setting(oneOf('false', 'pages', 'api', 'true')) REQUIRE_CLICK: RequiredFor = 'false';
  /**
   * Whether a push must [name who may open it](api.md#recipients), who get codes by mail; the values are those of
   * REQUIRE_PASSPHRASE.
   */
  @Setting(oneOf('false', 'pages', 'api', 'true')) REQUIRE_RECIPIENTS: RequiredFor = 'false';
  /** Whether the API accepts only what its client has encrypted [end to end](end-to-end.md); for the pages: END_TO_END. */
  @Setting(oneOf('offered', 'required')) END_TO_END_API: 'offered' | 'required' = 'offered';

  // Files

  /** Whether files may be attached to pushes. */
  @Setting(flag) ENABLE_FILE_PUSHES: boolean = true;
  /** Whether attaching files needs an API token. */
  @Setting(flag) FILES_REQUIRE_AUTHENTICATION: boolean = true;
  /** Files in one push, at most. */
  @Setting(wholeNumber(1, 1000)) MAX_FILES: number = 10;
  /** Bytes in one file, at most; before encryption, if the client encrypts it. */
  @Setting(wholeNumber(1, 10_000_000_000_000)) MAX_FILE_SIZE: number = 104_857_600;
  /** Bytes in all files of one push, at most; before encryption, if the client encrypts them. */
  @Setting(wholeNumber(1, 10_000_000_000_000)) MAX_PUSH_SIZE: number = 262_144_000;
  /** Where the encrypted bytes of files are stored: `disk` is `DATA_DIR/files`. */
  @Setting(oneOf('disk', 's3')) FILE_STORAGE: 'disk' | 's3' = 'disk';
  /**
   * Bytes that uploads leave free on the disk of `DATA_DIR/files`; below that, uploads get a 503; when
   * absent, 5 % of the disk and at most 1 GiB; 0 is no reserve.
   */
  @Setting(wholeNumber(0, 100_000_000_000_000)) DISK_RESERVE?: number;
  /**
   * Bytes of files that an account may upload in a UTC day; beyond that, uploads get a 429; 0 is no limit.
   */
  @Setting(limit(100_000_000_000_000)) UPLOAD_BYTES_PER_DAY: number = 0;
  /** Address of a server that speaks the S3 protocol, without a path; when absent, Amazon S3. */
  @Setting(shown(s3Endpoint)) S3_ENDPOINT?: string;
  /**
   * Whether requests name the bucket in the path, `host/bucket/key`, or in the host, `bucket.host/key`; when absent, in the
   * path if S3_ENDPOINT is set.
   */
  @Setting(flag) S3_PATH_STYLE?: boolean;
  /** Name of the bucket; required with `s3`, otherwise ignored. */
  @Setting(shown(word)) S3_BUCKET?: string;
  /**
   * Folder in the bucket, such as `sealpush/files`, outside of which nothing is read, listed or removed; when absent, the
   * whole bucket. Files do not move when it changes: [more](operating/files.md#a-folder-of-the-bucket).
   */
  @Setting(shown(s3Prefix)) S3_PREFIX?: string;
  /** Region of the bucket. */
  @Setting(shown(word)) S3_REGION: string = 'us-east-1';
  /** Key for the bucket; when absent, the credentials of the machine's role. */
  @Setting(word) S3_ACCESS_KEY_ID?: string;
  /** Secret of that key. */
  @Setting(word) S3_SECRET_ACCESS_KEY?: string;

  // Mail

  /**
   * An SMTP server, which must support TLS unless it is on this machine or MAIL_TLS says otherwise; requires `PUBLIC_URL`;
   * when absent, no mail is sent.
   */
  @Setting(shown(mailUrl, showMailUrl)) MAIL_URL?: MailServerAddress;
  /**
   * Whether mails are sent only by TLS with a valid certificate (`required`), by TLS with any certificate if the server
   * offers it (`opportunistic`), or always without (`off`): [more](operating/mail.md#servers-without-tls). When absent,
   * `required`, and `opportunistic` for a server on this machine.
   */
  @Setting(oneOf('required', 'opportunistic', 'off')) MAIL_TLS?: MailTls;
  /**
   * What the service calls itself to the mail server (EHLO); when absent, the host of PUBLIC_URL, or if that has no domain,
   * [that of the machine](operating/mail.md#the-greeting).
   */
  @Setting(shown(ehloName)) MAIL_EHLO_NAME?: string;
  /**
   * Where access tokens for the mail server are requested, for servers that take no password (OAuth 2.0):
   * [recipes](operating/mail.md#signing-in-with-oauth-20). Requires MAIL_OAUTH_CLIENT_ID, and MAIL_OAUTH_CLIENT_SECRET or
   * MAIL_OAUTH_PRIVATE_KEY.
   */
  @Setting(shown(tokenUrl)) MAIL_OAUTH_TOKEN_URL?: string;
  /** The id of this installation there; for Google the address of the service account. */
  @Setting(shown(line(2000))) MAIL_OAUTH_CLIENT_ID?: string;
  /** Its secret there, for the grant of client credentials. White space at its beginning and end is left out. */
  @Setting(line(2000)) MAIL_OAUTH_CLIENT_SECRET?: string;
  /** In place of a secret the private key of a service account, for the grant of a signed assertion, as Google needs it. */
  @Setting(rsaKey) MAIL_OAUTH_PRIVATE_KEY?: string;
  /** What the token is requested for, such as `https://outlook.office365.com/.default`. */
  @Setting(shown(line(2000))) MAIL_OAUTH_SCOPE?: string;
  /** The mailbox that is signed in to; when absent, the address of MAIL_FROM. */
  @Setting(shown(email)) MAIL_OAUTH_USER?: string;
  /** The sender of all mails: an address, or a name and an address such as `Sealpush <push@example.org>`. */
  @Setting(shown(mailbox, showMailbox)) MAIL_FROM?: Mailbox;
  /**
   * Mails with links to its pushes that an account may have sent to others in a UTC day; beyond that, requests for mails
   * get a 422; 0 is no limit.
   */
  @Setting(limit(1_000_000)) MAILS_PER_DAY: number = 100;
  /**
   * Mails in an hour with the codes of those who may open a push: for the pushes of each account, and for all pushes
   * without an account together. Beyond that no code is sent until the hour has ended, whoever asks; 0 is no limit.
   */
  @Setting(limit(1_000_000)) CODE_MAILS_PER_HOUR: number = 200;

  // Brand

  /**
   * Name of whoever runs the installation, shown on every page in place of Sealpush; at most 60 characters.
   */
  @Setting(shown(line(60))) OPERATOR_NAME?: string;
  /** What every page links to as the contact. */
  @Setting(shown(contact)) OPERATOR_CONTACT?: string;
  /** Path of an SVG or PNG of at most 100 kB, shown in place of our logo. */
  @Setting(shown(logo, ({ extension }: Logo) => extension)) BRAND_LOGO_FILE?: Logo;
  /** Colour of links and buttons, of pages and mails; where it would be hard to read it is made lighter or darker. */
  @Setting(color) BRAND_COLOR?: string;
  /** The same for the dark mode; when absent, BRAND_COLOR. */
  @Setting(color) BRAND_COLOR_DARK?: string;
  /** A line at the end of every page; at most 200 characters. */
  @Setting(shown(line(200))) FOOTER_TEXT?: string;

  // Languages

  /** The languages that pages offer and mails have, separated by commas. */
  @Setting(languages) LANGUAGES: Language[] = [...LANGUAGE_CODES];
  /**
   * That of pages and mails for whoever prefers none of the others; when absent, the first of LANGUAGES.
   */
  @Setting(language) DEFAULT_LANGUAGE?: Language;
  /**
   * Path of a JSON file with sentences in place of ours, such as a company's own word for secrets:
   * [more](operating/appearance.md#own-words).
   */
  @Setting(ownTexts) TEXTS_FILE?: OwnTexts;

  // Limits

  /** Requests from each client address; 0 is no limit, also for pages. */
  @Setting(limit(1_000_000)) REQUESTS_PER_MINUTE: number = 120;
  /** Pages that each client address may load, counted separately from all other requests; 0 is no limit. */
  @Setting(limit(10_000_000)) PAGE_REQUESTS_PER_MINUTE: number = 1200;
  /** A Redis in which all processes count requests together; when absent, each process counts by itself. */
  @Setting(shown(redisUrl, showRedisUrl)) THROTTLE_REDIS_URL?: RedisAddress;
  /**
   * Bytes of memory for the bodies of unfinished requests, in each process; requests with further bodies get
   * a 503; files sent as multipart do not count; the smallest value is the largest possible body; when absent,
   * 134217728, or 41943040 where each process has less than a gibibyte of memory.
   */
  @Setting(wholeNumber(35_651_584, 1_000_000_000_000)) MAX_BODY_BYTES_IN_PROGRESS?: number;

  // Logging

  /** The least important lines that are logged; requests are `info`. */
  @Setting(oneOf('error', 'warn', 'info', 'debug')) LOG_LEVEL: LogLevel = 'info';
  /** JSON for programs or text for people; when absent, text where stdout is a terminal. */
  @Setting(oneOf('json', 'text')) LOG_FORMAT?: LogFormat;

  /** Whether this process serves only what recipients need. */
  get isGateway(): boolean {
    return this.ROLE === 'gateway';
  }

  /** Whether people may sign up on the pages. */
  get maySignUp(): boolean {
    return !this.DISABLE_SIGNUPS && this.PASSWORD_SIGN_IN === 'all';
  }
}

declareCrossChecks(Settings, {
  EXPIRE_AFTER_DAYS_DEFAULT: liesBetween('EXPIRE_AFTER_DAYS_MIN', 'EXPIRE_AFTER_DAYS_MAX'),
  EXPIRE_AFTER_VIEWS_DEFAULT: liesBetween('EXPIRE_AFTER_VIEWS_MIN', 'EXPIRE_AFTER_VIEWS_MAX'),
  S3_BUCKET: ({ FILE_STORAGE, S3_BUCKET }) =>
    FILE_STORAGE === 's3' && S3_BUCKET === undefined && 'is needed when FILE_STORAGE is s3',
  FILE_STORAGE: ({ FILE_STORAGE, HTTPS_PROXY, HTTP_PROXY }) =>
    FILE_STORAGE === 's3' &&
    (HTTPS_PROXY ?? HTTP_PROXY) !== undefined &&
    !haveAgentsProxies() &&
    'needs Node.js 22.21, 24.5 or newer to reach s3 through HTTPS_PROXY or HTTP_PROXY',
  S3_ACCESS_KEY_ID: setTogether('S3_SECRET_ACCESS_KEY'),
  MAIL_FROM: setTogether('MAIL_URL'),
  PUBLIC_URL: ({ MAIL_URL, PUBLIC_URL }) =>
    MAIL_URL !== undefined &&
    PUBLIC_URL === undefined &&
    'is needed when MAIL_URL is set, for the links in mails',
  MAIL_TLS: [
    hasNoEffectWithout('MAIL_URL'),
    ({ MAIL_TLS = 'required', MAIL_URL }) =>
      MAIL_TLS !== 'required' &&
      MAIL_URL?.tls === true &&
      'must be required with smtps://, where the connection begins with TLS',
    ({ MAIL_OAUTH_TOKEN_URL, MAIL_URL, MAIL_TLS = 'required' }) =>
      MAIL_OAUTH_TOKEN_URL !== undefined &&
      MAIL_TLS !== 'required' &&
      !isLoopback(MAIL_URL?.host ?? '') &&
      'must be required when MAIL_OAUTH_TOKEN_URL is set: a token must not be read on the way',
  ],
  MAIL_EHLO_NAME: hasNoEffectWithout('MAIL_URL'),
  MAIL_OAUTH_TOKEN_URL: [hasNoEffectWithout('MAIL_URL'), setTogether('MAIL_OAUTH_CLIENT_ID')],
  MAIL_OAUTH_CLIENT_SECRET: [
    hasNoEffectWithout('MAIL_OAUTH_TOKEN_URL'),
    (settings) => {
      const { MAIL_OAUTH_CLIENT_SECRET: secret, MAIL_OAUTH_PRIVATE_KEY: key } = settings;
      if (secret !== undefined && key !== undefined)
        return 'cannot be set together with MAIL_OAUTH_PRIVATE_KEY';
      const isMissing =
        settings.MAIL_OAUTH_TOKEN_URL !== undefined && secret === undefined && key === undefined;
      return isMissing && 'is needed when MAIL_OAUTH_TOKEN_URL is set, unless MAIL_OAUTH_PRIVATE_KEY is';
    },
  ],
  MAIL_OAUTH_PRIVATE_KEY: hasNoEffectWithout('MAIL_OAUTH_TOKEN_URL'),
  MAIL_OAUTH_SCOPE: hasNoEffectWithout('MAIL_OAUTH_TOKEN_URL'),
  MAIL_OAUTH_USER: hasNoEffectWithout('MAIL_OAUTH_TOKEN_URL'),
  MAIL_URL: ({ MAIL_OAUTH_TOKEN_URL, MAIL_URL }) =>
    MAIL_OAUTH_TOKEN_URL !== undefined &&
    MAIL_URL?.password !== undefined &&
    'must have no user and password when MAIL_OAUTH_TOKEN_URL is set',
  ANONYMOUS_CREATORS: ({ ANONYMOUS_CREATORS, ALLOW_ANONYMOUS }) =>
    ANONYMOUS_CREATORS.length > 0 && !ALLOW_ANONYMOUS && 'has no effect unless ALLOW_ANONYMOUS is true',
  REQUIRE_RECIPIENTS: ({ MAIL_URL, REQUIRE_RECIPIENTS }) =>
    MAIL_URL === undefined &&
    REQUIRE_RECIPIENTS !== 'false' &&
    'must be false unless MAIL_URL is set, for the codes of recipients',
  DEFAULT_LANGUAGE: ({ DEFAULT_LANGUAGE, LANGUAGES }) =>
    DEFAULT_LANGUAGE !== undefined && !LANGUAGES.includes(DEFAULT_LANGUAGE) && 'must be one of LANGUAGES',
  BRAND_COLOR: ({ BRAND_COLOR, BRAND_COLOR_DARK }) =>
    BRAND_COLOR === undefined && BRAND_COLOR_DARK !== undefined && 'is needed when BRAND_COLOR_DARK is set',
});

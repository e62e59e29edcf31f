import { isLoopback } from './networks.js';
import type { Settings } from './settings.js';

/** A rule that is about several settings, each of which is valid by itself, or that a feature has for its own. */
interface CrossCheck {
  among: (keyof Settings)[];
  /** The setting that the message names. */
  name: keyof Settings;
  /** What is wrong with it, if something is. */
  fault: (settings: Settings) => string | false | undefined;
}

const crossChecks: CrossCheck[] = [
  ...(['EXPIRE_AFTER_DAYS', 'EXPIRE_AFTER_VIEWS'] as const).map((name): CrossCheck => ({
    among: [`${name}_DEFAULT`, `${name}_MIN`, `${name}_MAX`],
    name: `${name}_DEFAULT`,
    fault: (settings) =>
      (settings[`${name}_DEFAULT`] < settings[`${name}_MIN`] ||
        settings[`${name}_DEFAULT`] > settings[`${name}_MAX`]) &&
      `must lie between ${name}_MIN and ${name}_MAX`,
  })),
  {
    among: ['FILE_STORAGE', 'S3_BUCKET'],
    name: 'S3_BUCKET',
    fault: ({ FILE_STORAGE, S3_BUCKET }) =>
      FILE_STORAGE === 's3' && S3_BUCKET === undefined && 'is needed when FILE_STORAGE is s3',
  },
  {
    among: ['FILE_STORAGE', 'HTTPS_PROXY', 'HTTP_PROXY'],
    name: 'FILE_STORAGE',
    fault: ({ FILE_STORAGE, HTTPS_PROXY, HTTP_PROXY }) =>
      FILE_STORAGE === 's3' &&
      (HTTPS_PROXY ?? HTTP_PROXY) !== undefined &&
      !haveAgentsProxies() &&
      'needs Node.js 22.21, 24.5 or newer to reach s3 through HTTPS_PROXY or HTTP_PROXY',
  },
  {
    among: ['GENERATOR_UPPERCASE', 'GENERATOR_LOWERCASE', 'GENERATOR_DIGITS', 'GENERATOR_SYMBOLS'],
    name: 'GENERATOR_LOWERCASE',
    fault: (settings) =>
      !settings.GENERATOR_UPPERCASE &&
      !settings.GENERATOR_LOWERCASE &&
      !settings.GENERATOR_DIGITS &&
      !settings.GENERATOR_SYMBOLS &&
      'must be true when the other classes of characters are false',
  },
  setTogether('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'),
  setTogether('ADMIN_EMAIL', 'ADMIN_PASSWORD'),
  setTogether('MAIL_FROM', 'MAIL_URL'),
  {
    among: ['MAIL_URL', 'PUBLIC_URL'],
    name: 'PUBLIC_URL',
    fault: ({ MAIL_URL, PUBLIC_URL }) =>
      MAIL_URL !== undefined &&
      PUBLIC_URL === undefined &&
      'is needed when MAIL_URL is set, for the links in mails',
  },
  hasNoEffectWithout('MAIL_TLS', 'MAIL_URL'),
  {
    among: ['MAIL_TLS', 'MAIL_URL'],
    name: 'MAIL_TLS',
    fault: ({ MAIL_TLS = 'required', MAIL_URL }) =>
      MAIL_TLS !== 'required' &&
      MAIL_URL?.tls === true &&
      'must be required with smtps://, where the connection begins with TLS',
  },
  hasNoEffectWithout('MAIL_EHLO_NAME', 'MAIL_URL'),
  hasNoEffectWithout('MAIL_OAUTH_TOKEN_URL', 'MAIL_URL'),
  setTogether('MAIL_OAUTH_TOKEN_URL', 'MAIL_OAUTH_CLIENT_ID'),
  hasNoEffectWithout('MAIL_OAUTH_CLIENT_SECRET', 'MAIL_OAUTH_TOKEN_URL'),
  hasNoEffectWithout('MAIL_OAUTH_PRIVATE_KEY', 'MAIL_OAUTH_TOKEN_URL'),
  hasNoEffectWithout('MAIL_OAUTH_SCOPE', 'MAIL_OAUTH_TOKEN_URL'),
  hasNoEffectWithout('MAIL_OAUTH_USER', 'MAIL_OAUTH_TOKEN_URL'),
  {
    among: ['MAIL_OAUTH_TOKEN_URL', 'MAIL_OAUTH_CLIENT_SECRET', 'MAIL_OAUTH_PRIVATE_KEY'],
    name: 'MAIL_OAUTH_CLIENT_SECRET',
    fault: (settings) => {
      const { MAIL_OAUTH_CLIENT_SECRET: secret, MAIL_OAUTH_PRIVATE_KEY: key } = settings;
      if (secret !== undefined && key !== undefined)
        return 'cannot be set together with MAIL_OAUTH_PRIVATE_KEY';
      const isMissing =
        settings.MAIL_OAUTH_TOKEN_URL !== undefined && secret === undefined && key === undefined;
      return isMissing && 'is needed when MAIL_OAUTH_TOKEN_URL is set, unless MAIL_OAUTH_PRIVATE_KEY is';
    },
  },
  {
    among: ['MAIL_OAUTH_TOKEN_URL', 'MAIL_URL'],
    name: 'MAIL_URL',
    fault: ({ MAIL_OAUTH_TOKEN_URL, MAIL_URL }) =>
      MAIL_OAUTH_TOKEN_URL !== undefined &&
      MAIL_URL?.password !== undefined &&
      'must have no user and password when MAIL_OAUTH_TOKEN_URL is set',
  },
  {
    among: ['MAIL_OAUTH_TOKEN_URL', 'MAIL_URL', 'MAIL_TLS'],
    name: 'MAIL_TLS',
    fault: ({ MAIL_OAUTH_TOKEN_URL, MAIL_URL, MAIL_TLS = 'required' }) =>
      MAIL_OAUTH_TOKEN_URL !== undefined &&
      MAIL_TLS !== 'required' &&
      !isLoopback(MAIL_URL?.host ?? '') &&
      'must be required when MAIL_OAUTH_TOKEN_URL is set: a token must not be read on the way',
  },
  {
    among: ['ANONYMOUS_CREATORS', 'ALLOW_ANONYMOUS'],
    name: 'ANONYMOUS_CREATORS',
    fault: ({ ANONYMOUS_CREATORS, ALLOW_ANONYMOUS }) =>
      ANONYMOUS_CREATORS.length > 0 && !ALLOW_ANONYMOUS && 'has no effect unless ALLOW_ANONYMOUS is true',
  },
  setTogether('OIDC_ISSUER', 'OIDC_CLIENT_ID'),
  needsProvider('OIDC_CLIENT_SECRET'),
  needsProvider('OIDC_CLIENT_AUTH'),
  {
    among: ['OIDC_CLIENT_AUTH', 'OIDC_CLIENT_SECRET'],
    name: 'OIDC_CLIENT_AUTH',
    fault: ({ OIDC_CLIENT_AUTH: method, OIDC_CLIENT_SECRET: secret }) => {
      if (method === undefined || (method === 'none') === (secret === undefined)) return false;
      return secret === undefined
        ? 'must be none unless OIDC_CLIENT_SECRET is set'
        : 'must not be none while OIDC_CLIENT_SECRET is set';
    },
  },
  needsProvider('OIDC_ADMIN_GROUP'),
  needsProvider('OIDC_ALLOWED_GROUPS'),
  needsProvider('OIDC_ALLOWED_DOMAINS'),
  needsProvider('OIDC_SECOND_FACTOR'),
  needsProvider('OIDC_TOKENS_FOLLOW'),
  {
    among: ['MAIL_URL', 'REQUIRE_RECIPIENTS'],
    name: 'REQUIRE_RECIPIENTS',
    fault: ({ MAIL_URL, REQUIRE_RECIPIENTS }) =>
      MAIL_URL === undefined &&
      REQUIRE_RECIPIENTS !== 'false' &&
      'must be false unless MAIL_URL is set, for the codes of recipients',
  },
  {
    among: ['OIDC_ISSUER', 'PUBLIC_URL'],
    name: 'PUBLIC_URL',
    fault: ({ OIDC_ISSUER, PUBLIC_URL }) =>
      OIDC_ISSUER !== undefined &&
      PUBLIC_URL === undefined &&
      'is needed when OIDC_ISSUER is set, for the way back from the provider',
  },
  {
    among: ['OIDC_ISSUER', 'PASSWORD_SIGN_IN'],
    name: 'PASSWORD_SIGN_IN',
    fault: ({ OIDC_ISSUER, PASSWORD_SIGN_IN }) =>
      OIDC_ISSUER === undefined && PASSWORD_SIGN_IN !== 'all' && 'must be all unless OIDC_ISSUER is set',
  },
  {
    among: ['DEFAULT_LANGUAGE', 'LANGUAGES'],
    name: 'DEFAULT_LANGUAGE',
    fault: ({ DEFAULT_LANGUAGE, LANGUAGES }) =>
      DEFAULT_LANGUAGE !== undefined && !LANGUAGES.includes(DEFAULT_LANGUAGE) && 'must be one of LANGUAGES',
  },
  {
    among: ['BRAND_COLOR', 'BRAND_COLOR_DARK'],
    name: 'BRAND_COLOR',
    fault: ({ BRAND_COLOR, BRAND_COLOR_DARK }) =>
      BRAND_COLOR === undefined && BRAND_COLOR_DARK !== undefined && 'is needed when BRAND_COLOR_DARK is set',
  },
];

/** Whether agents of this version of Node.js know proxies: since 22.21 and 24.5. Older ones ignore them. */
export function haveAgentsProxies(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

function setTogether(name: keyof Settings, other: keyof Settings): CrossCheck {
  return {
    among: [name, other],
    name,
    fault: (settings) =>
      (settings[name] === undefined) !== (settings[other] === undefined) &&
      `must be set together with ${other} or not at all`,
  };
}

function needsProvider(name: keyof Settings): CrossCheck {
  return hasNoEffectWithout(name, 'OIDC_ISSUER');
}

function hasNoEffectWithout(name: keyof Settings, other: keyof Settings): CrossCheck {
  return {
    among: [name, other],
    name,
    fault: ({ [name]: value, [other]: needed }) => {
      const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
      return isSet && needed === undefined && `has no effect unless ${other} is set`;
    },
  };
}

/** Adds a rule that only a feature knows, when its file is loaded, so that its faults are in the same message. */
export function addCrossCheck(check: CrossCheck): void {
  crossChecks.push(check);
}

/** The violated rules; a rule over a setting that is invalid by itself is skipped. */
export function checkTogether(settings: Settings, invalid: ReadonlyMap<string, string>): [string, string][] {
  return crossChecks
    .filter(({ among }) => !among.some((name) => invalid.has(name)))
    .flatMap(({ name, fault }) => {
      const sentence = fault(settings);
      return sentence ? [[name, sentence] satisfies [string, string]] : [];
    });
}

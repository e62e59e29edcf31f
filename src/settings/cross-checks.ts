import type { Settings } from './settings.js';

/** A rule over several settings, each of which is valid by itself. */
interface CrossCheck {
  among: (keyof Settings)[];
  isSatisfied: (settings: Settings) => boolean;
  /** The setting that the error names, and its message. */
  error: [name: keyof Settings, sentence: string];
}

const CROSS_CHECKS: CrossCheck[] = [
  ...(['EXPIRE_AFTER_DAYS', 'EXPIRE_AFTER_VIEWS'] as const).map((name): CrossCheck => ({
    among: [`${name}_DEFAULT`, `${name}_MIN`, `${name}_MAX`],
    isSatisfied: (settings) =>
      settings[`${name}_DEFAULT`] >= settings[`${name}_MIN`] &&
      settings[`${name}_DEFAULT`] <= settings[`${name}_MAX`],
    error: [`${name}_DEFAULT`, `must lie between ${name}_MIN and ${name}_MAX`],
  })),
  {
    among: ['FILE_STORAGE', 'S3_BUCKET'],
    isSatisfied: ({ FILE_STORAGE, S3_BUCKET }) => FILE_STORAGE !== 's3' || S3_BUCKET !== undefined,
    error: ['S3_BUCKET', 'is needed when FILE_STORAGE is s3'],
  },
  {
    among: ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    isSatisfied: (settings) =>
      (settings.S3_ACCESS_KEY_ID === undefined) === (settings.S3_SECRET_ACCESS_KEY === undefined),
    error: ['S3_ACCESS_KEY_ID', 'must be set together with S3_SECRET_ACCESS_KEY or not at all'],
  },
  {
    among: ['ADMIN_EMAIL', 'ADMIN_PASSWORD'],
    isSatisfied: ({ ADMIN_EMAIL, ADMIN_PASSWORD }) =>
      (ADMIN_EMAIL === undefined) === (ADMIN_PASSWORD === undefined),
    error: ['ADMIN_EMAIL', 'must be set together with ADMIN_PASSWORD or not at all'],
  },
  {
    among: ['MAIL_URL', 'MAIL_FROM'],
    isSatisfied: ({ MAIL_URL, MAIL_FROM }) => (MAIL_URL === undefined) === (MAIL_FROM === undefined),
    error: ['MAIL_FROM', 'must be set together with MAIL_URL or not at all'],
  },
  {
    among: ['MAIL_URL', 'PUBLIC_URL'],
    isSatisfied: ({ MAIL_URL, PUBLIC_URL }) => MAIL_URL === undefined || PUBLIC_URL !== undefined,
    error: ['PUBLIC_URL', 'is needed when MAIL_URL is set, for the links in mails'],
  },
  {
    among: ['BRAND_COLOR', 'BRAND_COLOR_DARK'],
    isSatisfied: ({ BRAND_COLOR, BRAND_COLOR_DARK }) =>
      BRAND_COLOR !== undefined || BRAND_COLOR_DARK === undefined,
    error: ['BRAND_COLOR', 'is needed when BRAND_COLOR_DARK is set'],
  },
];

/** The violated rules; a rule over a setting that is invalid by itself is skipped. */
export function checkTogether(settings: Settings, invalid: ReadonlyMap<string, string>): [string, string][] {
  return CROSS_CHECKS.filter(
    ({ among, isSatisfied }) => !among.some((name) => invalid.has(name)) && !isSatisfied(settings),
  ).map(({ error }) => error);
}

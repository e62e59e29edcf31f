import { createPrivateKey } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { isAbsolute, resolve } from 'node:path';
import isEmail from 'validator/lib/isEmail.js';
import isFQDN from 'validator/lib/isFQDN.js';
import { isLoopback, parseNetwork } from './networks.js';
import type { Parser } from './setting.js';
import { shown } from './setting.js';

const TRUE = ['true', 'on', 'yes', '1'];
const FALSE = ['false', 'off', 'no', '0'];
const MASTER_KEY_BYTES = 32;

/** A whole number within bounds. */
export function wholeNumber(min: number, max: number): Parser {
  return shown((text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  });
}

/** How a limit of 0 is shown. */
export const UNLIMITED = 'unlimited';

/** A limit of at most `max`; 0 is no limit. */
export function limit(max: number): Parser {
  return shown(wholeNumber(0, max), (value: number) => (value === 0 ? UNLIMITED : String(value)));
}

/** A boolean in one of its usual spellings; any other spelling is an error. */
export const flag: Parser = shown((text) => {
  const spelling = text.toLowerCase();
  if (TRUE.includes(spelling)) return true;
  if (FALSE.includes(spelling)) return false;
  throw new Error('must be true or false');
});

/** One of a few words. */
export function oneOf(...words: string[]): Parser {
  return shown((text) => {
    if (!words.includes(text)) throw new Error(`must be one of ${words.join(', ')}`);
    return text;
  });
}

/** Anything without white space. */
export const word: Parser = (text) => {
  if (/\s/.test(text)) throw new Error('must be text without white space');
  return text;
};

/** One line of text. */
export function line(most: number): Parser {
  return (text) => {
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) || !text.isWellFormed())
      throw new Error('must be one line of text');
    if (Array.from(text).length > most) throw new Error(`must have at most ${most} characters`);
    return text;
  };
}

export const email: Parser = (text) => {
  if (!isEmail(text)) throw new Error('must be an email address');
  return text;
};

/** Who a mail is from. */
export interface Mailbox {
  name: string;
  address: string;
}

/** An email address, or a name with one: `Sealpush <push@example.org>`. */
export const mailbox: Parser = (text): Mailbox => {
  const [, name = '', address = text] = /^([^<>"\\]*)<([^<>]*)>$/.exec(text) ?? [];
  line(60)(name);
  return { name: name.trim(), address: email(address) as string };
};

/** The same as it is written in a setting. */
export function showMailbox({ name, address }: Mailbox): string {
  return name === '' ? address : `${name} <${address}>`;
}

/** An email address, or an https URL. */
export const contact: Parser = (text) => {
  if (isEmail(text)) return text;
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' || url.username || url.password || /\s/.test(text))
    throw new Error('must be an email address or an https address');
  return url.href;
};

/** A colour as three bytes in hex. */
export const color: Parser = shown((text) => {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new Error('must be a colour such as #0f766e');
  return text.toLowerCase();
});

/** A host name or an address to listen on. */
export const host: Parser = (text) => {
  if (!/^[A-Za-z0-9.:_-]+$/.test(text)) throw new Error('must be a host name or an IP address');
  return text;
};

/** What a client of SMTP calls itself: a host name, or an address literal (RFC 5321, section 4.1.3). */
export const ehloName: Parser = (text) => {
  const [, ipv6, ipv4 = ''] = /^\[(?:IPv6:([0-9a-f:.]+)|([\d.]+))\]$/i.exec(text) ?? [];
  const isLiteral = ipv6 === undefined ? isIPv4(ipv4) : isIPv6(ipv6);
  if (!isLiteral && !isFQDN(text, { require_tld: false }))
    throw new Error('must be a host name, or an address such as [192.0.2.1] or [IPv6:2001:db8::1]');
  return text;
};

/** A folder; relative paths start at the working directory of the process. */
export const folder: Parser = (text) => (isAbsolute(text) ? text : resolve(text));

/** An http or https URL without query; a trailing slash is removed. */
export const httpUrl: Parser = (text) => plainUrl(text).replace(/\/+$/, '');

/** The same as it is written, because issuers of OpenID Connect are compared letter by letter. */
export const issuer: Parser = (text) => {
  plainUrl(text);
  return text;
};

/** Where an authorization server gives tokens for a secret, which must not be read on the way. */
export const tokenUrl: Parser = (text) => {
  const url = URL.parse(text);
  const isPrivate = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!isPrivate)
    throw new Error('must be an https address without query, or an http address of this machine');
  return plainUrl(text);
};

function plainUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password;
  if (!isPlain) throw new Error('must be an http or https address without query');
  return url.href;
}

/** The address of an S3-compatible server: what stands after the host would be lost, or be part of each key. */
export const s3Endpoint: Parser = (text) => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('must be an http or https address');
  if (url.username || url.password)
    throw new Error('must have no user name or password: the access key has settings of its own');
  if (url.pathname !== '/')
    throw new Error('must have no path: the bucket is S3_BUCKET, and a folder in it S3_PREFIX');
  if (/[?#]/.test(text)) throw new Error('must have no query and no fragment');
  return url.origin;
};

/** A folder in a bucket, without slashes at its ends. */
export const s3Prefix: Parser = (text) => {
  const folder = text.replace(/\/$/, '');
  const isPlain = folder.length <= 200 && folder.split('/').every((name) => /^[\w-][\w.-]*$/.test(name));
  if (!isPlain)
    throw new Error(
      'must be a folder such as sealpush/files: names of letters, digits, dots, hyphens and underscores, with a slash between them',
    );
  return folder;
};

/** Names, separated by commas; they may have spaces. */
export const names: Parser = shown(
  (text) => {
    const entries = text.split(',').map((entry) => line(255)(entry.trim()) as string);
    if (!entries.every(Boolean)) throw new Error('must be names, separated by commas');
    return entries;
  },
  (entries: string[]) => entries.join(', '),
);

/** Domains of email addresses, separated by commas. */
export const domains: Parser = shown(
  (text) => {
    const entries = text.split(',').map((entry) => entry.trim().toLowerCase());
    if (!entries.every((entry) => isEmail(`somebody@${entry}`)))
      throw new Error('must be domains such as example.org, separated by commas');
    return entries;
  },
  (entries: string[]) => entries.join(', '),
);

/** Scopes of OpenID Connect, separated by spaces. */
export const scopes: Parser = shown((text) => {
  const entries = text.split(/\s+/).filter(Boolean);
  if (!entries.includes('openid')) throw new Error('must be words with openid among them');
  return entries.join(' ');
});

/** Addresses and networks in CIDR notation, separated by commas or spaces. */
export const networks: Parser = shown(
  (text) => {
    const entries = text.split(/[\s,]+/).filter(Boolean);
    if (entries.length === 0 || !entries.every(parseNetwork))
      throw new Error('must be IP addresses or networks such as 10.0.0.0/8');
    return entries;
  },
  (entries: string[]) => entries.join(', '),
);

/** Names, addresses and networks, each with a port if need be, separated by commas or spaces; `*` means all. */
export const hostsWithoutProxy: Parser = shown(
  (text) => {
    const entries = text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    if (entries.length === 0 || !entries.every((entry) => /^[\w.:/*[\]-]+$/.test(entry)))
      throw new Error('must be host names, IP addresses or networks, separated by commas');
    return entries;
  },
  (entries: string[]) => entries.join(', '),
);

/** Files or packages, separated by commas or spaces. */
export const modules: Parser = shown(
  (text) => {
    const names = text.split(/[\s,]+/).filter(Boolean);
    if (names.length === 0) throw new Error('must be paths or names of packages');
    return names;
  },
  (names: string[]) => names.join(', '),
);

/** Keys of 32 bytes in base64 or hex, separated by commas or white space. */
export const masterKeys: Parser = (text): Buffer[] => {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(decodeKey);
  if (keys.length === 0 || keys.some((key) => key.length !== MASTER_KEY_BYTES)) {
    throw new Error(`must be keys of ${MASTER_KEY_BYTES} bytes in base64 or hex, separated by commas`);
  }
  return keys;
};

/** An RSA key in PEM, or the file of a service account, which has one. */
export const rsaKey: Parser = (text) => {
  try {
    const pem = text.startsWith('{') ? (JSON.parse(text) as { private_key: string }).private_key : text;
    const key = createPrivateKey(pem.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs8', format: 'pem' });
  } catch {
    // the error below says what is expected
  }
  throw new Error('must be an RSA key in PEM without a passphrase, or the JSON file of a service account');
};

function decodeKey(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
}

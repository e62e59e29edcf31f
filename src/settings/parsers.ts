import { isAbsolute, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import type { Parse } from './setting.js';

const TRUE = ['true', 'on', 'yes', '1'];
const FALSE = ['false', 'off', 'no', '0'];
const MASTER_KEY_BYTES = 32;

/** A whole number within bounds. */
export function whole(min: number, max: number): Parse {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

/** A boolean in one of its usual spellings; any other spelling is a fault and never a silent default. */
export const flag: Parse = (text) => {
  const spelling = text.toLowerCase();
  if (TRUE.includes(spelling)) return true;
  if (FALSE.includes(spelling)) return false;
  throw new Error('must be true or false');
};

/** One of a few words. */
export function oneOf(...words: string[]): Parse {
  return (text) => {
    if (!words.includes(text)) throw new Error(`must be one of ${words.join(', ')}`);
    return text;
  };
}

/** Anything without white space. */
export const word: Parse = (text) => {
  if (/\s/.test(text)) throw new Error('must not have white space in it');
  return text;
};

/** A name of a host or an address to listen on. */
export const host: Parse = (text) => {
  if (!/^[A-Za-z0-9.:_-]+$/.test(text)) throw new Error('must be a host name or an IP address');
  return text;
};

/** A folder; relative ones start where the process was started. */
export const folder: Parse = (text) => (isAbsolute(text) ? text : resolve(text));

/** An http or https address without query, kept without its trailing slash. */
export const publicUrl: Parse = (text) => {
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password;
  if (!isPlain) throw new Error('must be an http or https address without query');
  return url.href.replace(/\/+$/, '');
};

/** Addresses and networks in CIDR notation, separated by commas or spaces. */
export const networks: Parse = (text) => {
  const entries = text.split(/[\s,]+/).filter(Boolean);
  if (entries.length === 0 || !entries.every(isNetwork))
    throw new Error('must be IP addresses or networks such as 10.0.0.0/8');
  return entries;
};

/** No short forms: `1`, a number of hops elsewhere, would be the address 0.0.0.1. */
function isNetwork(text: string): boolean {
  const { IPv4, IPv6 } = ipaddr;
  const isAddress = IPv4.isValidFourPartDecimal(text) || IPv6.isValid(text);
  return isAddress || IPv4.isValidCIDRFourPartDecimal(text) || IPv6.isValidCIDR(text);
}

/** Where a MySQL or MariaDB server answers and whom we are there. */
export interface MysqlAddress {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  tls: boolean;
}

/** `mysql://user:password@host:port/database`, with `?tls=true` for an encrypted connection. */
export const mysqlUrl: Parse = (text): MysqlAddress => {
  const url = URL.parse(text);
  const database = url?.pathname.slice(1);
  if (!url || !/^(mysql|mariadb):$/.test(url.protocol) || !url.hostname || !database || url.hash) {
    throw new Error('must look like mysql://user:password@host:3306/database');
  }
  const { tls = 'false', ...unknown } = Object.fromEntries(url.searchParams);
  if (Object.keys(unknown).length > 0) throw new Error('knows no query parameter but tls');
  if (url.searchParams.size > 1) throw new Error('must give tls once');

  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    username: decoded(url.username),
    password: decoded(url.password),
    database: decoded(database),
    tls: flag(tls) as boolean,
  };
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have percent signs written as %25');
  }
}

/** Where a Redis answers and whom we are there. */
export interface RedisAddress {
  host: string;
  port: number;
  username?: string;
  password?: string;
  database: number;
  tls: boolean;
}

/** `redis://user:password@host:port/database`, or `rediss://` for an encrypted connection; all but the host may be left out. */
export const redisUrl: Parse = (text): RedisAddress => {
  const url = URL.parse(text);
  const database = /^(?:\/(\d{1,5})?)?$/.exec(url?.pathname ?? '');
  if (
    !url ||
    !database ||
    !/^rediss?:$/.test(url.protocol) ||
    !/^[\w.:[\]-]+$/.test(url.hostname) ||
    url.search ||
    url.hash
  ) {
    throw new Error('must look like redis://user:password@host:6379/0, or rediss:// for TLS');
  }
  if (url.username && !url.password)
    throw new Error('must have a password with its user: redis://:password@host');

  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    username: decoded(url.username) || undefined,
    password: decoded(url.password) || undefined,
    database: Number(database[1] ?? 0),
    tls: url.protocol === 'rediss:',
  };
};

/** Keys of 32 bytes in base64 or hex, separated by commas or white space. */
export const masterKeys: Parse = (text): Buffer[] => {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(decodeKey);
  if (keys.length === 0 || keys.some((key) => key.length !== MASTER_KEY_BYTES)) {
    throw new Error(`must be keys of ${MASTER_KEY_BYTES} bytes in base64 or hex, separated by commas`);
  }
  return keys;
};

function decodeKey(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
}

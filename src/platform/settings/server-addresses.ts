import { flag } from './parsers.js';
import type { Parser } from './setting.js';

/** The address of a MySQL or MariaDB server, and the login. */
export interface MysqlAddress {
  host: string;
  port: number;
  username: string;
  password: string;
  database: string;
  tls: boolean;
}

/** `mysql://user:password@host:port/database`, with `?tls=true` for an encrypted connection. */
export const mysqlUrl: Parser = (text): MysqlAddress => {
  const url = URL.parse(text);
  const database = url?.pathname.slice(1);
  if (!url || !/^(mysql|mariadb):$/.test(url.protocol) || !url.hostname || !database || url.hash) {
    throw new Error('must look like mysql://user:password@host:3306/database');
  }
  const { tls = 'false', ...unknown } = Object.fromEntries(url.searchParams);
  if (Object.keys(unknown).length > 0) throw new Error('must have no query parameter other than tls');
  if (url.searchParams.size > 1) throw new Error('must give tls once');

  return {
    host: hostOf(url),
    port: Number(url.port || 3306),
    username: decoded(url.username),
    password: decoded(url.password),
    database: decoded(database),
    tls: flag(tls) as boolean,
  };
};

/** The address without the login. */
export function showMysqlUrl({ host, port, database, tls }: MysqlAddress): string {
  return `mysql://${hostInUrl(host)}:${port}/${database}${tls ? '?tls=true' : ''}`;
}

/** The address of a Redis server, and the login. */
export interface RedisAddress {
  host: string;
  port: number;
  username?: string;
  password?: string;
  database: number;
  tls: boolean;
}

/** `redis://user:password@host:port/database`, or `rediss://` for an encrypted connection; only the host is required. */
export const redisUrl: Parser = (text): RedisAddress => {
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
    host: hostOf(url),
    port: Number(url.port || 6379),
    username: decoded(url.username) || undefined,
    password: decoded(url.password) || undefined,
    database: Number(database[1] ?? 0),
    tls: url.protocol === 'rediss:',
  };
};

/** The address without the login. */
export function showRedisUrl({ host, port, database, tls }: RedisAddress): string {
  return `${tls ? 'rediss' : 'redis'}://${hostInUrl(host)}:${port}/${database}`;
}

/** The address of an SMTP server, and the login. */
export interface MailServerAddress {
  host: string;
  port: number;
  username?: string;
  password?: string;
  /** Whether the connection begins with TLS; otherwise STARTTLS follows. */
  tls: boolean;
}

/** `smtp://user:password@host:587`, or `smtps://` where the connection begins with TLS; only the host is required. */
export const mailUrl: Parser = (text): MailServerAddress => {
  const url = URL.parse(text);
  if (
    !url ||
    !/^smtps?:$/.test(url.protocol) ||
    !/^[\w.:[\]-]+$/.test(url.hostname) ||
    !/^\/?$/.test(url.pathname) ||
    url.search ||
    url.hash
  ) {
    throw new Error('must look like smtp://user:password@host:587, or smtps:// for TLS from the start');
  }
  if ((url.username === '') !== (url.password === '')) throw new Error('must have both user and password');

  const tls = url.protocol === 'smtps:';
  return {
    host: hostOf(url),
    port: Number(url.port || (tls ? 465 : 587)),
    username: decoded(url.username) || undefined,
    password: decoded(url.password) || undefined,
    tls,
  };
};

/** The address without the login. */
export function showMailUrl({ host, port, tls }: MailServerAddress): string {
  return `${tls ? 'smtps' : 'smtp'}://${hostInUrl(host)}:${port}`;
}

/** The address of a proxy, and the login. */
export interface ProxyAddress {
  host: string;
  port: number;
  username?: string;
  password?: string;
  /** Whether the connection to the proxy itself has TLS. */
  tls: boolean;
}

/** `http://user:password@host:port`, or `https://`; only the host is required, as for other programs. */
export const proxyUrl: Parser = (text): ProxyAddress => {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    !/^[\w.:[\]-]+$/.test(url.hostname) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash
  ) {
    throw new Error('must look like http://user:password@proxy.example.org:3128, or https:// for TLS');
  }
  const tls = url.protocol === 'https:';
  return {
    host: hostOf(url),
    port: Number(url.port || (tls ? 443 : 80)),
    username: decoded(url.username) || undefined,
    password: decoded(url.password) || undefined,
    tls,
  };
};

/** The address without the login. */
export function showProxyUrl({ host, port, tls }: ProxyAddress): string {
  return `${tls ? 'https' : 'http'}://${hostInUrl(host)}:${port}`;
}

/** The address with the login. */
export function proxyHref(address: ProxyAddress): string {
  const { username, password = '' } = address;
  if (username === undefined) return showProxyUrl(address);
  const login = `${encodeURIComponent(username)}:${encodeURIComponent(password)}`;
  return showProxyUrl(address).replace('//', `//${login}@`);
}

export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, ''); // IPv6 addresses have brackets in a URL
}

export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('must have percent signs written as %25');
  }
}

/** Whether agents of this version of Node.js know proxies: since 22.21 and 24.5. Older ones ignore them. */
export function haveAgentsProxies(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

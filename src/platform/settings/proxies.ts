import type { ProxyEnv } from 'node:http';
import { isIPv6 } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { Network } from './networks.js';
import { isWithin, parseNetwork, rangeOf } from './networks.js';
import type { ProxyAddress } from './server-addresses.js';
import { proxyHref } from './server-addresses.js';
import { Settings } from './settings.js';

const ENTRY = /^\[?(?<host>[^[\]]*?)\]?(?::(?<port>\d{1,5}))?$/;

/** What an entry of NO_PROXY stands for: an address or a network, or a name with all names below it. */
interface Exception {
  network?: Network;
  name: string;
  /** Without it, all ports. */
  port?: string;
}

/** By which proxy a server is reached: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the server. */
@Injectable()
export class Proxies {
  private readonly exceptions: Exception[];

  constructor(private readonly settings: Settings) {
    this.exceptions = settings.NO_PROXY.map(exceptionIn);
  }

  /** Undefined for a URL that is reached directly. */
  of(url: URL): ProxyAddress | undefined {
    return this.exceptions.some((exception) => isMeant(url, exception)) ? undefined : this.withScheme(url);
  }

  /** The same for an agent of Node.js, which matches names exactly and knows networks only as ranges of IPv4. */
  get ofAgents(): ProxyEnv {
    const { HTTPS_PROXY, HTTP_PROXY } = this.settings;
    return {
      ...(HTTPS_PROXY && { HTTPS_PROXY: proxyHref(HTTPS_PROXY) }),
      ...(HTTP_PROXY && { HTTP_PROXY: proxyHref(HTTP_PROXY) }),
      NO_PROXY: this.exceptions.flatMap(asNodeReads).join(','),
    };
  }

  private withScheme({ protocol }: URL): ProxyAddress | undefined {
    return protocol === 'https:' ? this.settings.HTTPS_PROXY : this.settings.HTTP_PROXY;
  }
}

function exceptionIn(entry: string): Exception {
  const network = parseNetwork(entry); // first: an IPv6 address without brackets has colons
  if (network) return { network, name: '' };
  const { host = '', port } = ENTRY.exec(entry)?.groups ?? {};
  return { network: parseNetwork(host), name: host.replace(/^\*?\.|\.$/g, ''), port };
}

function isMeant(url: URL, { network, name, port }: Exception): boolean {
  if (port !== undefined && port !== portOf(url)) return false;
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '');
  if (network) return isWithin(host, [network]);
  return name === '*' || host === name || host.endsWith(`.${name}`);
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function asNodeReads({ network, name, port }: Exception): string[] {
  const suffix = port === undefined ? '' : `:${port}`;
  if (!network) return name === '*' || suffix !== '' ? [name + suffix] : [name, `.${name}`];
  const [address, bits] = network;
  const text = address.toString();
  const isSingle = bits === (isIPv6(text) ? 128 : 32);
  if (isSingle) return [text + suffix];
  return isIPv6(text) || suffix !== '' ? [] : [rangeOf(network)]; // servers at such addresses are compared by `of`
}

import { isIPv4 } from 'node:net';
import type { PipeTransform } from '@nestjs/common';
import { createParamDecorator, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { networkAround, networkText, parseAddress } from '../settings/networks.js';
import { PublicUrl } from './public-url.js';

/** The client of a request, as pushes and their audit log need it. */
export interface Visitor {
  /** The account of the token or session that came with the request. */
  userId?: string;
  ip: string;
  userAgent: string;
  /** Never a page of ours: its address can contain a token. */
  referrer: string;
  /** The base URL that the client uses, without a trailing slash. */
  baseUrl: string;
}

@Injectable()
export class VisitorPipe implements PipeTransform<Request, Visitor> {
  constructor(private readonly publicUrl: PublicUrl) {}

  transform(request: Request): Visitor {
    const baseUrl = this.publicUrl.of(request);
    return {
      userId: request.user?.id,
      ip: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? '',
      referrer: referrerOf(request, baseUrl),
      baseUrl,
    };
  }
}

/** None of our own pages, whose addresses have url_tokens. */
function referrerOf({ headers }: Request, baseUrl: string): string {
  const { host, referer = '', 'sec-fetch-site': site } = headers;
  const url = URL.parse(referer);
  const isOurs =
    site === 'same-origin' ||
    (url && (url.host === host?.toLowerCase() || url.host === new URL(baseUrl).host));
  return isOurs ? '' : referer;
}

const WholeRequest = createParamDecorator((_: unknown, context) =>
  context.switchToHttp().getRequest<Request>(),
);

/** The client of the request, as a parameter of a controller method. */
export const CurrentVisitor = () => WholeRequest(VisitorPipe);

const IPV6_NETWORKS = [
  { bits: 64, factor: 1 },
  { bits: 48, factor: 10 },
];

declare module 'express-serve-static-core' {
  interface Request {
    /** Cached by `clientAddress` for the rate limit, audit log and request log. */
    clientAddress?: string;
  }
}

/**
 * Where a request comes from: the peer, or the address that trusted proxies report; empty once the peer has
 * disconnected. IPv4-mapped IPv6 becomes IPv4; IPv6 has no zone, which can be a name of any length and is only local.
 */
export function clientAddress(request: Request): string {
  return (request.clientAddress ??= readAddress(request));
}

function readAddress({ ip, socket }: Request): string {
  if (ip !== undefined && isIPv4(ip)) return ip; // the usual case
  const addresses = [ip, socket.remoteAddress].map((text = '') => parseAddress(text.replace(/%.*$/, '')));
  return addresses.find((address) => address !== undefined)?.toString() ?? '';
}

/** Addresses that a limit counts together, and the factor by which the limit of one client is multiplied for them. */
export interface CountedNetwork {
  network: string;
  factor: number;
}

/**
 * The networks of an address that limits count, smallest first. An IPv4 address is counted by itself. With IPv6, a site
 * has a /64, and one customer often has a /48 (RFC 6177): unless the /48 is counted too, its 65,536 /64 networks would
 * each have the limit of one client.
 */
export function clientNetworks(address: string): CountedNetwork[] {
  if (isIPv4(address)) return [{ network: address, factor: 1 }]; // the usual case
  const parsed = parseAddress(address);
  if (parsed?.kind() !== 'ipv6') return [{ network: parsed?.toString() ?? address, factor: 1 }];
  return IPV6_NETWORKS.map(({ bits, factor }) => ({
    network: networkText(networkAround(parsed, bits)),
    factor,
  }));
}

/** What counts as one client: an IPv4 address, or the /64 of an IPv6 one, which belongs to a single site. */
export function clientNetwork(address: string): string {
  return clientNetworks(address)[0]?.network ?? address;
}

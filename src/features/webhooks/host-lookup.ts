import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { SECOND_MS } from '../../platform/settings/units.js';

/** Finds the IP addresses of hosts by DNS. */
@Injectable()
export class HostLookup {
  /**
   * All IP addresses of a host. Not by the function of the operating system, which occupies a thread until the name server
   * answers, and then delays other work.
   */
  async addressesOf(host: string, signal: AbortSignal): Promise<string[]> {
    const resolver = new Resolver({ timeout: 2 * SECOND_MS, tries: 2 });
    const cancel = () => {
      resolver.cancel();
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
      return [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }
}

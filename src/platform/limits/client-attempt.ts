import { Column, Index } from 'typeorm';
import { DateTimeColumn, IdColumn } from '../database/columns.js';
import type { CountedNetwork } from '../http/visitor.js';
import { HOUR_MS, MINUTE_MS } from '../settings/units.js';

/** How many attempts at one secret may be wrong, from each network times its factor, and from all clients. */
export interface AttemptLimits {
  perMinute: number;
  perHour: number;
  byAllPerHour: number;
}

/** An attempt at a secret that is being checked or was wrong, or another act of a client that limits count. */
export abstract class ClientAttempt {
  @IdColumn()
  id: string;

  /** An IPv4 address, or the /64 of an IPv6 one. */
  @Column('varchar', { length: 45 })
  network: string;

  /** The /48 of an IPv6 address; null for IPv4. */
  @Column('varchar', { length: 45, nullable: true })
  wideNetwork: string | null;

  @Index()
  @DateTimeColumn()
  attemptedAt: Date;

  /** What `clientNetworks` returns, as columns. */
  static networkColumns([network, wide]: CountedNetwork[]): Pick<ClientAttempt, 'network' | 'wideNetwork'> {
    return { network: network?.network ?? '', wideNetwork: wide?.network ?? null };
  }

  /** The condition of attempts from the widest network of a client. */
  static fromAround({ network, wideNetwork }: Pick<ClientAttempt, 'network' | 'wideNetwork'>) {
    return wideNetwork === null ? { network } : { wideNetwork };
  }

  /** Attempts before this time no longer count. */
  static cutoff(now: Date): Date {
    return new Date(now.getTime() - HOUR_MS);
  }
}

/** An attempt that is recorded before it is checked. Correct ones are deleted. */
export abstract class PendingAttempt extends ClientAttempt {
  /** Null once it is known to be wrong. Counts as wrong if it is still pending at this time: its process has died. */
  @DateTimeColumn({ nullable: true })
  pendingUntil: Date | null;
}

/** Times of attempts, latest first, from a network that a client is in; the factor is that of its limits. */
export interface NetworkAttempts {
  times: Date[];
  factor: number;
}

/** @param attempts those of any network, latest first */
export function attemptsByNetwork(attempts: ClientAttempt[], networks: CountedNetwork[]): NetworkAttempts[] {
  return networks.map(({ network, factor }) => ({
    times: attempts
      .filter((attempt) => attempt.network === network || attempt.wideNetwork === network)
      .map(({ attemptedAt }) => attemptedAt),
    factor,
  }));
}

/**
 * How long a client has to wait before another attempt at the same secret, in milliseconds; 0 when it may try.
 * When all clients together have reached their limit, only those that contributed wait: strangers cannot lock out whoever
 * knows the secret.
 * @param byAll how many all clients have made in the last hour
 */
export function attemptWait(
  { perMinute, perHour, byAllPerHour }: AttemptLimits,
  byNetwork: NetworkAttempts[],
  byAll: number,
  now: Date,
): number {
  const max = byAll >= byAllPerHour ? 1 : perHour;
  return Math.max(
    networkWait(byNetwork, max, HOUR_MS, now),
    networkWait(byNetwork, perMinute, MINUTE_MS, now),
  );
}

/**
 * How long until each network has fewer than `max` attempts, times its factor, in the window, in milliseconds; 0 if they
 * already have. A time after now counts as now.
 */
export function networkWait(byNetwork: NetworkAttempts[], max: number, windowMs: number, now: Date): number {
  const waits = byNetwork.map(({ times, factor }) => {
    const decisive = times[max * factor - 1];
    return decisive ? windowMs - Math.max(0, now.getTime() - decisive.getTime()) : 0;
  });
  return Math.max(0, ...waits);
}

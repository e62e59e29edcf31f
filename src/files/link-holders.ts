import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { contributedMethod, Contributions } from '../platform/contributions/contributions.js';
import { MIB } from '../platform/settings/units.js';
import type { Ticket } from './tickets.js';
import { invalidLink } from './tickets.js';

/** Bytes that are sent between two checks. */
const CHECK_EVERY = MIB;

type HolderCheck = (pushId: string, holder: string) => Promise<boolean>;

/**
 * On the method that tells whether a holder may still use links to the files of a push. It knows those that its module has
 * named, and returns false for any other: one that returns true is enough.
 */
export const LinkHolderCheck = contributedMethod<HolderCheck>();

/** Ends download links together with the access of whoever was given them. */
@Injectable()
export class LinkHolders {
  constructor(private readonly contributions: Contributions) {}

  /** @throws ForbiddenException when the link was given to somebody who has lost access */
  async assertCurrent(pushId: string, { holder }: Ticket): Promise<void> {
    if (holder === undefined) return;
    for (const check of this.contributions.all(LinkHolderCheck)) if (await check(pushId, holder)) return;
    throw invalidLink();
  }

  /** Content that fails when the holder loses access, at most a megabyte later. */
  whileCurrent(content: Readable, pushId: string, ticket: Ticket): Readable {
    const checked = Readable.from(this.checked(content, pushId, ticket), { objectMode: false });
    return checked.once('close', () => content.destroy()); // closed before anything was read
  }

  private async *checked(content: Readable, pushId: string, ticket: Ticket): AsyncIterable<Buffer> {
    let unchecked = 0;
    for await (const chunk of content as AsyncIterable<Buffer>) {
      unchecked += chunk.length;
      if (unchecked >= CHECK_EVERY) {
        await this.assertCurrent(pushId, ticket);
        unchecked = 0;
      }
      yield chunk;
    }
  }
}

import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { MIB } from '../platform/settings/units.js';
import type { Ticket } from './tickets.js';
import { invalidLink } from './tickets.js';

/** Bytes that are sent between two checks. */
const CHECK_EVERY = MIB;

/** Whether a holder may still use links to the files of a push. */
type HolderCheck = (pushId: string, holder: string) => Promise<boolean>;

/** Ends download links together with the access of whoever was given them. */
@Injectable()
export class LinkHolders {
  private check?: HolderCheck;

  /** The module that gives links to holders sets how they are checked while it is created. */
  setCheck(check: HolderCheck): void {
    this.check = check;
  }

  /** @throws ForbiddenException when the link was given to somebody who has lost access */
  async assertCurrent(pushId: string, { holder }: Ticket): Promise<void> {
    if (holder !== undefined && !(await this.check?.(pushId, holder))) throw invalidLink();
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

import { ForbiddenException, Injectable } from '@nestjs/common';
import { parse as uuidBytes, stringify as uuidText } from 'uuid';
import { newId } from '../platform/random/random.js';
import { UnsealError, KEY_BYTES } from '../platform/sealing/secretbox.js';
import { Keyring } from '../platform/sealing/keyring.js';
import { isWithin, parseNetworks } from '../platform/settings/networks.js';
import { Problem } from '../platform/errors/problem.js';

const LIFETIME_MS = 10 * 60 * 1000;
const MASTER_KEY_ID_BYTES = 8;
const UUID_BYTES = 16;
const TIME_BYTES = 6;
const FLAG_AT = UUID_BYTES + KEY_BYTES + TIME_BYTES;
/** After the number of its bytes, and before the networks. */
const HOLDER_AT = FLAG_AT + 2;
const SEPARATOR = ',';

/**
 * What a link is for: one file, or all files of a push in one archive. A ticket of one kind cannot be unsealed as
 * another.
 */
export type TicketKind = 'ticket' | 'archive';

/** The sealed content of a download link: everything that is needed to unseal files for a limited time. */
export interface Ticket {
  /** The id of the link: each link to the same file has its own. */
  linkId: string;
  /** The id of the file, or of the push for an archive. */
  subjectId: string;
  /** The push's data key, so that the file can be unsealed after the key was erased from the row. */
  dataKey: Buffer;
  validUntil: Date;
  /** Whether the owner of the push was given the link. */
  isForOwner: boolean;
  /** From which networks the push, and so the link, can be opened; null for all. */
  allowedNetworks: string[] | null;
  /** A digest, in hex, of who was given the link, when it ends with their access: see `LinkHolders`. */
  holder?: string;
}

/** Writes and reads tickets, which only holders of the master key can do. */
@Injectable()
export class Tickets {
  constructor(private readonly keyring: Keyring) {}

  /** When links that are created now expire. */
  endOfLinks(now: Date): Date {
    return new Date(now.getTime() + LIFETIME_MS);
  }

  /** A new ticket. */
  seal(kind: TicketKind, ticket: Omit<Ticket, 'linkId'>): string {
    const { subjectId, dataKey, validUntil, isForOwner, allowedNetworks, holder = '' } = ticket;
    const holderBytes = Buffer.from(holder, 'hex');
    const linkId = newId();
    const content = Buffer.concat([
      uuidBytes(subjectId),
      dataKey,
      timeBytes(validUntil),
      Buffer.of(Number(isForOwner)),
      Buffer.of(holderBytes.length),
      holderBytes,
      Buffer.from(allowedNetworks?.join(SEPARATOR) ?? ''),
    ]);
    const { masterKeyId, sealed } = this.keyring.seal(content, ...contextOf(linkId, kind));
    return Buffer.concat([Buffer.from(masterKeyId, 'hex'), uuidBytes(linkId), sealed]).toString('base64url');
  }

  /** @throws ForbiddenException when it is not ours, was altered, has expired, or is not for this IP address */
  read(text: string, ip: string, now: Date, kind: TicketKind = 'ticket'): Ticket {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.toString('base64url') !== text) throw invalidLink(); // altered, but still accepted by the lenient decoder
    const ticket = this.unseal(bytes, kind);
    if (ticket.validUntil <= now) throw invalidLink();
    if (ticket.allowedNetworks !== null && !isWithin(ip, parseNetworks(ticket.allowedNetworks)))
      throw new ForbiddenException(new Problem('network_not_allowed'));
    return ticket;
  }

  private unseal(bytes: Buffer, kind: TicketKind): Ticket {
    const masterKeyId = bytes.subarray(0, MASTER_KEY_ID_BYTES).toString('hex');
    const rest = bytes.subarray(MASTER_KEY_ID_BYTES);
    if (!this.keyring.ids.includes(masterKeyId) || rest.length < UUID_BYTES) throw invalidLink();
    try {
      const linkId = uuidText(rest.subarray(0, UUID_BYTES));
      const content = this.keyring.unseal(
        { masterKeyId, sealed: rest.subarray(UUID_BYTES) },
        ...contextOf(linkId, kind),
      );
      const networksAt = HOLDER_AT + (content[HOLDER_AT - 1] ?? 0);
      return {
        linkId,
        subjectId: uuidText(content.subarray(0, UUID_BYTES)),
        dataKey: content.subarray(UUID_BYTES, UUID_BYTES + KEY_BYTES),
        validUntil: new Date(content.readUIntBE(UUID_BYTES + KEY_BYTES, TIME_BYTES)),
        isForOwner: content[FLAG_AT] === 1,
        holder: content.subarray(HOLDER_AT, networksAt).toString('hex') || undefined,
        allowedNetworks: networksIn(content.subarray(networksAt)),
      };
    } catch (error) {
      if (error instanceof UnsealError || error instanceof TypeError) throw invalidLink(); // uuid throws TypeError
      throw error;
    }
  }
}

/** Each ticket has its own key. */
function contextOf(linkId: string, kind: TicketKind): [scope: string, context: string] {
  return [`ticket/${linkId}`, kind];
}

function networksIn(bytes: Buffer): string[] | null {
  return bytes.length > 0 ? bytes.toString().split(SEPARATOR) : null;
}

function timeBytes(time: Date): Buffer {
  const bytes = Buffer.alloc(TIME_BYTES);
  bytes.writeUIntBE(time.getTime(), 0, TIME_BYTES);
  return bytes;
}

export function invalidLink(): ForbiddenException {
  return new ForbiddenException(new Problem('download_link_invalid'));
}

import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/sealing/keyring.js';
import { UnsealError } from '../../platform/sealing/secretbox.js';
import { HOUR_MS, SECOND_MS } from '../../platform/settings/units.js';
import { digestOf } from '../../platform/random/random.js';
import type { SecretRequest } from './secret-request.entity.js';

const LIFETIME_MS = 12 * HOUR_MS;

/** Shows that a browser has entered the passphrase of a request, so that its form can be sent without it. */
@Injectable()
export class SecretRequestPass {
  readonly maxAgeSeconds = LIFETIME_MS / SECOND_MS;

  constructor(private readonly keyring: Keyring) {}

  issue({ id }: SecretRequest, now: Date): string {
    return this.keyring.sealText(`${now.getTime() + LIFETIME_MS}`, `request/${id}`, contextOf(id));
  }

  isValid({ id }: SecretRequest, pass: string, now: Date): boolean {
    try {
      return Number(this.keyring.unsealText(pass, `request/${id}`, contextOf(id))) > now.getTime();
    } catch (error) {
      if (error instanceof UnsealError) return false;
      throw error;
    }
  }
}

/** The name of the cookie with the pass of a request. */
export function passCookieOf(urlToken: string): string {
  return `request-${digestOf(urlToken).slice(0, 16)}`;
}

function contextOf(id: string): string {
  return `requests/${id}/pass`;
}

import { Injectable } from '@nestjs/common';
import { validate } from 'uuid';
import { newId } from '../../platform/random/ids.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { UnsealError } from '../../platform/sealing/secretbox.js';

/**
 * Seals what a browser keeps for us between two steps of signing in or of setting up a second factor, in a cookie or in
 * a form, so that nobody who has not finished leaves a row behind. What it names must be checked again when it comes back.
 */
@Injectable()
export class SignInStates {
  constructor(private readonly keyring: Keyring) {}

  /** @param kind what it is for; it cannot be read as another kind */
  seal(kind: string, content: Record<string, string>, endsAt: Date): string {
    const id = newId();
    const text = JSON.stringify({ content, endsAt: endsAt.getTime() });
    return `${id}.${this.keyring.sealText(text, scopeOf(id), kind)}`;
  }

  /** Undefined when it has ended, is of another kind or was not sealed by us. */
  read(kind: string, state: unknown, now = new Date()): Record<string, string> | undefined {
    const [id = '', sealed = ''] = typeof state === 'string' ? state.split('.') : [];
    if (!validate(id)) return undefined;
    try {
      const text = this.keyring.unsealText(sealed, scopeOf(id), kind);
      const { content, endsAt } = JSON.parse(text) as { content: Record<string, string>; endsAt: number };
      return endsAt > now.getTime() ? content : undefined;
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

/** Each has its own key. */
function scopeOf(id: string): string {
  return `sign_in/${id}`;
}

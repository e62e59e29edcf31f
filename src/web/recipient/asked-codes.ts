import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInStates } from '../../auth/sign-in/sign-in-states.js';
import { digestOf, newToken } from '../../platform/random/random.js';
import { CODE_LIFETIME_MS } from '../../pushes/recipients/open-code.entity.js';
import type { RecipientCredentials } from '../../pushes/recipients/open-codes.service.js';

/** What a browser keeps from asking for the code of a push until it uses the code. */
export interface AskedCode {
  email: string;
  /** Only this browser has it, so that a code which it has asked for is worth nothing in another one. */
  secret: string;
}

/** Keeps them in sealed cookies, one for each push, as long as codes are valid. */
@Injectable()
export class AskedCodes {
  constructor(private readonly states: SignInStates) {}

  /** The secret of the browser for a push; a new one if it has none. */
  secretFor(urlToken: string, request: Request): string {
    return this.of(urlToken, request)?.secret ?? newToken();
  }

  keep(urlToken: string, { email, secret }: AskedCode, request: Request, response: Response): void {
    this.states.keep(nameOf(urlToken), { email, secret }, CODE_LIFETIME_MS, request, response);
  }

  of(urlToken: string, request: Request): AskedCode | undefined {
    const { email, secret } = this.states.kept(nameOf(urlToken), request) ?? {};
    return email === undefined || secret === undefined ? undefined : { email, secret };
  }

  forget(urlToken: string, request: Request, response: Response): void {
    this.states.forget(nameOf(urlToken), request, response);
  }
}

/** What proves that the recipient has got the code that this browser has asked for. */
export function proofOf({ email, secret }: AskedCode, code = ''): RecipientCredentials {
  return { email, code: code.replace(/\s/g, ''), browser: digestOf(secret) };
}

function nameOf(urlToken: string): string {
  return `code-${digestOf(urlToken).slice(0, 16)}`;
}

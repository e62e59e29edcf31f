import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { Problem } from '../../platform/errors/problem.js';
import { contributedProvider, Contributions } from '../../platform/contributions/contributions.js';

/** Where people sign in without a password of their account, from the link to `/users/sign_in/provider`. */
export interface SignInProvider {
  /** What pages and audit entries call it; undefined while nobody can sign in there. */
  readonly name: string | undefined;
  /** What went wrong in a sign-in that led back to `/users/sign_in?failed=CODE`; undefined for an unknown code. */
  problemOf(code: unknown): Problem | undefined;
}

export const SignInProvider = contributedProvider<SignInProvider>();

/** The provider that a feature contributes, if one does. */
@Injectable()
export class SignInProviders implements OnModuleInit {
  private provider?: SignInProvider;

  constructor(private readonly contributions: Contributions) {}

  onModuleInit(): void {
    const [provider, another] = this.contributions.providers(SignInProvider);
    if (another) throw new Error(`There can be one provider to sign in at, and ${another.place} is another.`);
    this.provider = provider?.contributed;
  }

  get name(): string | undefined {
    return this.provider?.name;
  }

  /** @see SignInProvider.problemOf */
  problemOf(code: unknown): Problem | undefined {
    return this.provider?.problemOf(code);
  }
}

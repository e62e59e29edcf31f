import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { contributedMethod, Contributions } from '../../platform/contributions/contributions.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { asProvider } from '../../platform/instance-audit/current-actor.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import type { Language } from '../../texts/languages.js';
import { Passkey } from '../entities/passkey.entity.js';
import type { User } from '../entities/user.entity.js';
import { SignInNeeded } from '../errors/sign-in-needed.js';
import type { ProviderSignIn } from '../sessions/identities.service.js';
import { IdentitiesService } from '../sessions/identities.service.js';
import { KnownBrowsersService } from '../sessions/known-browsers.service.js';
import type { SessionOrigin } from '../sessions/sessions.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInProviders } from '../sessions/sign-in-provider.js';
import { useOnceWithin } from '../sessions/sign-in-marks.js';

/** What recognises a browser, and the language of its pages. */
export interface SignedInBrowser {
  cookie: string;
  language: Language;
  /** The digest of the passkey that it has used, if any. */
  passkey?: string;
  /** The sign-in at the provider with which it comes, if any. */
  provider?: ProviderSignIn;
  /** What it has waited with, if it has, which is accepted once: `PendingSignIn.id`. */
  waitedAs?: string;
  /** Whether the password or the second factor of the account was given, too. */
  isProven?: boolean;
}

type SignInFollower = (user: User, browser: SignedInBrowser) => Promise<void>;

/** Calls the method after each sign-in in a browser, when its session has begun. The account is as it was checked. */
export const OnSignIn = contributedMethod<SignInFollower>();

/** Signs in whoever has proven whose account they use: every sign-in in a browser begins its session here. */
@Injectable()
export class SignInsService implements OnModuleInit {
  private followers: SignInFollower[] = [];

  constructor(
    private readonly sessions: SessionsService,
    private readonly browsers: KnownBrowsersService,
    private readonly identities: IdentitiesService,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
    private readonly providers: SignInProviders,
    private readonly contributions: Contributions,
  ) {}

  onModuleInit(): void {
    this.followers = this.contributions.methods(OnSignIn).map(({ contributed }) => contributed);
  }

  /**
   * Begins a session; returns the token for the cookie, which is not stored.
   * @param browser what recognises the browser, and its language
   * @throws SignInNeeded when the account was disabled, got another password or a second factor, lost the passkey, or was
   * signed out everywhere, since it was checked; or when this sign-in was ended, or finished before
   */
  async begin(user: User, browser?: SignedInBrowser, now = new Date()): Promise<string> {
    const begin = () => this.unitOfWork.run((manager) => this.beginWithin(manager, user, browser, now));
    const token = await (browser?.provider ? asProvider(this.providers.name ?? '', begin) : begin());
    if (browser) for (const follow of this.followers) await follow(user, browser);
    return token;
  }

  private async beginWithin(
    manager: EntityManager,
    user: User,
    browser: SignedInBrowser | undefined,
    now: Date,
  ): Promise<string> {
    const origin = await this.originWithin(manager, user, browser, now);
    const token = await this.sessions.beginWithin(manager, user, now, origin);
    if (browser) await checkPasskeyWithin(manager, browser);
    if (browser?.waitedAs !== undefined && !(await useOnceWithin(manager, browser.waitedAs, now)))
      throw new SignInNeeded();
    if (browser) await this.browsers.recordWithin(manager, user, browser.cookie, now);
    await this.audit.recordWithin(manager, 'signed_in', { subject: user, by: user });
    return token;
  }

  private async originWithin(
    manager: EntityManager,
    user: User,
    { provider, language, isProven = false }: Partial<SignedInBrowser> = {},
    now: Date,
  ): Promise<SessionOrigin> {
    if (!provider) return {};
    return {
      identityId: await this.identities.recordWithin(manager, user, provider, language, now),
      providerSession: provider.session,
      provenAt: isProven ? now : authenticatedAtProvider(user, provider, now),
    };
  }
}

/** The account is locked. */
async function checkPasskeyWithin(manager: EntityManager, { passkey }: SignedInBrowser): Promise<void> {
  if (passkey === undefined || (await manager.existsBy(Passkey, { digest: passkey }))) return;
  throw new SignInNeeded();
}

/** A sign-in at the provider does not replace the account's own second factor. */
function authenticatedAtProvider(
  { hasSecondFactor }: User,
  { provenAt }: ProviderSignIn,
  now: Date,
): Date | null {
  return hasSecondFactor ? null : new Date(Math.min(provenAt, now.getTime()));
}

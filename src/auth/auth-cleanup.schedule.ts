import { Injectable } from '@nestjs/common';
import { CronExpression } from '@nestjs/schedule';
import { eachDespiteErrors } from '../platform/scheduling/each-despite-errors.js';
import { Job } from '../platform/scheduling/jobs.js';
import { EmailLinksService } from './links/email-links.service.js';
import { MailLimits } from './by-mail/mail-limits.js';
import { PasswordLinksService } from './links/password-links.service.js';
import { KnownBrowsersService } from './sessions/known-browsers.service.js';
import { SessionsService } from './sessions/sessions.service.js';
import { KnownNetworksService } from './sign-in/known-networks.service.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';

/**
 * Removes rows of ended sessions, old sign-in attempts, networks and browsers, ended links and old counts of mails. None
 * of these has any effect after its end, even if this never runs.
 */
@Injectable()
export class AuthCleanupSchedule {
  constructor(
    private readonly sessions: SessionsService,
    private readonly throttle: SignInThrottle,
    private readonly knownNetworks: KnownNetworksService,
    private readonly knownBrowsers: KnownBrowsersService,
    private readonly links: PasswordLinksService,
    private readonly emailLinks: EmailLinksService,
    private readonly mailLimits: MailLimits,
  ) {}

  @Job({ name: 'auth cleanup', every: CronExpression.EVERY_10_MINUTES, title: 'overview.authCleanup' })
  cleanUp(now: Date, signal: AbortSignal): Promise<void> {
    const steps = [
      () => this.sessions.deleteEnded(now, signal),
      () => this.throttle.deleteOld(now, signal),
      () => this.knownNetworks.deleteOld(now, signal),
      () => this.knownBrowsers.deleteOld(now, signal),
      () => this.links.deleteEnded(now, signal),
      () => this.emailLinks.deleteEnded(now, signal),
      () => this.mailLimits.deleteEnded(now, signal),
    ];
    return eachDespiteErrors<() => Promise<unknown>>(steps, (step) => step());
  }
}

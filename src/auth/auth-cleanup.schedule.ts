import { Injectable } from '@nestjs/common';
import { Cron, CronExpression } from '@nestjs/schedule';
import { eachDespiteErrors } from '../platform/scheduling/each-despite-errors.js';
import { ScheduledWork } from '../platform/scheduling/scheduled-work.js';
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
    private readonly work: ScheduledWork,
  ) {}

  @Cron(CronExpression.EVERY_10_MINUTES, { waitForCompletion: true })
  cleanUp(now = new Date()): Promise<void> {
    const cleanUp = (signal: AbortSignal) =>
      eachDespiteErrors(
        [
          () => this.sessions.deleteEnded(now, signal),
          () => this.throttle.deleteOld(now, signal),
          () => this.knownNetworks.deleteOld(now, signal),
          () => this.knownBrowsers.deleteOld(now, signal),
          () => this.links.deleteEnded(now, signal),
          () => this.emailLinks.deleteEnded(now, signal),
          () => this.mailLimits.deleteEnded(now, signal),
        ],
        (step) => step(),
      );
    return this.work.run(
      'Removing ended sessions and links failed; retrying at the next run',
      cleanUp,
      'authCleanup',
    );
  }
}

import type { CanActivate, Type } from '@nestjs/common';
import { Inject, Injectable, mixin, NotFoundException, UseGuards } from '@nestjs/common';
import { MailsService } from '../../platform/mail/mails.service.js';
import { Settings } from '../../platform/settings/settings.js';

/**
 * Responds with 404, or another error, unless a condition on a provider holds.
 * @example OnlyIf(Settings, ({ maySignUp }) => maySignUp)
 */
export function OnlyIf<Provider>(
  provider: Type<Provider>,
  holds: (instance: Provider) => boolean | Promise<boolean>,
  otherwise: () => Error = () => new NotFoundException(),
) {
  @Injectable()
  class ConditionGuard implements CanActivate {
    constructor(@Inject(provider) private readonly instance: Provider) {}

    async canActivate(): Promise<true> {
      if (!(await holds(this.instance))) throw otherwise();
      return true;
    }
  }
  return UseGuards(mixin(ConditionGuard));
}

export const OnlyIfMailIsSent = () => OnlyIf(MailsService, (mails) => mails.isEnabled);

export const OnlyIfNoMailIsSent = () => OnlyIf(MailsService, (mails) => !mails.isEnabled);

export const OnlyIfSignUpsAreAllowed = () => OnlyIf(Settings, ({ maySignUp }) => maySignUp);

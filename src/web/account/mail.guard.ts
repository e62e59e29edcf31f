import type { CanActivate } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';
import { MailsService } from '../../mail/mails.service.js';

/** Responds with 404 where no mail is sent. */
@Injectable()
export class MailGuard implements CanActivate {
  constructor(private readonly mails: MailsService) {}

  canActivate(): true {
    if (!this.mails.isEnabled) throw new NotFoundException();
    return true;
  }
}

/** Responds with 404 where mail is sent: there, email addresses are verified first. */
@Injectable()
export class NoMailGuard implements CanActivate {
  constructor(private readonly mails: MailsService) {}

  canActivate(): true {
    if (this.mails.isEnabled) throw new NotFoundException();
    return true;
  }
}

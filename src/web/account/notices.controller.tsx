import { Body, Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { UsersService } from '../../auth/users/users.service.js';
import { MailRules } from '../../pushes/create/mail-rules.js';
import { NOTICE_EVENTS, noticeBits } from '../../pushes/push/notice-events.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { languageOf } from '../language/language.js';
import { Notices } from '../views/notices.js';
import { CurrentUser } from '../pages/current-user.js';

/** About which events a user gets mails when a push does not say. They are in the language of this page. */
@PageController()
export class NoticesController {
  constructor(
    private readonly users: UsersService,
    private readonly rules: MailRules,
  ) {}

  @Get('users/notices')
  @SignedInPage()
  show(@CurrentUser() user: User, @Query('done') done: unknown): PageResponse {
    return new PageResponse(
      <Notices email={user.email} chosen={this.rules.defaultNotices(user)} isSaved={done === 'saved'} />,
    );
  }

  @PostForm('users/notices')
  @SignedInPage()
  async save(@CurrentUser() user: User, @Body() form: Form, @Req() request: Request): Promise<SeeOther> {
    const chosen = NOTICE_EVENTS.filter((event) => form[event] !== undefined);
    await this.users.setNotices(user, { notifyOn: noticeBits(chosen), language: languageOf(request) });
    return new SeeOther('/users/notices?done=saved');
  }
}

import { Body, Get, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { MemberPage } from '../../auth/access.decorators.js';
import { canBeMailed } from '../../auth/can-be-mailed.js';
import type { User } from '../../auth/user.entity.js';
import { UsersService } from '../../auth/users.service.js';
import { Mails } from '../../mail/mails.service.js';
import { NOTICE_EVENTS, noticeBits, noticeEvents } from '../../pushes/notices/notice-events.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { languageOf } from '../texts/language.js';
import { Notices } from '../views/notices.js';
import { SignedIn } from './signed-in.js';

/** About which events a user gets mails when a push does not say. They are in the language of this page. */
@PageController()
export class NoticesController {
  constructor(
    private readonly users: UsersService,
    private readonly mails: Mails,
  ) {}

  @Get('users/notices')
  @MemberPage()
  show(@SignedIn() user: User, @Query('done') done: unknown): PageResponse {
    return new PageResponse(
      <Notices
        email={user.email}
        chosen={noticeEvents(user.notifyOn)}
        isAvailable={this.mails.areSent && canBeMailed(user)}
        isSaved={done === 'saved'}
      />,
    );
  }

  @PostForm('users/notices')
  @MemberPage()
  async save(@SignedIn() user: User, @Body() form: Form, @Req() request: Request): Promise<SeeOther> {
    const chosen = NOTICE_EVENTS.filter((event) => form[event] !== undefined);
    await this.users.setNotices(user, { notifyOn: noticeBits(chosen), language: languageOf(request) });
    return new SeeOther('/users/notices?done=saved');
  }
}

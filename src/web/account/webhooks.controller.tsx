import { Body, Get, Injectable, Param, Query, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { WebhookFormDto } from './webhook-form.dto.js';
import { PageController } from '../pages/page-controller.js';
import type { PageResponse } from '../pages/page-response.js';
import { SeeOther } from '../pages/page-response.js';
import type { FieldErrors } from '../views/fields.js';
import { CurrentUser } from '../pages/current-user.js';
import { WebhookPages } from './webhook-pages.js';
import { WebhooksGuard } from './webhooks.guard.js';

@Injectable()
class WebhookErrors extends FormErrorsInterceptor {
  constructor(private readonly pages: WebhookPages) {
    super();
  }

  protected view(errors: FieldErrors, typed: Form, { id }: User, request: Request) {
    return this.pages.refused(id, errors, typed, request);
  }
}

/** The webhooks of the signed-in user. */
@PageController()
@UseGuards(WebhooksGuard)
export class WebhooksController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get('users/webhooks')
  @SignedInPage()
  show(@CurrentUser() user: User, @Query('done') done: unknown): Promise<PageResponse> {
    return this.pages.show(user.id, done);
  }

  @PostForm('users/webhooks', WebhookErrors)
  @SignedInPage()
  add(@CurrentUser() user: User, @Body() form: WebhookFormDto): Promise<PageResponse> {
    return this.pages.add(user.id, form);
  }

  @PostForm('users/webhooks/:id/secret', WebhookErrors)
  @SignedInPage()
  rotateSecret(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Body() form: Form,
  ): Promise<PageResponse> {
    return this.pages.rotateSecret(user.id, id, form);
  }

  @PostForm('users/webhooks/:id/test', WebhookErrors)
  @SignedInPage()
  async test(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.test(user.id, id);
    return new SeeOther('/users/webhooks?done=test');
  }

  @PostForm('users/webhooks/:id/enable', WebhookErrors)
  @SignedInPage()
  async enable(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.enable(user.id, id);
    return new SeeOther('/users/webhooks?done=enable');
  }

  @PostForm('users/webhooks/:id/delete', WebhookErrors)
  @SignedInPage()
  async delete(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.delete(user.id, id);
    return new SeeOther('/users/webhooks?done=delete');
  }
}

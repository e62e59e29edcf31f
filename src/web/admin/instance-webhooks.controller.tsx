import { Body, Get, Injectable, Param, Query, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { AdministratorPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { WebhookPages } from '../account/webhook-pages.js';
import { WebhooksGuard } from '../account/webhooks.guard.js';
import { ConfirmPasswordInterceptor } from '../forms/confirm-password.interceptor.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { WebhookFormDto } from '../account/webhook-form.dto.js';
import { PageController } from '../pages/page-controller.js';
import type { PageResponse } from '../pages/page-response.js';
import { SeeOther } from '../pages/page-response.js';
import type { FieldErrors } from '../views/fields.js';

@Injectable()
class InstanceWebhookErrors extends FormErrorsInterceptor {
  constructor(private readonly pages: WebhookPages) {
    super();
  }

  protected view(errors: FieldErrors, typed: Form, _administrator: User, request: Request) {
    return this.pages.refused(null, errors, typed, request);
  }
}

/** Webhooks that are told of all pushes. Changing them requires the administrator's password again, and is audited. */
@PageController()
@UseGuards(WebhooksGuard)
export class InstanceWebhooksController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get('admin/webhooks')
  @AdministratorPage()
  show(@Query('done') done: unknown): Promise<PageResponse> {
    return this.pages.show(null, done);
  }

  @PostForm('admin/webhooks', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  add(@Body() form: WebhookFormDto): Promise<PageResponse> {
    return this.pages.add(null, form);
  }

  @PostForm('admin/webhooks/:id/secret', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  rotateSecret(@Param('id') id: string, @Body() form: Form): Promise<PageResponse> {
    return this.pages.rotateSecret(null, id, form);
  }

  @PostForm('admin/webhooks/:id/test', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async test(@Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.test(null, id);
    return new SeeOther('/admin/webhooks?done=test');
  }

  @PostForm('admin/webhooks/:id/enable', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async enable(@Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.enable(null, id);
    return new SeeOther('/admin/webhooks?done=enable');
  }

  @PostForm('admin/webhooks/:id/delete', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async delete(@Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.delete(null, id);
    return new SeeOther('/admin/webhooks?done=delete');
  }
}

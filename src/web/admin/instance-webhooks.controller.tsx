import { Body, Get, Injectable, Param, Query, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { AdministratorPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { Log } from '../../logging/log.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { CurrentUser } from '../pages/current-user.js';
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

/** Webhooks that are told of all pushes. Changing them requires the administrator's password again, and is logged. */
@PageController()
@UseGuards(WebhooksGuard)
export class InstanceWebhooksController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly webhooks: WebhooksService,
    private readonly log: Log,
  ) {}

  @Get('admin/webhooks')
  @AdministratorPage()
  show(@Query('done') done: unknown): Promise<PageResponse> {
    return this.pages.show(null, done);
  }

  @PostForm('admin/webhooks', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async add(@CurrentUser() administrator: User, @Body() form: WebhookFormDto): Promise<PageResponse> {
    const page = await this.pages.add(null, form);
    this.record('add', administrator, form.id);
    return page;
  }

  @PostForm('admin/webhooks/:id/secret', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async rotateSecret(
    @CurrentUser() administrator: User,
    @Param('id') id: string,
    @Body() form: Form,
  ): Promise<PageResponse> {
    const page = await this.pages.rotateSecret(null, id, form);
    this.record('replace secret', administrator, id);
    return page;
  }

  @PostForm('admin/webhooks/:id/test', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async test(@CurrentUser() administrator: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.test(null, id);
    this.record('test', administrator, id);
    return new SeeOther('/admin/webhooks?done=test');
  }

  @PostForm('admin/webhooks/:id/enable', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async enable(@CurrentUser() administrator: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.enable(null, id);
    this.record('enable', administrator, id);
    return new SeeOther('/admin/webhooks?done=enable');
  }

  @PostForm('admin/webhooks/:id/delete', InstanceWebhookErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async delete(@CurrentUser() administrator: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.delete(null, id);
    this.record('delete', administrator, id);
    return new SeeOther('/admin/webhooks?done=delete');
  }

  private record(action: string, administrator: User, webhook: string | undefined): void {
    this.log.event('webhook management', { act: action, administrator: administrator.id, webhook });
  }
}

import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { TextKey } from '../../texts/en.js';
import type { WebhookEvent } from '../../webhooks/webhook-events.js';
import { WEBHOOK_EVENTS } from '../../webhooks/webhook-events.js';
import type { WebhookOwner } from '../../webhooks/webhooks.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import type { Form } from '../forms/form.js';
import type { WebhookFormDto } from './webhook-form.dto.js';
import { PageResponse } from '../pages/page-response.js';
import type { WebhooksProps } from '../views/webhooks.js';
import { Webhooks } from '../views/webhooks.js';

/** By the parameter `done`; a Map, because a plain object inherits names such as `constructor`. */
const FLASH_MESSAGES = new Map<unknown, TextKey>([
  ['test', 'webhooks.doneTest'],
  ['enable', 'webhooks.doneEnable'],
  ['delete', 'webhooks.doneDelete'],
]);

/** The page of the webhooks of an account, and with null that of the webhooks of the instance. */
@Injectable()
export class WebhookPages {
  constructor(private readonly webhooks: WebhooksService) {}

  async view(owner: WebhookOwner, shown: Partial<WebhooksProps> = {}) {
    const webhooks = await this.webhooks.list(owner);
    return (
      <Webhooks isOfInstance={owner === null} webhooks={webhooks} formId={this.webhooks.newId()} {...shown} />
    );
  }

  /** The page again, with the errors of the form that was refused. */
  refused(owner: WebhookOwner, errors: WebhooksProps['errors'], typed: Form, { path, params }: Request) {
    const form = params.id === undefined ? 'add' : `${String(params.id)}/${path.split('/').at(-1)}`;
    return this.view(owner, { form, errors, typed });
  }

  async show(owner: WebhookOwner, done: unknown): Promise<PageResponse> {
    return new PageResponse(await this.view(owner, { notice: FLASH_MESSAGES.get(done) }));
  }

  /** The response shows the secret, because a redirect would need it in a URL, in a cookie or in the database. */
  async add(owner: WebhookOwner, form: WebhookFormDto): Promise<PageResponse> {
    const { id, url } = form;
    return this.showSecret(owner, await this.webhooks.add(owner, { id, url, events: eventsIn(form) }));
  }

  async rotateSecret(owner: WebhookOwner, id: string, { from = '' }: Form): Promise<PageResponse> {
    return this.showSecret(owner, await this.webhooks.rotateSecret(owner, id, from));
  }

  private async showSecret(owner: WebhookOwner, secret: string | undefined): Promise<PageResponse> {
    const isRepeated = secret === undefined;
    return new PageResponse(await this.view(owner, { secret, isRepeated }), isRepeated ? 200 : 201);
  }
}

function eventsIn(form: WebhookFormDto): WebhookEvent[] {
  return WEBHOOK_EVENTS.filter((event) => form[event] !== undefined);
}

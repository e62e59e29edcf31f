import { InMenu } from '../../web/pages/menus.js';
import { IsOptional, IsString } from 'class-validator';
import { Injectable, Body, Get, Param } from '@nestjs/common';
import type { WebhookEvent } from './webhook-events.js';
import { WEBHOOK_EVENTS } from './webhook-events.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { WebhookOwner } from './webhooks.service.js';
import { WebhooksService } from './webhooks.service.js';
import type { FormFields } from '../../web/components/filled-form.js';
import type { OwnRejectedForm, ShownAgain } from '../../web/forms/form.js';
import { FormId, PostReauthenticatedForm } from '../../web/forms/form.js';
import { StateInAccount } from '../../web/account/account-overview.js';
import { PageResponse, SeeOther, PageController } from '../../web/pages/page-controller.js';
import type { WebhooksProps } from './webhooks.view.js';
import { Webhooks, WebhooksState } from './webhooks.view.js';
import { AdministratorPage, EnabledBy, SignedInPage } from '../../auth/access.decorators.js';
import type { User } from '../../auth/entities/user.entity.js';
import { CurrentUser, Flash } from '../../web/pages/parameters.js';
import { WebhookSettings } from './webhooks.settings.js';

type Checkboxes = Partial<Record<WebhookEvent, string>>;

class WebhookFormDto implements Checkboxes {
  @IsString()
  url = '';

  @FormId()
  id?: string;

  @IsOptional()
  'push.created'?: string;

  @IsOptional()
  'push.retrieved'?: string;

  @IsOptional()
  'push.failed_passphrase'?: string;

  @IsOptional()
  'push.expired'?: string;

  @IsOptional()
  'push.deleted'?: string;

  @IsOptional()
  'request.answered'?: string;
}

const DONE = {
  test: 'webhooks.doneTest',
  enable: 'webhooks.doneEnable',
  delete: 'webhooks.doneDelete',
} as const;

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

  async show(owner: WebhookOwner, flash: TextKey | undefined): Promise<PageResponse> {
    return new PageResponse(await this.view(owner, { flash }));
  }

  /** The response shows the secret, because a redirect would need it in a URL, in a cookie or in the database. */
  async add(owner: WebhookOwner, form: WebhookFormDto): Promise<PageResponse> {
    const { id, url } = form;
    return this.showSecret(owner, await this.webhooks.add(owner, { id, url, events: eventsIn(form) }));
  }

  async rotateSecret(owner: WebhookOwner, id: string, { from = '' }: FormFields): Promise<PageResponse> {
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

const FORM: ShownAgain<WebhooksController> = {
  again: ({ pages }, { user }: OwnRejectedForm) => pages.view(user.id),
};

/** The webhooks of the signed-in user. Changing them requires reauthentication, because they tell somebody else of all pushes. */
@PageController()
@EnabledBy(WebhookSettings, 'ENABLE_WEBHOOKS')
export class WebhooksController {
  constructor(
    readonly pages: WebhookPages,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get('users/webhooks')
  @InMenu({ programs: { text: 'webhooks.title', position: 20, icon: 'hook' } })
  @SignedInPage()
  show(@CurrentUser() user: User, @Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return this.pages.show(user.id, flash);
  }

  @StateInAccount('/users/webhooks')
  async stateFor({ id }: User) {
    return <WebhooksState count={await this.webhooks.countOf(id)} />;
  }

  @PostReauthenticatedForm('users/webhooks', FORM)
  @SignedInPage()
  add(@CurrentUser() user: User, @Body() form: WebhookFormDto): Promise<PageResponse> {
    return this.pages.add(user.id, form);
  }

  @PostReauthenticatedForm('users/webhooks/:id/secret', FORM)
  @SignedInPage()
  rotateSecret(
    @CurrentUser() user: User,
    @Param('id') id: string,
    @Body() form: FormFields,
  ): Promise<PageResponse> {
    return this.pages.rotateSecret(user.id, id, form);
  }

  @PostReauthenticatedForm('users/webhooks/:id/test', FORM)
  @SignedInPage()
  async test(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.test(user.id, id);
    return new SeeOther('/users/webhooks?done=test');
  }

  @PostReauthenticatedForm('users/webhooks/:id/enable', FORM)
  @SignedInPage()
  async enable(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.enable(user.id, id);
    return new SeeOther('/users/webhooks?done=enable');
  }

  @PostReauthenticatedForm('users/webhooks/:id/delete', FORM)
  @SignedInPage()
  async delete(@CurrentUser() user: User, @Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.delete(user.id, id);
    return new SeeOther('/users/webhooks?done=delete');
  }
}

const INSTANCE_FORM: ShownAgain<InstanceWebhooksController> = {
  again: ({ pages }) => pages.view(null),
};

/** Webhooks that are told of all pushes. Changing them requires reauthentication, and is audited. */
@PageController()
@EnabledBy(WebhookSettings, 'ENABLE_WEBHOOKS')
export class InstanceWebhooksController {
  constructor(
    readonly pages: WebhookPages,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get('admin/webhooks')
  @InMenu({ administration: { text: 'webhooks.title', position: 50 } })
  @AdministratorPage()
  show(@Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return this.pages.show(null, flash);
  }

  @PostReauthenticatedForm('admin/webhooks', INSTANCE_FORM)
  @AdministratorPage()
  add(@Body() form: WebhookFormDto): Promise<PageResponse> {
    return this.pages.add(null, form);
  }

  @PostReauthenticatedForm('admin/webhooks/:id/secret', INSTANCE_FORM)
  @AdministratorPage()
  rotateSecret(@Param('id') id: string, @Body() form: FormFields): Promise<PageResponse> {
    return this.pages.rotateSecret(null, id, form);
  }

  @PostReauthenticatedForm('admin/webhooks/:id/test', INSTANCE_FORM)
  @AdministratorPage()
  async test(@Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.test(null, id);
    return new SeeOther('/admin/webhooks?done=test');
  }

  @PostReauthenticatedForm('admin/webhooks/:id/enable', INSTANCE_FORM)
  @AdministratorPage()
  async enable(@Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.enable(null, id);
    return new SeeOther('/admin/webhooks?done=enable');
  }

  @PostReauthenticatedForm('admin/webhooks/:id/delete', INSTANCE_FORM)
  @AdministratorPage()
  async delete(@Param('id') id: string): Promise<SeeOther> {
    await this.webhooks.delete(null, id);
    return new SeeOther('/admin/webhooks?done=delete');
  }
}

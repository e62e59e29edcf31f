import { Body, Get, Injectable, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AdministratorPage } from '../../auth/access.decorators.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import type { AccountError } from '../../auth/errors/account-error.js';
import { ListPage } from '../../http/paging/list-page.js';
import { QueuedByAccount } from '../../http/account-queues.js';
import { PublicUrl } from '../../http/public-url.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import { PageLanguage } from '../account/requested-by.js';
import { ChangeEmailDto } from '../account/change-email.dto.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import type { Language } from '../../texts/languages.js';
import type { TextKey } from '../../texts/en.js';
import { Accounts } from '../views/admin/accounts.js';
import { ManagedAccountPage } from '../views/admin/account.js';
import type { FieldErrors } from '../views/fields.js';
import { AccountActions } from './account-actions.js';
import { linkFor } from './link-for.js';

/** By the parameter `done`; a Map, because a plain object inherits names such as `constructor`. */
const FLASH_MESSAGES = new Map<unknown, TextKey>([
  ['invite', 'admin.doneInvite'],
  ['send_link', 'admin.doneSendLink'],
  ['disable', 'admin.doneDisable'],
  ['enable', 'admin.doneEnable'],
  ['promote', 'admin.donePromote'],
  ['demote', 'admin.doneDemote'],
  ['delete', 'admin.doneDelete'],
]);

/** Shows the list again with the error of one of its two forms, which each have a field of their own. */
@Injectable()
class AccountsErrors extends FormErrorsInterceptor {
  constructor(private readonly administration: AccountAdministration) {
    super();
  }

  protected async view(errors: FieldErrors, { email, find }: Form) {
    const list = await this.administration.list(ListPage.parse(undefined));
    return <Accounts list={list} email={email} find={find} errors={errors} />;
  }

  protected override fieldOf(_error: AccountError, request: Request): string {
    return request.path.endsWith('/find') ? 'find' : 'email';
  }
}

/** The list of accounts, invitations, and the page of one account. Only administrators see them. */
@PageController()
export class AccountsController {
  constructor(
    private readonly administration: AccountAdministration,
    private readonly actions: AccountActions,
    private readonly pushes: OwnPushesService,
    private readonly publicUrl: PublicUrl,
  ) {}

  @Get('admin/accounts')
  @QueuedByAccount()
  @AdministratorPage()
  async list(@Query('page') page: unknown, @Query('done') done: unknown): Promise<PageResponse> {
    const list = await this.administration.list(ListPage.parse(page));
    return new PageResponse(<Accounts list={list} notice={FLASH_MESSAGES.get(done)} />);
  }

  /** Where no mail is sent, the response shows the link, because a redirect would need it in a URL, in a cookie or in the database. */
  @PostForm('admin/accounts', AccountsErrors)
  @AdministratorPage()
  async invite(
    @Body() { email }: ChangeEmailDto,
    @PageLanguage() language: Language,
    @Req() request: Request,
  ): Promise<PageResponse | SeeOther> {
    const { user, link } = await this.actions.invite(email, language);
    if (!link) return new SeeOther(`/admin/accounts/${user.id}?done=invite`);
    return new PageResponse(
      <ManagedAccountPage user={user} activePushes={0} link={linkFor(link, this.publicUrl.of(request))} />,
      201,
    );
  }

  @PostForm('admin/accounts/find', AccountsErrors)
  @AdministratorPage()
  async find(@Body() { find = '' }: Form): Promise<SeeOther> {
    const { id } = await this.administration.find(find);
    return new SeeOther(`/admin/accounts/${id}`);
  }

  @Get('admin/accounts/:id')
  @QueuedByAccount()
  @AdministratorPage()
  async show(@Param('id') id: string, @Query('done') done: unknown): Promise<PageResponse> {
    const user = await this.administration.findById(id);
    const activePushes = await this.pushes.countActiveOf(user.id);
    return new PageResponse(
      <ManagedAccountPage user={user} activePushes={activePushes} notice={FLASH_MESSAGES.get(done)} />,
    );
  }
}

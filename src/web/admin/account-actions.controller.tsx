import { Injectable, Param, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { AdministratorPage } from '../../auth/access.decorators.js';
import { AccountAdministration } from '../../auth/users/account-administration.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { Language } from '../../texts/languages.js';
import { PublicUrl } from '../../http/public-url.js';
import { OwnPushesService } from '../../pushes/owner-lists/own-pushes.service.js';
import { MailGuard } from '../account/mail.guard.js';
import { PageLanguage } from '../account/requested-by.js';
import { ConfirmPasswordInterceptor } from '../forms/confirm-password.interceptor.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { ManagedAccountPage } from '../views/admin/account.js';
import type { FieldErrors } from '../views/fields.js';
import { AccountActions } from './account-actions.js';
import { linkFor } from './link-for.js';

/** Shows the page of the account again, with the errors of the form that the path ends with. */
@Injectable()
class ActionErrors extends FormErrorsInterceptor {
  constructor(
    private readonly administration: AccountAdministration,
    private readonly pushes: OwnPushesService,
  ) {
    super();
  }

  protected async view(errors: FieldErrors, _typed: Form, _administrator: User, { path, params }: Request) {
    const user = await this.administration.findById(String(params.id));
    const activePushes = await this.pushes.countActiveOf(user.id);
    const form = path.split('/').at(-1);
    return <ManagedAccountPage user={user} activePushes={activePushes} form={form} errors={errors} />;
  }
}

/** What administrators do to an account. All of it requires their password again. */
@PageController()
export class AccountActionsController {
  constructor(
    private readonly actions: AccountActions,
    private readonly pushes: OwnPushesService,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** The response shows the link: see AccountsController. */
  @PostForm('admin/accounts/:id/password_link', ActionErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async createPasswordLink(@Param('id') id: string, @Req() request: Request): Promise<PageResponse> {
    const { user, link } = await this.actions.createPasswordLink(id);
    const activePushes = await this.pushes.countActiveOf(id);
    return new PageResponse(
      <ManagedAccountPage
        user={user}
        activePushes={activePushes}
        link={linkFor(link, this.publicUrl.of(request))}
      />,
      201,
    );
  }

  @PostForm('admin/accounts/:id/send_password_link', ActionErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  @UseGuards(MailGuard)
  async sendPasswordLink(@Param('id') id: string, @PageLanguage() language: Language): Promise<SeeOther> {
    await this.actions.sendPasswordLink(id, language);
    return new SeeOther(`/admin/accounts/${id}?done=send_link`);
  }

  @PostForm('admin/accounts/:id/disable', ActionErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async disable(@Param('id') id: string, @PageLanguage() language: Language): Promise<SeeOther> {
    await this.actions.disable(id, language);
    return new SeeOther(`/admin/accounts/${id}?done=disable`);
  }

  @PostForm('admin/accounts/:id/enable', ActionErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async enable(@Param('id') id: string): Promise<SeeOther> {
    await this.actions.enable(id);
    return new SeeOther(`/admin/accounts/${id}?done=enable`);
  }

  @PostForm('admin/accounts/:id/promote', ActionErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async promote(@Param('id') id: string, @PageLanguage() language: Language): Promise<SeeOther> {
    await this.actions.promote(id, language);
    return new SeeOther(`/admin/accounts/${id}?done=promote`);
  }

  @PostForm('admin/accounts/:id/demote', ActionErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async demote(@Param('id') id: string): Promise<SeeOther> {
    await this.actions.demote(id);
    return new SeeOther(`/admin/accounts/${id}?done=demote`);
  }

  @PostForm('admin/accounts/:id/delete', ActionErrors, ConfirmPasswordInterceptor)
  @AdministratorPage()
  async delete(@Param('id') id: string): Promise<SeeOther> {
    await this.actions.delete(id);
    return new SeeOther('/admin/accounts?done=delete');
  }
}

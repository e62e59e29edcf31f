import { Body, Get, Param } from '@nestjs/common';
import { PublicPage } from '../../auth/access.decorators.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import { ChangeEmailDto, ChangePasswordDto } from './account.dto.js';
import { PostForm } from '../forms/form.js';
import { PageController, PageResponse, SeeOther } from '../pages/page-controller.js';
import { EmailInput, FormErrors } from '../components/fields.js';
import { MailSent, ChoosePassword } from './link-views.js';
import { OnlyIfMailIsSent } from '../pages/only-if.js';
import { RequestedBy } from '../pages/parameters.js';
import { PasswordLinksService } from '../../auth/links/password-links.service.js';
import { NarrowPage } from '../components/layout.js';
import { LinkButton, SubmitButton } from '../components/button.js';
import { Card } from '../components/card.js';
import { UnderLetter } from '../components/letter.js';
import { Form, useTexts } from '../components/site.js';

/** Asking for a mail with a link for a new password; PasswordLinkController has the page of the link. */
@PageController()
@OnlyIfMailIsSent()
export class ForgottenPasswordController {
  constructor(private readonly requests: MailRequestsService) {}

  @Get('users/password')
  @PublicPage()
  show(): PageResponse {
    return new PageResponse(<ForgottenPassword />);
  }

  @PostForm('users/password', {
    again: () => <ForgottenPassword />,
  })
  @PublicPage()
  async request(
    @Body() { email }: ChangeEmailDto,
    @RequestedBy() requester: Requester,
  ): Promise<PageResponse> {
    await this.requests.newPassword(email, requester);
    return new PageResponse(<MailSent of="mailSent.newPassword" email={email} />);
  }
}

/** Choosing a password with a link from an administrator or a mail. Only sending the form uses the link up. */
@PageController()
export class PasswordLinkController {
  constructor(private readonly links: PasswordLinksService) {}

  @Get('users/password/:token')
  @PublicPage()
  async show(@Param('token') token: string): Promise<PageResponse> {
    return new PageResponse(await this.view(token));
  }

  @PostForm('users/password/:token', {
    again: (page: PasswordLinkController, { request }) => page.view(String(request.params.token)),
    field: 'new_password',
  })
  @PublicPage()
  async use(
    @Param('token') token: string,
    @Body() { new_password }: ChangePasswordDto,
    @RequestedBy() { ip, language }: Requester,
  ): Promise<SeeOther> {
    await this.links.use(token, new_password, ip, language);
    return new SeeOther('/users/sign_in?done=password_set');
  }

  private async view(token: string) {
    const { email } = await this.links.accountOf(token);
    return <ChoosePassword email={email} />;
  }
}

/** Asks for the email address to which a link for a new password is sent. */
function ForgottenPassword() {
  const t = useTexts();
  return (
    <NarrowPage title={t.text('forgotten.title')} lede={t.text('forgotten.intro')}>
      <FormErrors isShort />
      <Card label="forgotten.title">
        <Form to="/users/password">
          <EmailInput focusesOnError />
          <SubmitButton>{t.text('forgotten.submit')}</SubmitButton>
        </Form>
      </Card>
      <UnderLetter>
        <p>
          <LinkButton look="quiet" to="/users/sign_in">
            {t.text('forgotten.signIn')}
          </LinkButton>
        </p>
      </UnderLetter>
    </NarrowPage>
  );
}

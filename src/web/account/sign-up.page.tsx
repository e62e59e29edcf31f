import { Body, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { EmailLinksService } from '../../auth/links/email-links.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import { CredentialsService } from '../../auth/sign-in/credentials.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { Layout } from '../components/layout.js';
import { Form, Link, useSite, useTexts } from '../components/site.js';
import { EmailInput, FormErrors, NewPassword } from '../components/fields.js';
import { clientAddress } from '../../platform/http/client-address.js';
import { ChangeEmailDto, ChangePasswordDto, SignUpDto } from './account.dto.js';
import type { ShownAgain } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { ChoosePassword, MailSent } from './link-views.js';
import type { FieldErrors } from '../components/fields.js';
import { OnlyIfMailIsSent, OnlyIfNoMailIsSent, OnlyIfSignUpsAreAllowed } from '../pages/only-if.js';
import { CurrentUser, RequestedBy } from '../pages/parameters.js';

const FORM: ShownAgain<unknown> = {
  again: (_page, { typed, errors }) => <SignUp email={typed.email} errors={errors} />,
};

/** Signing up where no mail is sent. */
@PageController()
@OnlyIfSignUpsAreAllowed()
export class SignUpController {
  constructor(private readonly credentials: CredentialsService) {}

  /** Where mail is sent, its form is that of SignUpLinkController. */
  @Get('users/sign_up')
  @PublicPage()
  show(@CurrentUser() user: User | undefined): PageResponse | SeeOther {
    return user ? new SeeOther('/pushes') : new PageResponse(<SignUp />);
  }

  @PostForm('users/sign_up', FORM)
  @PublicPage()
  @OnlyIfNoMailIsSent()
  async signUp(@Body() { email, password }: SignUpDto, @Req() request: Request): Promise<SeeOther> {
    await this.credentials.signUp(email, password, clientAddress(request));
    return new SeeOther('/users/sign_in?done=signed_up');
  }
}

/**
 * Signing up where mail is sent. Whoever reads the mail of the email address chooses the password, and before that
 * there is no account. Only sending the form uses the link up.
 */
@PageController()
@OnlyIfMailIsSent()
@OnlyIfSignUpsAreAllowed()
export class SignUpLinkController {
  constructor(
    private readonly requests: MailRequestsService,
    private readonly links: EmailLinksService,
  ) {}

  /** The response shows the email address that was typed, so it is no redirect. */
  @PostForm('users/sign_up_link', FORM)
  @PublicPage()
  async request(
    @Body() { email }: ChangeEmailDto,
    @RequestedBy() requester: Requester,
  ): Promise<PageResponse> {
    await this.requests.signUp(email, requester);
    return new PageResponse(<MailSent of="mailSent.signUp" email={email} />);
  }

  @Get('users/sign_up_link/:token')
  @PublicPage()
  async show(@Param('token') token: string): Promise<PageResponse> {
    return new PageResponse(await this.view(token));
  }

  @PostForm('users/sign_up_link/:token', {
    again: (page: SignUpLinkController, { errors, request }) =>
      page.view(String(request.params.token), errors),
    field: 'new_password',
  })
  @PublicPage()
  async use(
    @Param('token') token: string,
    @Body() { new_password }: ChangePasswordDto,
    @Req() request: Request,
  ): Promise<SeeOther> {
    await this.links.signUp(token, new_password, clientAddress(request));
    return new SeeOther('/users/sign_in?done=account_created');
  }

  private async view(token: string, errors?: FieldErrors) {
    return <ChoosePassword email={await this.links.findForSignUp(token)} errors={errors} />;
  }
}

/** Where mail is sent, the password is chosen with a link. */
function SignUp({ email, errors }: { email?: string; errors?: FieldErrors }) {
  const { sendsMail } = useSite();
  const t = useTexts();
  return (
    <Layout title={t.text('signUp.title')}>
      <div class="narrow">
        <h1>{t.text('signUp.title')}</h1>
        <p class="lede">{t.text('signUp.intro')}</p>
        <FormErrors errors={errors} />
        <Form to={sendsMail ? '/users/sign_up_link' : '/users/sign_up'} class="card">
          <EmailInput
            value={email}
            errors={errors}
            hint={sendsMail ? t.text('signUp.mailIntro') : undefined}
          />
          {!sendsMail && (
            <NewPassword
              name="password"
              label={t.text('signIn.password')}
              hint={t.text('signUp.passwordHint')}
              errors={errors}
            />
          )}
          <button class="wide">{t.text(sendsMail ? 'signUp.mailSubmit' : 'signUp.submit')}</button>
        </Form>
        <p class="actions">
          <Link to="/users/sign_in">{t.text('signUp.signIn')}</Link>
        </p>
      </div>
    </Layout>
  );
}

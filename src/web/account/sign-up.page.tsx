import { Body, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import { EmailLinksService } from '../../auth/links/email-links.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import { OwnAccountService } from '../../auth/sign-in/own-account.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { NarrowPage } from '../components/layout.js';
import { LinkButton, SubmitButton } from '../components/button.js';
import { Card } from '../components/card.js';
import { UnderLetter } from '../components/letter.js';
import { Form, useSite, useTexts } from '../components/site.js';
import { EmailInput, FormErrors, NewPassword } from '../components/fields.js';
import { clientAddress } from '../../platform/http/visitor.js';
import { RequestSignUpDto, SignUpDto, UseSignUpLinkDto } from './account.dto.js';
import { BrowserSessions } from './browser-sessions.js';
import type { ShownAgain } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { PageController, PageResponse, SeeOther } from '../pages/page-controller.js';
import { nextPath, withNext } from '../pages/paths.js';
import { ChoosePassword, MailSent } from './link-views.js';
import { OnlyIfMailIsSent, OnlyIfNoMailIsSent, OnlyIfSignUpsAreAllowed } from '../pages/only-if.js';
import { CurrentUser, RequestedBy } from '../pages/parameters.js';

const FORM: ShownAgain<unknown> = {
  again: (_page, { typed }) => <SignUp next={nextPath(typed.next)} />,
};

/** The form and its options, of which a mail has no more than that: strangers may have it sent to others. */
const MAILED = /^\/(users\/signed_in)?(\?[\w=&]{1,80})?$/;

/** Signing up where no mail is sent. */
@PageController()
@OnlyIfSignUpsAreAllowed()
export class SignUpController {
  constructor(private readonly ownAccount: OwnAccountService) {}

  /** Where mail is sent, its form is that of SignUpLinkController. */
  @Get('users/sign_up')
  @PublicPage()
  show(@CurrentUser() user: User | undefined, @Query('next') next: unknown): PageResponse | SeeOther {
    return user ? new SeeOther(nextPath(next)) : new PageResponse(<SignUp next={nextPath(next)} />);
  }

  @PostForm('users/sign_up', FORM)
  @PublicPage()
  @OnlyIfNoMailIsSent()
  async signUp(@Body() { email, password, next }: SignUpDto, @Req() request: Request): Promise<SeeOther> {
    await this.ownAccount.signUp(email, password, clientAddress(request));
    return new SeeOther(withNext('/users/sign_in?done=signed_up', nextPath(next)));
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
    private readonly sessions: BrowserSessions,
  ) {}

  /** The response shows the email address that was typed, so it is no redirect. */
  @PostForm('users/sign_up_link', FORM)
  @PublicPage()
  async request(
    @Body() { email, next }: RequestSignUpDto,
    @RequestedBy() requester: Requester,
  ): Promise<PageResponse> {
    const path = nextPath(next);
    await this.requests.signUp(email, requester, MAILED.test(path) ? path : undefined);
    return new PageResponse(<MailSent of="mailSent.signUp" email={email} />);
  }

  @Get('users/sign_up_link/:token')
  @PublicPage()
  async show(@Param('token') token: string, @Query('next') next: unknown): Promise<PageResponse> {
    return new PageResponse(await this.view(token, next));
  }

  @PostForm('users/sign_up_link/:token', {
    again: (page: SignUpLinkController, { typed, request }) =>
      page.view(String(request.params.token), typed.next),
    field: 'new_password',
  })
  @PublicPage()
  async use(
    @Param('token') token: string,
    @Body() { new_password, next }: UseSignUpLinkDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const user = await this.links.signUp(token, new_password, clientAddress(request));
    await this.sessions.begin(user, request, response);
    return new SeeOther(nextPath(next));
  }

  private async view(token: string, next: unknown) {
    const email = await this.links.findForSignUp(token);
    return <ChoosePassword email={email} next={nextPath(next)} />;
  }
}

/** Where mail is sent, the password is chosen with a link. */
function SignUp({ next }: { next: string }) {
  const { sendsMail } = useSite();
  const t = useTexts();
  return (
    <NarrowPage title={t.text('signUp.title')} lede={t.text('signUp.intro')} script="account">
      <FormErrors isShort />
      <Card label="signUp.title">
        <Form
          to={sendsMail ? '/users/sign_up_link' : '/users/sign_up'}
          data-hands-over={sendsMail ? undefined : 'email'}
        >
          <input type="hidden" name="next" value={next} />
          <EmailInput hint={sendsMail ? t.text('signUp.mailIntro') : undefined} focusesOnError />
          {!sendsMail && (
            <NewPassword
              name="password"
              label={t.text('signIn.password')}
              hint={t.text('signUp.passwordHint')}
              focusesOnError
            />
          )}
          <SubmitButton>{t.text(sendsMail ? 'signUp.mailSubmit' : 'signUp.submit')}</SubmitButton>
        </Form>
      </Card>
      <UnderLetter>
        <p>
          <LinkButton look="quiet" to={withNext('/users/sign_in', next)}>
            {t.text('signUp.signIn')}
          </LinkButton>
        </p>
      </UnderLetter>
    </NarrowPage>
  );
}

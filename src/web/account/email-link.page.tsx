import { Get, Param } from '@nestjs/common';
import { SignedInPage } from '../../auth/access.decorators.js';
import { EmailLinksService } from '../../auth/links/email-links.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { Language } from '../../texts/languages.js';
import type { OwnRejectedForm } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { PageController, PageResponse, SeeOther, ReturnAfterSignIn } from '../pages/page-controller.js';
import { Button, LinkButton } from '../components/button.js';
import { useForm } from '../components/filled-form.js';
import { FormErrors } from '../components/fields.js';
import { OnlyIfMailIsSent } from '../pages/only-if.js';
import { PageLanguage, RequestedBy, CurrentUser } from '../pages/parameters.js';
import { NarrowPage } from '../components/layout.js';
import { Form, useSite, useTexts, Data, Sentence } from '../components/site.js';

/**
 * Verifying the email address of an account, or a new one, by a link that was sent to it. Only sending the form uses it
 * up.
 */
@PageController()
@OnlyIfMailIsSent()
export class EmailLinkController {
  constructor(
    private readonly requests: MailRequestsService,
    private readonly links: EmailLinksService,
  ) {}

  /** For the email address that the account has, from before mail was sent. */
  @PostForm('users/edit/verification')
  @SignedInPage()
  async request(@CurrentUser() user: User, @RequestedBy() requester: Requester): Promise<SeeOther> {
    await this.requests.email(user, user.email, requester);
    return new SeeOther('/users/edit?done=email_sent');
  }

  @Get('users/email/:token')
  @ReturnAfterSignIn()
  @SignedInPage()
  async show(@CurrentUser() user: User, @Param('token') token: string): Promise<PageResponse> {
    return new PageResponse(await this.view(user, token));
  }

  @PostForm('users/email/:token', {
    again: (page: EmailLinkController, { user, request }: OwnRejectedForm) =>
      page.view(user, String(request.params.token)),
  })
  @SignedInPage()
  async use(
    @CurrentUser() user: User,
    @Param('token') token: string,
    @PageLanguage() language: Language,
  ): Promise<SeeOther> {
    await this.links.use(user, token, language);
    return new SeeOther('/users/edit?done=email_verified');
  }

  private async view(user: User, token: string) {
    const email = await this.links.findFor(user, token);
    return <VerifyEmail email={email} current={user.email} />;
  }
}

interface VerifyEmailProps {
  /** The email address that the link was sent to. */
  email: string;
  /** The email address of the account. */
  current: string;
}

/** The page of a link by which the owner of an account verifies an email address. */
function VerifyEmail({ email, current }: VerifyEmailProps) {
  const { path } = useSite();
  const t = useTexts();
  const isOwn = email === current;
  return (
    <NarrowPage
      title={t.text('verifyEmail.title')}
      lede={
        <Sentence
          of={isOwn ? 'verifyEmail.own' : 'verifyEmail.text'}
          email={<Data>{email}</Data>}
          current={<Data>{current}</Data>}
        />
      }
    >
      <FormErrors />
      {useForm(path).errors ? (
        <LinkButton size="large" isWide to="/users/edit">
          {t.text('secondFactor.back')}
        </LinkButton>
      ) : (
        <Form to={path}>
          <Button look="primary" size="large" isWide>
            {t.text('verifyEmail.submit')}
          </Button>
        </Form>
      )}
    </NarrowPage>
  );
}

import { InMenu } from '../pages/menus.js';
import { Body, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import { EmailChangesService } from '../../auth/by-mail/email-changes.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import { OwnAccountService } from '../../auth/sign-in/own-account.service.js';
import type { Session } from '../../auth/entities/session.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import { AccountRemovalService } from '../../pushes/account-removal/account-removal.service.js';
import { BrowserSessions } from './browser-sessions.js';
import { ChangeEmailDto, ChangePasswordDto } from './account.dto.js';
import type { OwnRejectedForm, ShownAgain } from '../forms/form.js';
import { PostConfirmedForm, PostForm } from '../forms/form.js';
import { LogLinks } from '../pages/log-download.js';
import { PageResponse, SeeOther, PageController } from '../pages/page-controller.js';
import { CurrentSession, CurrentUser, Flash, RequestedBy } from '../pages/parameters.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { FieldErrors } from '../components/fields.js';
import {
  FormErrors,
  Input,
  isFirstError,
  NewPassword,
  ReauthenticationFields,
} from '../components/fields.js';
import { FoldedForm } from '../components/folded-form.js';
import { Layout } from '../components/layout.js';
import { FlashMessage, Link, Form, useSite, useTexts, Data, Sentence } from '../components/site.js';

const DONE = {
  email: 'account.emailChanged',
  email_sent: 'account.emailSent',
  email_verified: 'account.emailVerified',
  password: 'account.passwordChanged',
} as const;

/** Which field an error of each form is about. */
const FIELDS = { email: 'email', password: 'new_password', delete: 'form' } satisfies Record<
  AccountForm,
  string
>;

/** The page with the errors of one of its forms. */
const shown = (form: AccountForm): ShownAgain<unknown> => ({
  again: (_page, { user, errors }: OwnRejectedForm) => <Account user={user} form={form} errors={errors} />,
  field: FIELDS[form],
});

/** Changes to a user's own account. All of them except signing out require the password again. */
@PageController()
export class AccountController {
  constructor(
    private readonly ownAccount: OwnAccountService,
    private readonly emailChanges: EmailChangesService,
    private readonly sessions: SessionsService,
    private readonly browserSessions: BrowserSessions,
    private readonly removal: AccountRemovalService,
  ) {}

  @Get('users/edit')
  @InMenu({ main: { text: 'site.account', position: 40 } })
  @SignedInPage()
  show(@CurrentUser() user: User, @Flash(DONE) flash: TextKey | undefined): PageResponse {
    return new PageResponse(<Account user={user} flash={flash} />);
  }

  @PostConfirmedForm('users/edit/email', shown('email'))
  @SignedInPage()
  async changeEmail(
    @CurrentUser() user: User,
    @Body() { email }: ChangeEmailDto,
    @RequestedBy() requester: Requester,
  ): Promise<SeeOther> {
    return new SeeOther(`/users/edit?done=${await this.emailChanges.change(user, email, requester)}`);
  }

  @PostConfirmedForm('users/edit/password', shown('password'))
  @SignedInPage()
  async changePassword(
    @CurrentUser() user: User,
    @Body() { new_password }: ChangePasswordDto,
    @CurrentSession() session: Session,
    @RequestedBy() { ip, language }: Requester,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const token = await this.ownAccount.changePassword(user, session, new_password, ip, language);
    this.browserSessions.setCookie(token, request, response);
    return new SeeOther('/users/edit?done=password');
  }

  @PostConfirmedForm('users/edit/delete', shown('delete'))
  @SignedInPage()
  async delete(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.removal.remove(user);
    this.browserSessions.setCookie(undefined, request, response);
    return new SeeOther('/users/sign_in?done=deleted');
  }

  @PostForm('users/sign_out_everywhere')
  @SignedInPage()
  async signOutEverywhere(
    @CurrentUser() user: User,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.sessions.endAll(user);
    this.browserSessions.setCookie(undefined, request, response);
    return new SeeOther('/users/sign_in?done=signed_out');
  }
}

/** The forms of the page, each with its own errors. */
type AccountForm = 'email' | 'password' | 'delete';

interface AccountProps {
  user: User;
  form?: AccountForm;
  errors?: FieldErrors;
  flash?: TextKey;
}

function Account({ user, form, errors, flash }: AccountProps) {
  const { email, emailUnverified, hasSecondFactor, passwordHash, providerSignInAt } = user;
  const { sendsMail, provider, passwordSignIn } = useSite();
  const t = useTexts();
  const errorsOf = (which: AccountForm) => (which === form ? errors : undefined);
  return (
    <Layout title={t.text('account.title')} script="account">
      <h1>{t.text('account.title')}</h1>
      <p class="lede">
        <Data>{email}</Data>
      </p>
      {provider !== undefined && providerSignInAt !== null && (
        <p class="quiet">
          <Sentence of="account.signsInWith" provider={<Data>{provider}</Data>} />
        </p>
      )}
      <FlashMessage text={flash} />
      {sendsMail && emailUnverified && <VerificationForm />}
      <EmailForm errors={errorsOf('email')} />
      {user.mayUsePassword(passwordSignIn) && (
        <PasswordForm email={email} isFirst={passwordHash === null} errors={errorsOf('password')} />
      )}
      <section class="card">
        <h2>{t.text('secondFactor.title')}</h2>
        <p>
          <Link to="/users/second_factor">
            {t.text(hasSecondFactor ? 'secondFactor.manage' : 'secondFactor.setUp')}
          </Link>
        </p>
      </section>
      {sendsMail && (
        <section class="card">
          <h2>{t.text('notices.title')}</h2>
          <p>
            <Link to="/users/notices">{t.text('notices.link')}</Link>
          </p>
        </section>
      )}
      <section class="card">
        <h2>{t.text('account.browsers')}</h2>
        <p>
          <Link to="/users/sessions">{t.text('sessions.link')}</Link>
        </p>
        <p>{t.text('account.signOutText')}</p>
        <Form to="/users/sign_out_everywhere">
          <button class="secondary">{t.text('account.signOut')}</button>
        </Form>
      </section>
      <section class="card">
        <h2>{t.text('account.log')}</h2>
        <p>{t.text('account.logText')}</p>
        <LogLinks to="/users/log" />
      </section>
      <DeleteForm errors={errorsOf('delete')} />
    </Layout>
  );
}

/** For an account from before mail was sent. */
function VerificationForm() {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.unverified')}</h2>
      <p>{t.text('account.unverifiedText')}</p>
      <Form to="/users/edit/verification">
        <button class="secondary">{t.text('account.unverifiedSubmit')}</button>
      </Form>
    </section>
  );
}

function EmailForm({ errors }: { errors?: FieldErrors }) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.email')}</h2>
      <FormErrors errors={errors} />
      <Form to="/users/edit/email">
        <Input
          name="email"
          label={t.text('account.newEmail')}
          type="email"
          autocomplete="email"
          required
          errors={errors}
          autofocus={isFirstError(errors, 'email')}
        />
        <Reauthentication of="email" errors={errors} />
        <button>{t.text('account.changeEmail')}</button>
      </Form>
    </section>
  );
}

interface PasswordFormProps {
  email: string;
  /** Whether the account has no password yet. */
  isFirst: boolean;
  errors?: FieldErrors;
}

function PasswordForm({ email, isFirst, errors }: PasswordFormProps) {
  const t = useTexts();
  return (
    <section class="card">
      <h2>{t.text('account.password')}</h2>
      <FormErrors errors={errors} />
      <Form to="/users/edit/password">
        <input type="hidden" autocomplete="username" value={email} />
        <Reauthentication of="password" errors={errors} />
        <NewPassword
          name="new_password"
          label={t.text('account.newPassword')}
          hint={t.text('account.newPasswordHint')}
          errors={errors}
          autofocus={isFirstError(errors, 'new_password')}
        />
        <button>{t.text(isFirst ? 'account.setPassword' : 'account.changePassword')}</button>
      </Form>
    </section>
  );
}

function DeleteForm({ errors }: { errors?: FieldErrors }) {
  return (
    <section class="card actions-on">
      <FoldedForm
        to="/users/edit/delete"
        heading="account.delete"
        text="account.deleteText"
        submit="delete.submit"
        isDangerous
        errors={errors}
      >
        <Reauthentication of="delete" errors={errors} />
      </FoldedForm>
    </section>
  );
}

function Reauthentication({ of, errors }: { of: AccountForm; errors?: FieldErrors }) {
  return <ReauthenticationFields id={of} alwaysPassword errors={errors} />;
}

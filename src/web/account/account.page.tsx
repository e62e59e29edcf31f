import { Body, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignedInPage } from '../../auth/access.decorators.js';
import { EmailChangesService } from '../../auth/by-mail/email-changes.service.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import type { Session } from '../../auth/entities/session.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { FactorsOfAccount } from '../../auth/second-factor/second-factors.service.js';
import { browserInWords } from '../../auth/sessions/browser-in-words.js';
import { SessionsService } from '../../auth/sessions/sessions.service.js';
import { OwnAccountService } from '../../auth/sign-in/own-account.service.js';
import { QueuedByAccount } from '../../platform/limits/account-queues.js';
import { AccountRemovalService } from '../../pushes/account-removal/account-removal.service.js';
import type { NoticeEvent } from '../../pushes/push/notice-events.js';
import type { TextKey } from '../../texts/text-parameters.js';
import { Button } from '../components/button.js';
import { GoodState, RowLink, Section, SectionRow, SectionRows } from '../components/card.js';
import { FormErrors, Input, NewPassword, ReauthenticationFields } from '../components/fields.js';
import { useForm } from '../components/filled-form.js';
import { Heading } from '../components/heading.js';
import { noticesInShort } from '../components/notice-events.js';
import { Layout } from '../components/layout.js';
import { Data, FlashMessage, Form, Sentence, useMenu, useSite, useTexts } from '../components/site.js';
import { DOT, TextWithTime, Time } from '../components/words.js';
import type { ShownAgain } from '../forms/form.js';
import { PostConfirmedForm, PostForm } from '../forms/form.js';
import { LogLinks } from '../pages/log-download.js';
import { InMenu } from '../pages/menus.js';
import { PageController, PageResponse, SeeOther } from '../pages/page-controller.js';
import { CurrentSession, CurrentUser, Flash, RequestedBy } from '../pages/parameters.js';
import { ChangeEmailDto, ChangePasswordDto } from './account.dto.js';
import type { AccountDescription } from './account-overview.js';
import { AccountOverview } from './account-overview.js';
import { BrowserSessions } from './browser-sessions.js';

const DONE = {
  email: 'account.emailChanged',
  email_sent: 'account.emailSent',
  email_verified: 'account.emailVerified',
  password: 'account.passwordChanged',
} as const;

const FORM: ShownAgain<AccountController> = {
  again: (page, { request }) => page.view(request),
};

/** Changes to a user's own account. All of them except signing out require the password again. */
@PageController()
export class AccountController {
  constructor(
    private readonly ownAccount: OwnAccountService,
    private readonly emailChanges: EmailChangesService,
    private readonly sessions: SessionsService,
    private readonly browserSessions: BrowserSessions,
    private readonly removal: AccountRemovalService,
    private readonly overview: AccountOverview,
  ) {}

  @Get('users/edit')
  @InMenu({ account: { text: 'site.account', position: 10, icon: 'person' } })
  @QueuedByAccount()
  @SignedInPage()
  async show(@Req() request: Request, @Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return new PageResponse(await this.view(request, flash));
  }

  @PostConfirmedForm('users/edit/email', { ...FORM, field: 'email' })
  @SignedInPage()
  async changeEmail(
    @CurrentUser() user: User,
    @Body() { email }: ChangeEmailDto,
    @RequestedBy() requester: Requester,
  ): Promise<SeeOther> {
    return new SeeOther(`/users/edit?done=${await this.emailChanges.change(user, email, requester)}`);
  }

  @PostConfirmedForm('users/edit/password', { ...FORM, field: 'new_password' })
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

  @PostConfirmedForm('users/edit/delete', FORM)
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

  async view({ user, authInfo }: Request, flash?: TextKey) {
    const account = await this.overview.describe(user as User, authInfo as Session);
    return <Account {...account} flash={flash} />;
  }
}

interface AccountProps extends AccountDescription {
  flash?: TextKey;
}

function Account({ flash, ...account }: AccountProps) {
  const { user, notices, states } = account;
  const { email, namedInMails } = user;
  const { sendsMail } = useSite();
  const t = useTexts();
  const programs = useMenu('programs');
  const [mails, named] = [t.text('notices.received'), t.text('account.named')];
  return (
    <Layout title={t.text('account.title')} script="account">
      <Heading title={t.text('account.title')} lede={<Data>{email}</Data>} />
      <FlashMessage text={flash} />
      <SigningIn {...account} />
      {sendsMail && (
        <Section title="account.preferences">
          <SectionRows>
            <SectionRow
              icon="bell"
              title={mails}
              state={<Notices chosen={notices} />}
              action={<RowLink to="/users/notices" text="row.change" of={mails} />}
            />
            <SectionRow
              icon="person"
              title={named}
              state={t.text(namedInMails ? 'account.namedOn' : 'account.namedOff')}
              action={<RowLink to="/users/notices" text="row.change" of={named} />}
            />
          </SectionRows>
        </Section>
      )}
      <Section title="site.programs">
        <SectionRows>
          {programs.map(({ to, text, icon = 'terminal' }) => (
            <SectionRow
              key={to}
              icon={icon}
              title={t.text(text)}
              state={states.get(to)}
              action={<RowLink to={to} text="row.manage" of={t.text(text)} />}
            />
          ))}
        </SectionRows>
      </Section>
      <Leaving />
    </Layout>
  );
}

/** Nothing, if no mail is sent. */
function Notices({ chosen }: { chosen: NoticeEvent[] | undefined }) {
  const t = useTexts();
  if (!chosen) return <>{t.text('notices.unavailable')}</>;
  if (chosen.length === 0) return <>{t.text('row.none')}</>;
  return <>{noticesInShort(chosen, t)}</>;
}

function SigningIn({ user, factors, passkeys, sessions, ownId, passwordSetAt }: AccountProps) {
  const { emailUnverified, hasSecondFactor, providerSignInAt } = user;
  const { sendsMail, provider, passwordSignIn, passkeyOrigin } = useSite();
  const t = useTexts();
  const factorText = t.text('secondFactor.title');
  return (
    <Section title="account.signingIn">
      <SectionRows>
        {sendsMail && emailUnverified && <VerificationRow />}
        <EmailRow user={user} />
        {provider !== undefined && providerSignInAt !== null && (
          <SectionRow
            icon="globe"
            title={<Data>{provider}</Data>}
            state={<Sentence of="account.signsInWith" provider={<Data>{provider}</Data>} />}
          />
        )}
        {user.mayUsePassword(passwordSignIn) && <PasswordRow user={user} setAt={passwordSetAt} />}
        <SectionRow
          icon="shield"
          title={factorText}
          state={hasSecondFactor ? <Factors factors={factors} count={passkeys.length} /> : t.text('row.off')}
          action={
            <RowLink
              to="/users/second_factor"
              text={hasSecondFactor ? 'row.manage' : 'row.setUp'}
              of={factorText}
            />
          }
        />
        {(passkeyOrigin !== undefined || passkeys.length > 0) && <PasskeysRow passkeys={passkeys} />}
        <BrowsersRow sessions={sessions} ownId={ownId} />
      </SectionRows>
    </Section>
  );
}

function Factors({ factors, count }: { factors: FactorsOfAccount; count: number }) {
  const { authenticator, recoveryCodes } = factors;
  const t = useTexts();
  const parts = [
    authenticator && t.text('secondFactor.app'),
    !authenticator && t.text('account.passkeys', { count }),
    t.text('account.codesLeft', { count: recoveryCodes }),
  ];
  return (
    <>
      <GoodState>{t.text('row.on')}</GoodState>
      {parts.filter(Boolean).map((part) => `${DOT}${part}`)}
    </>
  );
}

function PasskeysRow({ passkeys }: Pick<AccountProps, 'passkeys'>) {
  const t = useTexts();
  const names = passkeys.map(({ name }) => name).filter((name) => name !== '');
  return (
    <SectionRow
      icon="passkey"
      title={t.text('passkeys.title')}
      state={
        <>
          {t.text('account.passkeys', { count: passkeys.length })}
          {names.length > 0 && (
            <>
              {DOT}
              <Data>{t.list(names)}</Data>
            </>
          )}
        </>
      }
      action={
        <RowLink
          to="/users/second_factor#passkeys"
          text={passkeys.length > 0 ? 'row.manage' : 'row.add'}
          of={t.text('passkeys.title')}
        />
      }
    />
  );
}

function BrowsersRow({ sessions: { rows, hasNext }, ownId }: Pick<AccountProps, 'sessions' | 'ownId'>) {
  const t = useTexts();
  const title = t.text('account.browsers');
  const others = rows.filter(({ id }) => id !== ownId);
  const [other] = others;
  return (
    <SectionRow
      icon="browser"
      title={title}
      state={
        !other ? (
          t.text('account.thisBrowser')
        ) : others.length === 1 ? (
          <Sentence
            of="account.otherBrowser"
            browser={<>{browserInWords(other.userAgent ?? '', t)}</>}
            time={<Time at={other.lastSeenAt} format="short" />}
          />
        ) : (
          t.text('account.otherBrowsers', { count: others.length, isMore: hasNext ? 'yes' : 'no' })
        )
      }
      action={<RowLink to="/users/sessions" text="row.manage" of={title} />}
    />
  );
}

/** For an account from before mail was sent. */
function VerificationRow() {
  const t = useTexts();
  return (
    <SectionRow
      icon="alert"
      title={t.text('account.unverified')}
      state={t.text('account.unverifiedText')}
      action={
        <Form to="/users/edit/verification">
          <Button size="small">{t.text('account.unverifiedSubmit')}</Button>
        </Form>
      }
    />
  );
}

function EmailRow({ user: { email, emailUnverified } }: { user: User }) {
  const { sendsMail } = useSite();
  const t = useTexts();
  const to = '/users/edit/email';
  const address = <Data>{email}</Data>;
  return (
    <SectionRow
      icon="mail"
      title={t.text('account.email')}
      state={sendsMail && !emailUnverified ? <Sentence of="account.confirmed" email={address} /> : address}
      open={t.text('row.change')}
      isOpen={useForm(to).errors !== undefined}
    >
      <FormErrors of={to} isShort />
      <Form to={to}>
        <Input
          name="email"
          label={t.text('account.newEmail')}
          type="email"
          autocomplete="email"
          value={useForm(to).typed.email}
          required
          focusesOnError
        />
        <ReauthenticationFields id="email" alwaysPassword />
        <p class="gap-sm">
          <Button look="primary">{t.text(sendsMail ? 'account.sendLink' : 'account.changeEmail')}</Button>
        </p>
      </Form>
    </SectionRow>
  );
}

function PasswordRow({ user: { email, passwordHash }, setAt }: { user: User; setAt?: Date }) {
  const t = useTexts();
  const to = '/users/edit/password';
  const isFirst = passwordHash === null;
  return (
    <SectionRow
      icon="lock"
      title={t.text('account.password')}
      state={
        setAt && !isFirst ? (
          <TextWithTime of="account.passwordChangedAt" at={setAt} format="short" />
        ) : (
          t.text(isFirst ? 'account.passwordNotSet' : 'account.passwordSet')
        )
      }
      open={t.text(isFirst ? 'row.setUp' : 'row.change')}
      isOpen={useForm(to).errors !== undefined}
    >
      <FormErrors of={to} isShort />
      <Form to={to}>
        <input type="hidden" autocomplete="username" value={email} />
        <ReauthenticationFields id="password" alwaysPassword />
        <NewPassword
          name="new_password"
          label={t.text('account.newPassword')}
          hint={t.text('account.newPasswordHint')}
          focusesOnError
        />
        <p class="gap-sm">
          <Button look="primary">{t.text(isFirst ? 'account.setPassword' : 'account.changePassword')}</Button>
        </p>
      </Form>
    </SectionRow>
  );
}

function Leaving() {
  const t = useTexts();
  const to = '/users/edit/delete';
  return (
    <Section title="account.leaving" isTitleHidden>
      <SectionRows>
        <SectionRow
          icon="download"
          title={t.text('account.log')}
          state={t.text('account.logText')}
          open={t.text('row.download')}
        >
          <LogLinks to="/users/log" />
        </SectionRow>
        <SectionRow
          icon="out"
          title={t.text('account.signOut')}
          state={t.text('account.signOutText')}
          action={
            <Form to="/users/sign_out_everywhere">
              <Button size="small" aria-label={t.text('account.signOut')}>
                {t.text('site.signOut')}
              </Button>
            </Form>
          }
        />
        <SectionRow
          icon="trash"
          title={t.text('account.delete')}
          state={t.text('account.deleteWhat')}
          open={t.text('row.delete')}
          isOpen={useForm(to).errors !== undefined}
          isDangerous
        >
          <p>{t.text('account.deleteText')}</p>
          <FormErrors of={to} isShort />
          <Form to={to}>
            <ReauthenticationFields id="delete" alwaysPassword />
            <p class="gap-sm">
              <Button look="danger">{t.text('delete.submit')}</Button>
            </p>
          </Form>
        </SectionRow>
      </SectionRows>
    </Section>
  );
}

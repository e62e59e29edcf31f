import { Body, Get, GoneException, Param, Query, Req, Res } from '@nestjs/common';
import { InvalidFields } from '../../platform/http/validation/validation.pipe.js';
import { IsString } from 'class-validator';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import type { Requester } from '../../auth/by-mail/mail-requests.service.js';
import { MailRequestsService } from '../../auth/by-mail/mail-requests.service.js';
import type { PendingJoin } from './pending-joins.js';
import { OidcProblem } from './oidc.problems.js';
import { PendingJoins } from './pending-joins.js';
import { CredentialsService } from '../../auth/sign-in/credentials.service.js';
import { Problem } from '../../platform/errors/problem.js';
import { clientAddress } from '../../platform/http/visitor.js';
import { Button, LinkButton, SubmitButton } from '../../web/components/button.js';
import { Card, Or } from '../../web/components/card.js';
import { FormErrors, Input, ShowField } from '../../web/components/fields.js';
import { NarrowPage } from '../../web/components/layout.js';
import { UnderLetter } from '../../web/components/letter.js';
import { Form, useSite, useTexts, Data, Sentence } from '../../web/components/site.js';
import type { ShownAgain } from '../../web/forms/form.js';
import { PostForm } from '../../web/forms/form.js';
import { OnlyIfMailIsSent } from '../../web/pages/only-if.js';
import { PageController, PageResponse, SeeOther } from '../../web/pages/page-controller.js';
import { RequestedBy } from '../../web/pages/parameters.js';
import { nextPath, withNext } from '../../web/pages/paths.js';
import { NextDto } from '../../web/account/account.dto.js';
import { BrowserSessions } from '../../web/account/browser-sessions.js';
import { OnlyIfProviderIsConfigured } from './provider-sign-in.page.js';
import { MailSent } from '../../web/account/link-views.js';

class JoinDto extends NextDto {
  @IsString()
  password = '';
}

const ENDED = '/users/sign_in?failed=provider_sign_in_ended';

const FORM: ShownAgain<JoinController> = {
  again: (page, { request, typed }) => page.view(request, typed.next),
};

/**
 * Joining somebody at the provider to an account that has their email address, once its owner has proven that it is
 * theirs: by its password, or by a link that is mailed to it and opened in the same browser.
 */
@PageController()
@OnlyIfProviderIsConfigured()
export class JoinController {
  constructor(
    private readonly joins: PendingJoins,
    private readonly credentials: CredentialsService,
    private readonly mails: MailRequestsService,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get('users/sign_in/join')
  @PublicPage()
  async show(@Req() request: Request, @Query('next') next: unknown): Promise<PageResponse | SeeOther> {
    if (!(await this.joins.of(request))) return new SeeOther(ENDED);
    return new PageResponse(await this.view(request, next));
  }

  @PostForm('users/sign_in/join', FORM)
  @PublicPage()
  async join(
    @Body() { password, next }: JoinDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const join = await this.joins.of(request);
    if (!join) return new SeeOther(ENDED);
    const user = await this.credentials.authenticate(join.user.email, password, clientAddress(request));
    if (user?.id !== join.user.id)
      throw new InvalidFields({ password: new Problem('current_password_wrong') });
    return this.finish({ ...join, user }, next, request, response);
  }

  @PostForm('users/sign_in/join/mail', FORM)
  @PublicPage()
  @OnlyIfMailIsSent()
  async mail(
    @Body() { next }: NextDto,
    @RequestedBy() requester: Requester,
    @Req() request: Request,
  ): Promise<PageResponse | SeeOther> {
    const join = await this.joins.of(request);
    if (!join) return new SeeOther(ENDED);
    await this.mails.join(join.user, requester, nextPath(next));
    return new PageResponse(<MailSent of="mailSent.join" email={join.user.email} />);
  }

  /** Only sending the form uses the link up. */
  @Get('users/sign_in/join/:token')
  @PublicPage()
  async showLink(@Req() request: Request, @Query('next') next: unknown): Promise<PageResponse> {
    return new PageResponse(<JoinByLink join={await this.pending(request)} next={nextPath(next)} />);
  }

  @PostForm('users/sign_in/join/:token')
  @PublicPage()
  async useLink(
    @Param('token') token: string,
    @Body() { next }: NextDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const join = await this.pending(request);
    const user = await this.joins.proveByLink(join.user, token);
    return this.finish({ ...join, user }, next, request, response);
  }

  async view(request: Request, next: unknown) {
    return <Join join={await this.pending(request)} next={nextPath(next)} />;
  }

  /** @throws GoneException when the link was opened in another browser, or too late */
  private async pending(request: Request): Promise<PendingJoin> {
    const join = await this.joins.of(request);
    if (!join) throw new GoneException(new OidcProblem('provider_join_elsewhere'));
    return join;
  }

  private finish(
    { id, user, signIn }: PendingJoin,
    next: unknown,
    request: Request,
    response: Response,
  ): Promise<SeeOther> {
    this.joins.end(request, response);
    const given = { provider: signIn, isProven: true, waitedAs: id };
    return this.sessions.signIn(user, nextPath(next), request, response, given);
  }
}

interface JoinProps {
  join: PendingJoin;
  next: string;
}

function Join({ join: { user }, next }: JoinProps) {
  const { sendsMail, provider = '' } = useSite();
  const t = useTexts();
  const hasPassword = user.passwordHash !== null;
  return (
    <NarrowPage
      title={t.text('join.title')}
      lede={<Sentence of="join.text" email={<Data>{user.email}</Data>} provider={<Data>{provider}</Data>} />}
    >
      <FormErrors isShort />
      {(hasPassword || sendsMail) && (
        <Card label="join.title">
          {hasPassword && (
            <Form to="/users/sign_in/join">
              <input type="hidden" name="next" value={next} />
              <input type="hidden" autocomplete="username" value={user.email} />
              <Input
                name="password"
                label={t.text('join.password')}
                type="password"
                autocomplete="current-password"
                tools={<ShowField field="password" isPassword />}
                required
                focusesOnError
              />
              <SubmitButton>{t.text('join.submit')}</SubmitButton>
            </Form>
          )}
          {hasPassword && sendsMail && <Or />}
          {sendsMail && (
            <Form to="/users/sign_in/join/mail">
              <input type="hidden" name="next" value={next} />
              <Button look={hasPassword ? 'secondary' : 'primary'} icon="mail" size="large" isWide>
                {t.text('join.mail')}
              </Button>
            </Form>
          )}
        </Card>
      )}
      <UnderLetter>
        {!sendsMail && <p>{t.text(hasPassword ? 'join.forgotten' : 'join.impossible')}</p>}
        <p>
          <LinkButton look="quiet" to={withNext('/users/sign_in', next)}>
            {t.text('forgotten.signIn')}
          </LinkButton>
        </p>
      </UnderLetter>
    </NarrowPage>
  );
}

function JoinByLink({ join: { user }, next }: JoinProps) {
  const { path, provider = '' } = useSite();
  const t = useTexts();
  return (
    <NarrowPage
      title={t.text('join.title')}
      lede={
        <Sentence of="join.linkText" email={<Data>{user.email}</Data>} provider={<Data>{provider}</Data>} />
      }
    >
      <Form to={path}>
        <input type="hidden" name="next" value={next} />
        <Button look="primary" size="large" isWide>
          {t.text('join.submit')}
        </Button>
      </Form>
    </NarrowPage>
  );
}

import { IsString } from 'class-validator';
import { Body, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignUpDto } from '../../web/account/account.dto.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { PublicPage } from '../../auth/access.decorators.js';
import { SetupService } from './setup.service.js';
import { clientAddress } from '../../platform/http/visitor.js';
import { BrowserSessions } from '../../web/account/browser-sessions.js';
import { PostForm } from '../../web/forms/form.js';
import { OnlyIf } from '../../web/pages/only-if.js';
import { PageController, PageResponse, SeeOther } from '../../web/pages/page-controller.js';
import { EmailInput, FormErrors, Input, NewPassword } from '../../web/components/fields.js';
import { SubmitButton } from '../../web/components/button.js';
import { Card } from '../../web/components/card.js';
import { NarrowPage } from '../../web/components/layout.js';
import { Form, useTexts } from '../../web/components/site.js';

/** A wrong code is refused by SetupService, which counts it. */
class SetupDto extends SignUpDto {
  @IsString()
  code = '';
}

/** As soon as there is an administrator, it redirects to the sign-in page. */
const OnlyIfNeeded = () =>
  OnlyIf(
    AdministratorsService,
    async (administrators) => !(await administrators.exist()),
    () => new SignInNeeded(),
  );

/** Creating the first administrator, with the code that the log has. */
@PageController()
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get('setup')
  @PublicPage()
  @OnlyIfNeeded()
  show(): PageResponse {
    return new PageResponse(<Setup />);
  }

  @PostForm('setup', { again: () => <Setup />, field: 'email' })
  @PublicPage()
  @OnlyIfNeeded()
  async create(
    @Body() { code, email, password }: SetupDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const user = await this.setup.createAdministrator(code, email, password, clientAddress(request));
    await this.sessions.begin(user, request, response);
    return new SeeOther('/admin/first_steps');
  }
}

/** The form for the first administrator. The code is never shown again. */
function Setup() {
  const t = useTexts();
  return (
    <NarrowPage title={t.text('setup.title')} lede={t.text('setup.intro')}>
      <FormErrors />
      <Card label="setup.title">
        <Form to="/setup">
          <Input
            name="code"
            label={t.text('setup.code')}
            hint={t.text('setup.codeHint')}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            isCode
            required
            focusesOnError
          />
          <EmailInput focusesOnError />
          <NewPassword
            name="password"
            label={t.text('signIn.password')}
            hint={t.text('signUp.passwordHint')}
            focusesOnError
          />
          <SubmitButton>{t.text('setup.submit')}</SubmitButton>
        </Form>
      </Card>
    </NarrowPage>
  );
}

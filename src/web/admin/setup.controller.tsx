import { Body, Get, Injectable, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicPage } from '../../auth/access.decorators.js';
import type { AccountError } from '../../auth/errors/account-error.js';
import { SetupService } from '../../auth/setup/setup.service.js';
import { WrongSetupCode } from '../../auth/setup/setup-codes.js';
import { clientAddress } from '../../http/client-address.js';
import { BrowserSessions } from '../account/browser-sessions.js';
import type { Form } from '../forms/form.js';
import { PostForm } from '../forms/form.js';
import { FormErrorsInterceptor } from '../forms/form-errors.interceptor.js';
import { SetupDto } from './setup.dto.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import type { FieldErrors } from '../views/fields.js';
import { Setup } from '../views/setup.js';
import { SetupGuard } from './setup.guard.js';

@Injectable()
class SetupErrors extends FormErrorsInterceptor {
  protected view(errors: FieldErrors, { email }: Form) {
    return <Setup email={email} errors={errors} />;
  }

  protected override fieldOf(error: AccountError): string {
    return error instanceof WrongSetupCode ? 'code' : 'email';
  }
}

/** Creating the first administrator, with the code that the log has. */
@PageController()
export class SetupController {
  constructor(
    private readonly setup: SetupService,
    private readonly sessions: BrowserSessions,
  ) {}

  @Get('setup')
  @PublicPage()
  @UseGuards(SetupGuard)
  show(): PageResponse {
    return new PageResponse(<Setup />);
  }

  @PostForm('setup', SetupErrors)
  @PublicPage()
  @UseGuards(SetupGuard)
  async create(
    @Body() { code, email, password }: SetupDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    const user = await this.setup.createAdministrator(code, email, password, clientAddress(request));
    await this.sessions.begin(user, request, response);
    return new SeeOther('/admin/accounts');
  }
}

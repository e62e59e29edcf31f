import { Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignedInPage, PublicPage } from '../../auth/access.decorators.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { PageController } from '../pages/page-controller.js';
import { pathWithOptions, optionsInQuery } from './query-options.js';
import { fieldsIn, typedIn } from './returned-fields.js';
import { OptionsReader } from './options-reader.js';
import { SignedInForForm } from '../views/signed-in.js';

/** Signing in while the form is being filled in. */
@PageController()
export class SignInForFormController {
  constructor(
    private readonly rules: PushRules,
    private readonly options: OptionsReader,
  ) {}

  /** Signing in without a script, which leads back to the form with the chosen options. */
  @Post('users/sign_in_first')
  @PublicPage()
  async signInFirst(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SeeOther> {
    await this.options.read(request, response);
    const next = pathWithOptions(typedIn(fieldsIn(request.body)), this.rules);
    return new SeeOther(`/users/sign_in?next=${encodeURIComponent(next)}`);
  }

  @Get('users/signed_in')
  @SignedInPage()
  showSignedIn(@Query() query: Record<string, unknown>): PageResponse {
    return new PageResponse(
      <SignedInForForm form={pathWithOptions(optionsInQuery(query, this.rules, true), this.rules)} />,
    );
  }
}

import { Injectable, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import { noFiles } from '../../platform/http/body/file-receiver.js';
import { PageResponse, SeeOther, PageController, ReturnAfterSignIn } from '../pages/page-controller.js';
import { SignedInPage, PublicPage } from '../../auth/access.decorators.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import type { PushFields } from '../../pushes/fields/push-fields.js';
import { fieldsRead } from '../../pushes/fields/push-fields.js';
import { withNext } from '../pages/paths.js';
import { pathWithOptions, optionsInQuery } from './form-options.js';
import { typedIn } from './form-fields.js';
import { NarrowPage } from '../components/layout.js';
import { Link, Sentence, useTexts } from '../components/site.js';

/** Rejects every file that was chosen. */
const NO_FILES = noFiles(() => new SignInNeeded());

/** Reads the sender's form of a visitor who must sign in first, to show its options again. It receives no file. */
@Injectable()
export class OptionsReader {
  constructor(private readonly reader: BodyReader) {}

  /** The fields of the form, or none if it is long or cannot be read. */
  async read(request: Request, response: Response): Promise<PushFields> {
    try {
      return fieldsRead('push', await this.reader.multipart(request, response, SHORT_FORM_LIMIT, NO_FILES));
    } catch (error) {
      return error instanceof SignInNeeded ? fieldsRead('push', request.body) : {};
    }
  }
}

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
    const fields = await this.options.read(request, response);
    const next = pathWithOptions(typedIn(fields), this.rules);
    return new SeeOther(withNext('/users/sign_in', next));
  }

  @Get('users/signed_in')
  @ReturnAfterSignIn()
  @SignedInPage()
  showSignedIn(@Query() query: Record<string, unknown>): PageResponse {
    return new PageResponse(
      <SignedInForForm form={pathWithOptions(optionsInQuery(query, this.rules), this.rules)} />,
    );
  }
}

/** Where signing in for a form in another tab ends. */
function SignedInForForm({ form }: { form: string }) {
  const t = useTexts();
  return (
    <NarrowPage title={t.text('signedIn.title')} lede={t.text('signedIn.text')}>
      <p class="center">
        <Sentence of="signedIn.form" link={(label) => <Link to={form}>{label}</Link>} />
      </p>
    </NarrowPage>
  );
}

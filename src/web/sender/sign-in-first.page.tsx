import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { Injectable, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { SignInNeeded } from '../../auth/errors/sign-in-needed.js';
import { SHORT_FORM_LIMIT } from '../../platform/http/body/body-limits.js';
import { BodyReader } from '../../platform/http/body/body-reader.js';
import type { FileReceiver } from '../../platform/http/body/file-receiver.js';
import { asksForJson, PageResponse, SeeOther, PageController } from '../pages/page-controller.js';
import { SignedInPage, PublicPage } from '../../auth/access.decorators.js';
import { CreationPolicies } from '../../pushes/create/creation-policy.js';
import { PushRules } from '../../pushes/create/push-rules.js';
import { withNext } from '../pages/paths.js';
import { pathWithOptions, optionsInQuery } from './form-options.js';
import { fieldsIn, typedIn } from './form-fields.js';
import { Layout } from '../components/layout.js';
import { Link, Sentence, useTexts } from '../components/site.js';

/** Rejects every file that was chosen. */
const NO_FILES: FileReceiver = {
  maxFiles: 0,
  maxBytesInFile: 0,
  maxBytes: 0,
  rejectsAtFirstFile: true,
  size: 0,
  accepts: () => {
    throw new SignInNeeded();
  },
  take: () => Promise.reject(new SignInNeeded()),
  tooLargeError: () => new SignInNeeded(),
  error: () => Promise.resolve(undefined),
};

/** Reads the sender's form of a visitor who must sign in first, to show its options again. It receives no file. */
@Injectable()
export class OptionsReader {
  constructor(private readonly reader: BodyReader) {}

  /** Sets `request.body`, unless the form is long or cannot be read. */
  async read(request: Request, response: Response): Promise<void> {
    try {
      request.body = await this.reader.multipart(request, response, SHORT_FORM_LIMIT, NO_FILES);
    } catch (error) {
      if (!(error instanceof SignInNeeded)) request.body = undefined;
    }
  }
}

/** Rejects a form where only accounts may create pushes, after reading its options if they are to be shown again. */
@Injectable()
export class SignInFirstInterceptor implements NestInterceptor {
  constructor(
    private readonly policies: CreationPolicies,
    private readonly options: OptionsReader,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if ((await this.policies.of(request)).refusal !== 'sign in') return next.handle();
    if (!asksForJson(request)) await this.options.read(request, http.getResponse<Response>());
    throw new SignInNeeded();
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
    await this.options.read(request, response);
    const next = pathWithOptions(typedIn(fieldsIn(request.body)), this.rules);
    return new SeeOther(withNext('/users/sign_in', next));
  }

  @Get('users/signed_in')
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
    <Layout title={t.text('signedIn.title')}>
      <div class="narrow message">
        <h1>{t.text('signedIn.title')}</h1>
        <p>{t.text('signedIn.text')}</p>
        <p>
          <Sentence of="signedIn.form" link={(label) => <Link to={form}>{label}</Link>} />
        </p>
      </div>
    </Layout>
  );
}

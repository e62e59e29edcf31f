import { IsString } from 'class-validator';
import { Body, createParamDecorator, Get } from '@nestjs/common';
import type { Request } from 'express';
import { SecondFactorPage } from '../../auth/access.decorators.js';
import { AccountError } from '../../auth/errors/account-error.js';
import type { Session } from '../../auth/entities/session.entity.js';
import type { User } from '../../auth/entities/user.entity.js';
import type { FactorChange, FactorsOfAccount } from '../../auth/second-factor/second-factors.service.js';
import { SecondFactorsService } from '../../auth/second-factor/second-factors.service.js';
import { SignInStates } from '../../auth/sign-in/sign-in-states.js';
import { Problem } from '../../platform/errors/problem.js';
import { Settings } from '../../platform/settings/settings.js';
import { HOUR_MS } from '../../platform/settings/units.js';
import type { TextKey } from '../../texts/en.js';
import type { FieldErrors } from '../components/fields.js';
import { FormErrors, Input, isFirstError, ProofFields } from '../components/fields.js';
import { FoldedForm } from '../components/folded-form.js';
import { Layout } from '../components/layout.js';
import { QrCode } from '../components/qr.js';
import { FlashMessage, Form, Link, useSite, useTexts } from '../components/site.js';
import { TextWithTime } from '../components/words.js';
import type { OwnRejectedForm } from '../forms/form.js';
import { PostProvenForm } from '../forms/form.js';
import { languageOf } from '../language/language.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse, SeeOther } from '../pages/page-response.js';
import { CurrentUser, Flash } from '../pages/parameters.js';

const STATE = 'authenticator';
const STATE_ENDS_AFTER_MS = HOUR_MS;

const DONE = { removed: 'secondFactor.removed' } as const;

class AddAuthenticatorDto {
  /** The sealed secret that the app has been given. */
  @IsString()
  state = '';

  /** What the app shows. */
  @IsString()
  new_code = '';
}

/** Who changes a second factor, and in which session, as a parameter of a handler. */
const ChangedBy = createParamDecorator((_: unknown, context): FactorChange => {
  const request = context.switchToHttp().getRequest<Request>();
  return {
    user: request.user as User,
    session: request.authInfo as Session,
    language: languageOf(request),
  };
});

/** The second factor of the signed-in user. */
@PageController()
export class SecondFactorController {
  constructor(
    private readonly secondFactors: SecondFactorsService,
    private readonly states: SignInStates,
    private readonly settings: Settings,
  ) {}

  @Get('users/second_factor')
  @SecondFactorPage()
  async show(@CurrentUser() user: User, @Flash(DONE) flash: TextKey | undefined): Promise<PageResponse> {
    return new PageResponse(await this.view(user, { flash }));
  }

  /** The response shows the recovery codes, because a redirect would need them in a URL, in a cookie or in the database. */
  @PostProvenForm('users/second_factor/authenticator', {
    again: (page: SecondFactorController, { user, errors, typed }: OwnRejectedForm) =>
      page.view(user, { form: 'add', errors, state: typed.state }),
    field: 'new_code',
  })
  @SecondFactorPage()
  async addAuthenticator(
    @ChangedBy() change: FactorChange,
    @Body() { state, new_code }: AddAuthenticatorDto,
  ): Promise<PageResponse> {
    const secret = this.secretIn(state, change.user);
    if (secret === undefined) throw new AccountError(new Problem('setup_ended'));
    const codes = await this.secondFactors.addAuthenticator(secret, new_code, change);
    return new PageResponse(<RecoveryCodes codes={codes} />, 201);
  }

  @PostProvenForm('users/second_factor/authenticator/remove', {
    again: (page: SecondFactorController, { user, errors }: OwnRejectedForm) =>
      page.view(user, { form: 'remove', errors }),
  })
  @SecondFactorPage()
  async removeAuthenticator(@ChangedBy() change: FactorChange): Promise<SeeOther> {
    await this.secondFactors.removeAuthenticator(change);
    return new SeeOther('/users/second_factor?done=removed');
  }

  /** The response shows them: see above. */
  @PostProvenForm('users/second_factor/recovery_codes', {
    again: (page: SecondFactorController, { user, errors }: OwnRejectedForm) =>
      page.view(user, { form: 'codes', errors }),
  })
  @SecondFactorPage()
  async renewRecoveryCodes(@CurrentUser() user: User): Promise<PageResponse> {
    return new PageResponse(<RecoveryCodes codes={await this.secondFactors.renewRecoveryCodes(user)} />, 201);
  }

  private async view(user: User, { state, ...shown }: Partial<SecondFactorProps> & { state?: string }) {
    const factors = await this.secondFactors.of(user);
    const isRequired = user.lacksSecondFactor(this.settings.REQUIRE_SECOND_FACTOR);
    const setup = factors.authenticator ? undefined : this.setupFor(user, state);
    return <SecondFactor factors={factors} isRequired={isRequired} setup={setup} {...shown} />;
  }

  /** The same secret as before when a form is shown again, because the app may have it already. */
  private setupFor(user: User, state: unknown): Setup {
    const secret = this.secretIn(state, user) ?? this.secondFactors.newSecret();
    const endsAt = new Date(Date.now() + STATE_ENDS_AFTER_MS);
    return {
      secret,
      uri: this.secondFactors.uriOf(secret, user, this.settings.OPERATOR_NAME ?? 'Sealpush'),
      state: this.states.seal(STATE, { userId: user.id, secret }, endsAt),
    };
  }

  private secretIn(state: unknown, { id }: User): string | undefined {
    const read = this.states.read(STATE, state);
    return read?.userId === id ? read.secret : undefined;
  }
}

/** A secret that an app is about to be given. */
interface Setup {
  secret: string;
  uri: string;
  /** The secret as the form has it. */
  state: string;
}

interface SecondFactorProps {
  factors: FactorsOfAccount;
  /** Whether the account must set one up before it may do anything else. */
  isRequired: boolean;
  setup?: Setup;
  flash?: TextKey;
  /** The form that was rejected. */
  form?: 'add' | 'remove' | 'codes';
  errors?: FieldErrors;
}

function SecondFactor({ factors, isRequired, setup, flash, form, errors }: SecondFactorProps) {
  const t = useTexts();
  const { authenticator, recoveryCodes } = factors;
  const errorsOf = (which: typeof form) => (which === form ? errors : undefined);
  return (
    <Layout title={t.text('secondFactor.title')}>
      <h1>{t.text('secondFactor.title')}</h1>
      <p class="lede">{t.text(isRequired ? 'secondFactor.required' : 'secondFactor.intro')}</p>
      <FlashMessage text={flash} />
      {setup && <AddAuthenticator setup={setup} errors={errorsOf('add')} />}
      {authenticator && (
        <section class="card actions-on">
          <h2>{t.text('secondFactor.app')}</h2>
          <p>
            <TextWithTime of="secondFactor.appSince" at={authenticator.createdAt} />{' '}
            {t.text('secondFactor.codesLeft', { count: recoveryCodes })}
          </p>
          <FormErrors errors={errorsOf('add')} />
          <FoldedForm
            to="/users/second_factor/recovery_codes"
            heading="secondFactor.newCodes"
            text="secondFactor.newCodesText"
            submit="secondFactor.newCodesSubmit"
            errors={errorsOf('codes')}
          >
            <ProofFields id="codes" errors={errorsOf('codes')} />
          </FoldedForm>
          <FoldedForm
            to="/users/second_factor/authenticator/remove"
            heading="secondFactor.remove"
            text="secondFactor.removeText"
            submit="secondFactor.removeSubmit"
            isDangerous
            errors={errorsOf('remove')}
          >
            <ProofFields id="remove" errors={errorsOf('remove')} />
          </FoldedForm>
        </section>
      )}
      {!isRequired && (
        <p class="actions">
          <Link to="/users/edit">{t.text('secondFactor.back')}</Link>
        </p>
      )}
    </Layout>
  );
}

function AddAuthenticator({ setup, errors }: { setup: Setup; errors?: FieldErrors }) {
  const t = useTexts();
  const { email } = useSite();
  return (
    <section class="card">
      <h2>{t.text('secondFactor.addApp')}</h2>
      <p>{t.text('secondFactor.scan')}</p>
      <p>
        <QrCode text={setup.uri} label={t.text('secondFactor.qrCode')} />
      </p>
      <details>
        <summary>{t.text('secondFactor.typeInstead')}</summary>
        <p>
          <code>{setup.secret.replaceAll(/.{4}(?!$)/g, '$& ')}</code>
        </p>
      </details>
      <FormErrors errors={errors} />
      <Form to="/users/second_factor/authenticator">
        <input type="hidden" name="state" value={setup.state} />
        <input type="hidden" autocomplete="username" value={email} />
        <Input
          name="new_code"
          label={t.text('secondFactor.newCode')}
          autocomplete="one-time-code"
          inputmode="numeric"
          required
          errors={errors}
          autofocus={isFirstError(errors, 'new_code')}
        />
        <ProofFields id="add" errors={errors} />
        <button>{t.text('secondFactor.addSubmit')}</button>
      </Form>
    </section>
  );
}

/** Codes that have just been made, and are not shown again. */
function RecoveryCodes({ codes }: { codes: string[] }) {
  const t = useTexts();
  return (
    <Layout title={t.text('secondFactor.codesTitle')}>
      <h1>{t.text('secondFactor.codesTitle')}</h1>
      <p class="lede">{t.text('secondFactor.codesText')}</p>
      <section class="card alert">
        <div class="copyable">
          <label for="codes">{t.text('secondFactor.codes')}</label>
          <textarea id="codes" rows={codes.length} readOnly autocomplete="off" spellcheck={false}>
            {codes.join('\n')}
          </textarea>
          <button type="button" hidden data-copy="codes">
            {t.text('copy.button')}
          </button>
        </div>
      </section>
      <p class="actions">
        <Link to="/users/second_factor">{t.text('secondFactor.codesKept')}</Link>
      </p>
    </Layout>
  );
}

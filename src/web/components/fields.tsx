import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import type { Problem } from '../../platform/errors/problem.js';
import { errorText } from '../language/error-texts.js';
import { neededCredentials } from '../../auth/second-factor/reauthentication.service.js';
import { PasskeyButton } from './passkey-button.js';
import { Link, Sentence, useSite, useTexts, UNTRANSLATED, Data } from './site.js';

/** What is wrong with the fields of a form, by field name. Texts are of added modules. */
export type FieldErrors = Record<string, (Problem | string)[] | undefined>;

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  errors?: FieldErrors;
}

/** A label, a control, a hint, and its errors. */
export function Field({
  name,
  label,
  hint,
  errors,
  hidden,
  children,
}: FieldProps & { hidden?: boolean; children: ComponentChildren }) {
  const problems = errors?.[name];
  return (
    <div class="field" data-field={name} hidden={hidden}>
      <label for={name}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
    </div>
  );
}

/** What is wrong with a field, in the language of the page. */
export function ErrorTexts({ problems, id }: { problems: (Problem | string)[]; id?: string }) {
  const t = useTexts();
  return (
    <p class="error" id={id}>
      {problems.map((problem) => errorText(problem, t)).join(' ')}
    </p>
  );
}

type InputProps = FieldProps & Omit<InputHTMLAttributes, 'name' | 'label'> & { field?: string };

/** A single-line field. `field` is its name in the request where that differs. */
export function Input({ name, label, hint, errors, field = name, ...rest }: InputProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <input id={name} name={field} {...describedBy(name, hint, errors)} {...rest} />
    </Field>
  );
}

type TextAreaProps = FieldProps & Omit<TextareaHTMLAttributes, 'name' | 'label'> & { field?: string };

/** A multi-line field. */
export function TextArea({ name, label, hint, errors, field = name, ...rest }: TextAreaProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <textarea id={name} name={field} {...UNTRANSLATED} {...describedBy(name, hint, errors)} {...rest} />
    </Field>
  );
}

interface SelectProps extends FieldProps {
  /** A label that is data is not translated. */
  options: { value: string; label: string; isSelected?: boolean; isData?: boolean }[];
}

/** A choice of one of several values. */
export function Select({ name, label, hint, errors, options }: SelectProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <select id={name} name={name} {...describedBy(name, hint, errors)}>
        {options.map(({ value, label: text, isSelected, isData }) => (
          <option key={value} value={value} selected={isSelected} {...(isData && UNTRANSLATED)}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

type CheckboxProps = { name: string; label: ComponentChildren; hint?: string; field?: string } & Omit<
  InputHTMLAttributes,
  'name' | 'label'
>;

export function Checkbox({ name, label, hint, field = name, ...rest }: CheckboxProps) {
  return (
    <div class="field checkbox">
      <input type="checkbox" id={name} name={field} {...describedBy(name, hint, undefined)} {...rest} />
      <div>
        <label for={name}>{label}</label>
        {hint !== undefined && (
          <p class="hint" id={`${name}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

function describedBy(name: string, hint: string | undefined, errors: FieldErrors | undefined) {
  const isInvalid = errors?.[name] !== undefined;
  const ids = [hint !== undefined && `${name}-hint`, isInvalid && `${name}-error`].filter(Boolean);
  return {
    'aria-describedby': ids.join(' ') || undefined,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
  };
}

/** For a form without the fields that the errors are about. */
export function withoutFields(errors: FieldErrors | undefined): FieldErrors | undefined {
  return errors && { form: Object.values(errors).flatMap((problems = []) => problems) };
}

interface FormErrorsProps {
  errors?: FieldErrors;
  /** Advice on what to do about it. */
  children?: ComponentChildren;
}

/** What is wrong with a form. It is there from the start, so that what a script writes into it is read out. */
export function FormErrors({ errors, children }: FormErrorsProps) {
  const t = useTexts();
  return (
    <div role="alert" data-form-alert>
      {errors && (
        <p class="alert bad">
          {errors.form?.map((problem) => errorText(problem, t)).join(' ') ?? t.text('script.invalid')}
          {children}
        </p>
      )}
    </div>
  );
}

type EmailInputProps = Pick<InputProps, 'value' | 'hint' | 'errors' | 'autocomplete'>;

/** The email address of an account, by default the one of the person who fills in the form. */
export function EmailInput({ autocomplete = 'username', ...rest }: EmailInputProps) {
  const label = useTexts().text('signIn.email');
  return <Input name="email" label={label} type="email" autocomplete={autocomplete} required {...rest} />;
}

interface NewPasswordProps {
  /** The name of the field. */
  name: string;
  label: string;
  hint: string;
  errors?: FieldErrors;
  autofocus?: boolean;
}

/**
 * A new password, which cannot be read while it is typed: it is typed twice, or, where scripts run, can be shown with a
 * button, and the second field is removed.
 */
export function NewPassword({ name, label, hint, errors, autofocus }: NewPasswordProps) {
  const t = useTexts();
  return (
    <>
      <Input
        name={name}
        label={label}
        type="password"
        autocomplete="new-password"
        hint={hint}
        required
        errors={errors}
        autofocus={autofocus}
      />
      <p class="tools">
        <ShowField field={name} show={t.text('password.show')} hide={t.text('password.hide')} />
      </p>
      <div data-repeat>
        <Input
          name={`${name}_repeat`}
          label={t.text('password.repeat')}
          type="password"
          autocomplete="new-password"
          required
          errors={errors}
        />
      </div>
    </>
  );
}

interface ReauthenticationFieldsProps {
  /** Differs between the forms of a page: the names of the fields do not. */
  id: string;
  /** Of the password; "Current password" by default. */
  label?: string;
  /** Whether the password is needed in any case. */
  alwaysPassword?: boolean;
  errors?: FieldErrors;
}

/** The password and the code of the second factor, as far as a form needs them. */
export function ReauthenticationFields({
  id,
  label,
  alwaysPassword = false,
  errors,
}: ReauthenticationFieldsProps) {
  const { reauthentication } = useSite();
  const t = useTexts();
  const needed = reauthentication && neededCredentials(reauthentication, alwaysPassword);
  const [password, code] = [`${id}-password`, `${id}-code`];
  return (
    <>
      {needed?.password && (
        <Input
          name={password}
          field="password"
          label={label ?? t.text('account.currentPassword')}
          type="password"
          autocomplete="current-password"
          required
          errors={errors && { [password]: errors.password }}
          autofocus={isFirstError(errors, 'password')}
        />
      )}
      {needed?.code && (
        <Input
          name={code}
          field="code"
          label={t.text('secondFactor.code')}
          hint={t.text('secondFactor.codeHint')}
          autocomplete="one-time-code"
          autocapitalize="off"
          required
          errors={errors && { [code]: errors.code }}
          autofocus={isFirstError(errors, 'code')}
        />
      )}
      {needed?.passkey && (
        <PasskeyButton from="/users/second_factor/passkey" label={t.text('passkeys.use')} />
      )}
      {needed?.signInAtProvider && <ProviderReauthentication />}
    </>
  );
}

/** Leads back to this page, whose forms can then be sent. */
function ProviderReauthentication() {
  const { pageOfForm = '', provider = '' } = useSite();
  const confirm = `/users/sign_in/provider/confirm?next=${encodeURIComponent(pageOfForm)}`;
  return (
    <p>
      <Sentence
        of="proof.provider"
        provider={<Data>{provider}</Data>}
        link={(label) => <Link to={confirm}>{label}</Link>}
      />
    </p>
  );
}

/** For `autofocus`: the page comes back scrolled to what was rejected, with or without scripts. */
export function isFirstError(errors: FieldErrors | undefined, name: string): boolean {
  return errors !== undefined && Object.keys(errors)[0] === name;
}

interface ShowFieldProps {
  /** The id of the field. */
  field: string;
  show: string;
  hide: string;
}

/** A button that shows and hides what is typed in a field. It needs a script. */
export function ShowField({ field, show, hide }: ShowFieldProps) {
  return (
    <button
      type="button"
      class="secondary small"
      hidden
      aria-controls={field}
      data-show={field}
      data-label-show={show}
      data-label-hide={hide}
    >
      {show}
    </button>
  );
}

interface TimeInputProps {
  name: string;
  label: string;
  /** What it is called in the request, of which `timeIn` reads it; by default its name. */
  nameOf?: (part: string) => string;
  /** As it was typed, without a zone. */
  value?: string;
  errors?: FieldErrors;
  /** See Options in web/sender/options.tsx. */
  'data-set-as'?: string;
}

/** A date and a time of day: in UTC, or in the zone of the browser where a script says in the second field which it is. */
export function TimeInput({ name, label, nameOf = (part) => part, errors, ...rest }: TimeInputProps) {
  const t = useTexts();
  const hint = t.text('timeInput.utc');
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <input
        type="datetime-local"
        id={name}
        name={nameOf(`${name}_local`)}
        {...describedBy(name, hint, errors)}
        {...rest}
      />
      <input type="hidden" name={nameOf(`${name}_zone`)} value="Z" data-zone-of={name} />
    </Field>
  );
}

/** The time in the fields of a `TimeInput`, as the API has it; empty without one. Whatever else was sent is no time. */
export function timeIn(fields: Record<string, unknown>, name: string): string {
  const { [`${name}_local`]: local, [`${name}_zone`]: zone } = fields;
  return typeof local === 'string' && local !== '' ? local + (typeof zone === 'string' ? zone : 'Z') : '';
}

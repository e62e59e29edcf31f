import type { ComponentChildren, InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';
import type { Problem } from '../../platform/errors/problem.js';
import { errorText } from '../language/error-texts.js';
import { neededCredentials } from '../../auth/second-factor/reauthentication.service.js';
import type { FieldErrors } from './filled-form.js';
import { useForm } from './filled-form.js';
import { PasskeyButton } from './passkey-button.js';
import { Link, Sentence, useSite, useTexts, UNTRANSLATED, Data } from './site.js';

interface FieldProps {
  name: string;
  label: string;
  hint?: string;
  /** By default those of its form. */
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
  const form = useForm();
  const problems = (errors ?? form.errors)?.[name];
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

/** What the field of a form is called in the request. */
export function useFieldName(name: string): string {
  const { under } = useForm();
  return under === undefined ? name : name.replace(/^\w+/, `${under}[$&]`);
}

type InputProps = FieldProps &
  Omit<InputHTMLAttributes, 'name' | 'label'> & {
    field?: string;
    /** Whether the page comes back scrolled to it, with or without scripts, when its error is the first one. */
    focusesOnError?: boolean;
  };

/** A single-line field. `field` is its name in the request where that differs. */
export function Input(props: InputProps) {
  const { name, label, hint, errors, field = name, focusesOnError = false, autofocus, ...rest } = props;
  const form = useForm();
  const [first] = Object.keys(form.errors ?? {});
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <input
        id={name}
        name={useFieldName(field)}
        {...useDescription(name, hint, errors)}
        {...rest}
        autofocus={focusesOnError ? first === field : autofocus}
      />
    </Field>
  );
}

type TextAreaProps = FieldProps & Omit<TextareaHTMLAttributes, 'name' | 'label'>;

/** A multi-line field. */
export function TextArea({ name, label, hint, errors, ...rest }: TextAreaProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <textarea
        id={name}
        name={useFieldName(name)}
        {...UNTRANSLATED}
        {...useDescription(name, hint, errors)}
        {...rest}
      />
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
      <select id={name} name={useFieldName(name)} {...useDescription(name, hint, errors)}>
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
      <input
        type="checkbox"
        id={name}
        name={useFieldName(field)}
        {...useDescription(name, hint, {})}
        {...rest}
      />
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

function useDescription(name: string, hint: string | undefined, errors: FieldErrors | undefined) {
  const form = useForm();
  const isInvalid = (errors ?? form.errors)?.[name] !== undefined;
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
  /** The path that the form is sent to, where the page has several; or several of which it shows one. */
  of?: string | string[];
  errors?: FieldErrors;
  /** Advice on what to do about it. */
  children?: ComponentChildren;
}

/** What is wrong with a form. It is there from the start, so that what a script writes into it is read out. */
export function FormErrors({ of, errors: given, children }: FormErrorsProps) {
  const form = useForm(...[of].flat());
  const errors = given ?? form.errors;
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

type EmailInputProps = Pick<InputProps, 'hint' | 'autocomplete'>;

/** The email address of an account, by default the one of the person who fills in the form. */
export function EmailInput({ autocomplete = 'username', ...rest }: EmailInputProps) {
  const label = useTexts().text('signIn.email');
  const { email } = useForm().typed;
  return (
    <Input
      name="email"
      label={label}
      type="email"
      autocomplete={autocomplete}
      required
      value={email}
      {...rest}
    />
  );
}

interface NewPasswordProps extends Pick<InputProps, 'name' | 'label' | 'focusesOnError'> {
  hint: string;
}

/**
 * A new password, which cannot be read while it is typed: it is typed twice, or, where scripts run, can be shown with a
 * button, and the second field is removed.
 */
export function NewPassword({ name, ...rest }: NewPasswordProps) {
  const t = useTexts();
  const password = { type: 'password', autocomplete: 'new-password', required: true } as const;
  return (
    <>
      <Input name={name} {...password} {...rest} />
      <p class="tools">
        <ShowField field={name} isPassword />
      </p>
      <div data-repeat>
        <Input name={`${name}_repeat`} label={t.text('password.repeat')} {...password} />
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
}

/** The password and the code of the second factor, as far as a form needs them. */
export function ReauthenticationFields({ id, label, alwaysPassword = false }: ReauthenticationFieldsProps) {
  const { reauthentication } = useSite();
  const { errors } = useForm();
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
          focusesOnError
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
          focusesOnError
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

interface ShowFieldProps {
  /** The id of the field. */
  field: string;
  /** Whether it is of an account, otherwise of a link. */
  isPassword?: boolean;
}

/** A button that shows and hides what is typed in a field. It needs a script. */
export function ShowField({ field, isPassword }: ShowFieldProps) {
  const t = useTexts();
  const show = t.text(isPassword ? 'password.show' : 'home.showPassphrase');
  return (
    <button
      type="button"
      class="secondary small"
      hidden
      aria-controls={field}
      data-show={field}
      data-label-show={show}
      data-label-hide={t.text(isPassword ? 'password.hide' : 'home.hidePassphrase')}
    >
      {show}
    </button>
  );
}

interface TimeInputProps {
  name: string;
  label: string;
  /** See Options in web/sender/options.tsx. */
  'data-set-as'?: string;
}

/** A date and a time of day: in UTC, or in the zone of the browser where a script says in the second field which it is. */
export function TimeInput({ name, label, ...rest }: TimeInputProps) {
  const t = useTexts();
  const hint = t.text('timeInput.utc');
  const { typed } = useForm();
  return (
    <Field name={name} label={label} hint={hint}>
      <input
        type="datetime-local"
        id={name}
        name={useFieldName(`${name}_local`)}
        {...useDescription(name, hint, undefined)}
        value={typed[`${name}_local`]}
        {...rest}
      />
      <input type="hidden" name={useFieldName(`${name}_zone`)} value="Z" data-zone-of={name} />
    </Field>
  );
}

/** The time in the fields of a `TimeInput`, as the API has it; empty without one. Whatever else was sent is no time. */
export function timeIn(fields: Record<string, unknown>, name: string): string {
  const { [`${name}_local`]: local, [`${name}_zone`]: zone } = fields;
  return typeof local === 'string' && local !== '' ? local + (typeof zone === 'string' ? zone : 'Z') : '';
}

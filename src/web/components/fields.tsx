import type {
  ButtonHTMLAttributes,
  ComponentChildren,
  InputHTMLAttributes,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
  VNode,
} from 'preact';
import type { Problem } from '../../platform/errors/problem.js';
import { errorText } from '../language/error-texts.js';
import { neededCredentials } from '../../auth/second-factor/reauthentication.service.js';
import type { FieldErrors } from './filled-form.js';
import { useForm } from './filled-form.js';
import { Banner } from './banner.js';
import { Icon } from './icon.js';
import { PasskeyButton } from './passkey-button.js';
import { Link, Sentence, useSite, useTexts, UNTRANSLATED, Data } from './site.js';

interface FieldProps {
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** By default those of its form. */
  errors?: FieldErrors;
}

type FieldFrameProps = FieldProps & {
  hidden?: boolean;
  /** Buttons inside the end of the control. */
  tools?: VNode | VNode[];
  children: ComponentChildren;
};

/** A label, a control, its errors, and a hint. */
export function Field({ name, label, hint, errors, hidden, tools, children }: FieldFrameProps) {
  const form = useForm();
  const problems = (errors ?? form.errors)?.[name];
  return (
    <div class="field" data-field={name} hidden={hidden}>
      <label class="label" for={name}>
        {label}
      </label>
      {tools ? <WithTools tools={tools}>{children}</WithTools> : children}
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
      {hint !== undefined && <Hint id={`${name}-hint`}>{hint}</Hint>}
    </div>
  );
}

/** Several controls with a label of their own. */
export function FieldGroup({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <fieldset class="field">
      <legend class="label">{label}</legend>
      {children}
    </fieldset>
  );
}

/** A control with one or two buttons inside its end. */
export function WithTools({ tools, children }: { tools: VNode | VNode[]; children: ComponentChildren }) {
  return (
    <div class={Array.isArray(tools) && tools.length > 1 ? 'with-tools two' : 'with-tools'}>
      {children}
      <span class="tools">{tools}</span>
    </div>
  );
}

/** What to know about a field. */
export function Hint({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="hint" id={id}>
      {children}
    </p>
  );
}

/** What is wrong with a field, in the language of the page. */
export function ErrorTexts({ problems, id }: { problems: (Problem | string)[]; id?: string }) {
  const t = useTexts();
  return (
    <p class="error" id={id}>
      <Icon name="alert" size="small" />
      <span>{problems.map((problem) => errorText(problem, t)).join(' ')}</span>
    </p>
  );
}

/** The class of a control with a border; of secrets, codes, keys and passwords in a typeface that tells all characters apart. */
function controlClass(isCode: boolean | undefined): string {
  return isCode ? 'input mono' : 'input';
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
    /** Buttons inside its end. */
    tools?: VNode | VNode[];
    /** Whether it is a secret, a code or a key, of which each character counts; a password always is. */
    isCode?: boolean;
    /** Whether it is a code of a few digits, which are drawn large. */
    isShortCode?: boolean;
  };

/** A single-line field. `field` is its name in the request where that differs. */
export function Input(props: InputProps) {
  const { name, label, hint, errors, field = name, focusesOnError = false, autofocus, ...others } = props;
  const { tools, isCode = others.type === 'password', isShortCode, ...rest } = others;
  const form = useForm();
  const [first] = Object.keys(form.errors ?? {});
  const isText = !isCode && rest.type === undefined && rest.inputMode === undefined;
  return (
    <Field name={name} label={label} hint={hint} errors={errors} tools={tools}>
      <input
        class={isShortCode ? 'input code-input' : controlClass(isCode)}
        id={name}
        name={useFieldName(field)}
        {...useDescription(name, hint, errors)}
        dir={isText && rest.value ? 'auto' : undefined}
        {...rest}
        autofocus={focusesOnError ? first === field : autofocus}
      />
    </Field>
  );
}

type TextAreaProps = FieldProps & Omit<TextareaHTMLAttributes, 'name' | 'label'> & { isCode?: boolean };

/** A multi-line field. */
export function TextArea({ name, label, hint, errors, isCode, ...rest }: TextAreaProps) {
  return (
    <Field name={name} label={label} hint={hint} errors={errors}>
      <textarea
        class={controlClass(isCode)}
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
      <PickOne id={name} name={useFieldName(name)} {...useDescription(name, hint, errors)}>
        {options.map(({ value, label: text, isSelected, isData }) => (
          <option key={value} value={value} selected={isSelected} {...(isData && UNTRANSLATED)}>
            {text}
          </option>
        ))}
      </PickOne>
    </Field>
  );
}

/** A list that opens, as a control alone. */
export function PickOne(props: Omit<SelectHTMLAttributes, 'class' | 'icon'>) {
  return (
    <span class="pick">
      <select class="select" {...props} />
      <Icon name="down" size="small" />
    </span>
  );
}

type CheckboxProps = {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  field?: string;
} & Omit<InputHTMLAttributes, 'name' | 'label'>;

export function Checkbox({ name, label, hint, field = name, ...rest }: CheckboxProps) {
  return (
    <div class="check">
      <input
        type="checkbox"
        id={name}
        name={useFieldName(field)}
        {...useDescription(name, hint, {})}
        {...rest}
      />
      <div>
        <label for={name}>{label}</label>
        {hint !== undefined && <Hint id={`${name}-hint`}>{hint}</Hint>}
      </div>
    </div>
  );
}

/** A radio button or checkbox whose label is all of its line. */
export function Choice({
  children,
  ...rest
}: Omit<InputHTMLAttributes, 'class'> & { children: ComponentChildren }) {
  return (
    <label class="check">
      <input {...rest} />
      <span>{children}</span>
    </label>
  );
}

function useDescription(name: string, hint: ComponentChildren, errors: FieldErrors | undefined) {
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
  /** Whether the form is so short that what is wrong with fields is said beside them alone, as it is of one field. */
  isShort?: boolean;
  /** Advice on what to do about it. */
  children?: ComponentChildren;
}

/** What is wrong with a form. It is there from the start, so that what a script writes into it is read out. */
export function FormErrors({ of, errors: given, isShort, children }: FormErrorsProps) {
  const form = useForm(...[of].flat());
  const all = given ?? form.errors;
  const isSaidBeside = isShort || (of !== undefined && all && Object.keys(all).length === 1);
  const errors = isSaidBeside && !all?.form ? undefined : all;
  const t = useTexts();
  return (
    <div role="alert" data-form-alert>
      {errors && (
        <Banner kind="failure">
          {errors.form?.map((problem) => errorText(problem, t)).join(' ') ?? t.text('script.invalid')}
          {children}
        </Banner>
      )}
    </div>
  );
}

type EmailInputProps = Pick<InputProps, 'hint' | 'autocomplete' | 'focusesOnError'>;

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
      <Input name={name} {...password} {...rest} tools={<ShowField field={name} isPassword />} />
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
          tools={<ShowField field={password} isPassword="current" />}
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
          isCode
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
  /** Whether it is of an account, also the one that it has now beside a new one; otherwise of a link. */
  isPassword?: boolean | 'current';
}

const SHOW_TEXTS = {
  passphrase: ['home.showPassphrase', 'home.hidePassphrase'],
  password: ['password.show', 'password.hide'],
  current: ['password.showCurrent', 'password.hideCurrent'],
} as const;

/** A button that shows and hides what is typed in a field. It needs a script. */
export function ShowField({ field, isPassword }: ShowFieldProps) {
  const t = useTexts();
  const [show, hide] =
    SHOW_TEXTS[isPassword === 'current' ? 'current' : isPassword ? 'password' : 'passphrase'];
  return <ShowButton aria-controls={field} data-show={field} show={t.text(show)} hide={t.text(hide)} />;
}

type ShowButtonProps = Omit<ButtonHTMLAttributes, 'class' | 'icon'> & { show: string; hide: string };

/** An eye, open or closed, with its two labels, which a script exchanges: client/page/secrets.ts. */
export function ShowButton({ show, hide, ...rest }: ShowButtonProps) {
  return (
    <button
      type="button"
      class="btn ghost icon-only"
      hidden
      aria-label={show}
      data-label-show={show}
      data-label-hide={hide}
      {...rest}
    >
      <Icon name="eye" />
      <Icon name="eye-off" hidden />
    </button>
  );
}

interface TimeInputProps {
  name: string;
  label: string;
}

/** A date and a time of day: in UTC, or in the zone of the browser where a script says in the second field which it is. */
export function TimeInput({ name, label }: TimeInputProps) {
  const t = useTexts();
  const hint = t.text('timeInput.utc');
  const { typed } = useForm();
  return (
    <Field name={name} label={label} hint={hint}>
      <input
        class="input"
        type="datetime-local"
        id={name}
        name={useFieldName(`${name}_local`)}
        {...useDescription(name, hint, undefined)}
        value={typed[`${name}_local`]}
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

import type { ComponentChildren, ComponentProps, TextareaHTMLAttributes } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { ErrorTexts, Hint, useFieldName } from './fields.js';
import { useForm } from './filled-form.js';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import type { BoxAttributes } from './site.js';
import { Form, UNTRANSLATED, useTexts } from './site.js';

/** A form as the sheet of a letter, with the edge of its envelope: a `SheetBody`, and below it the `ActionBar`. */
export function Sheet(props: Omit<ComponentProps<typeof Form>, 'class'>) {
  return <Form class="card make" {...props} />;
}

export function SheetBody({ children }: { children: ComponentChildren }) {
  return <div class="body">{children}</div>;
}

type ComposerProps = Omit<TextareaHTMLAttributes, 'name' | 'label'> & {
  name: string;
  label: string;
  /** Whether the label is only heard. */
  isLabelHidden?: boolean;
  hint?: string;
  /** Whether it is a message, in which not each character counts. */
  isMessage?: boolean;
  /** What can be done with it, at its lower edge. */
  bar?: ComponentChildren;
  /** What belongs to it below. */
  children?: ComponentChildren;
};

/** Where the letter is written. */
export function Composer(props: ComposerProps) {
  const { name, label, isLabelHidden, hint, isMessage, bar, children, ...rest } = props;
  const problems = useForm().errors?.[name];
  const described = [problems && `${name}-error`, hint !== undefined && `${name}-hint`].filter(Boolean);
  return (
    <div class="field" data-field={name}>
      <label class={isLabelHidden ? 'visually-hidden' : 'label'} for={name}>
        {label}
      </label>
      <div class={isMessage ? 'composer message-composer' : 'composer'}>
        <textarea
          id={name}
          name={useFieldName(name)}
          aria-describedby={described.length > 0 ? described.join(' ') : undefined}
          aria-invalid={problems ? 'true' : undefined}
          {...UNTRANSLATED}
          {...rest}
        />
        {bar}
      </div>
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
      {hint !== undefined && <Hint id={`${name}-hint`}>{hint}</Hint>}
      {children}
    </div>
  );
}

/** The lower edge of a `Composer`: buttons, and at its end how much was written, which a script counts. */
export function ComposerBar({ children }: { children: ComponentChildren }) {
  return (
    <div class="composer-bar" hidden data-of-text>
      {children}
      <span class="count" data-count />
    </div>
  );
}

interface WhoReadsProps {
  icon?: IconName;
  /** Who can read it, in a few words. */
  summary: ComponentChildren;
  legend: TextKey;
  /** The value of the setting END_TO_END. */
  mode: string;
  isOpen?: boolean;
  /** The choices. */
  children: ComponentChildren;
  /** What belongs to one of them. */
  more?: ComponentChildren;
}

/** Who encrypts, and behind that the choice. A script shows it where browsers can encrypt. */
export function WhoReads({ icon = 'lock', summary, legend, mode, isOpen, children, more }: WhoReadsProps) {
  return (
    <details class="who-reads" hidden open={isOpen} data-encryption={mode}>
      <summary>
        <Icon name={icon} size="small" />
        <span>{summary}</span>
        <Icon name="down" size="small" />
      </summary>
      <fieldset class="choices" disabled>
        <legend class="visually-hidden">{useTexts().text(legend)}</legend>
        {children}
      </fieldset>
      {more}
    </details>
  );
}

/** The same where there is no choice. */
export function WhoReadsFact({ children, mode }: { children: ComponentChildren; mode?: string }) {
  return (
    <p class="who-reads fact" hidden={mode !== undefined} data-encryption={mode}>
      <Icon name="lock" size="small" />
      <span>{children}</span>
    </p>
  );
}

/** What somebody else has written, above a form that answers it. */
export function Quote({ children }: { children: ComponentChildren }) {
  return (
    <blockquote class="message asked" dir="auto" {...UNTRANSLATED}>
      {children}
    </blockquote>
  );
}

/** A letter in place of a form, on a page that is as wide as the form. */
export function LetterColumn({ children, ...rest }: BoxAttributes & { children: ComponentChildren }) {
  return (
    <div class="letter-column" {...rest}>
      {children}
    </div>
  );
}

/** Words for which a phone has no room. */
export function OnlyWide({ children }: { children: ComponentChildren }) {
  return <span class="only-wide">{children}</span>;
}

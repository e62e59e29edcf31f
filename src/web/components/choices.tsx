import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';
import type { Bounds } from '../../platform/http/validation/validation.pipe.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { Parts } from '../../texts/translator.js';
import { ErrorTexts, PickOne, useFieldName } from './fields.js';
import { useForm } from './filled-form.js';
import type { IconName } from './icon.js';
import { Icon } from './icon.js';
import type { BoxAttributes } from './site.js';
import { Link, useTexts } from './site.js';

interface SegmentsProps {
  label: TextKey;
  children: ComponentChildren;
  /** Whether each has its icon above its text on narrow screens. */
  isStacked?: boolean;
}

/** A choice of at most five, as radio buttons. */
export function Segments({ label, children, isStacked }: SegmentsProps) {
  return (
    <fieldset>
      <legend class="visually-hidden">{useTexts().text(label)}</legend>
      <div class={isStacked ? 'segments kinds' : 'segments fit'}>{children}</div>
    </fieldset>
  );
}

type SegmentProps = Omit<InputHTMLAttributes, 'class' | 'icon' | 'type'> & {
  icon?: IconName;
  children: ComponentChildren;
};

export function Segment({ icon, children, ...rest }: SegmentProps) {
  return (
    <label>
      <input type="radio" {...rest} />
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </label>
  );
}

/** The same as links, for example to the states of a list. */
export function SegmentLinks({ label, children }: Omit<SegmentsProps, 'isStacked'>) {
  return (
    <div class="scroll-x">
      <nav class="segments fit" aria-label={useTexts().text(label)}>
        {children}
      </nav>
    </div>
  );
}

interface SegmentLinkProps {
  to: string;
  isCurrent: boolean;
  /** How many there are, if that is known. */
  count?: ComponentChildren;
  children: ComponentChildren;
}

export function SegmentLink({ to, isCurrent, count, children }: SegmentLinkProps) {
  return (
    <Link to={to} aria-current={isCurrent ? 'page' : undefined}>
      {children}
      {count !== undefined && (
        <>
          {' '}
          <span class="count">{count}</span>
        </>
      )}
    </Link>
  );
}

/** Options that are off until their `Chip` is ticked, which shows the `Panel` of each. */
export function Chips({ label, children }: { label: TextKey; children: ComponentChildren }) {
  return (
    <fieldset class="chips">
      <legend class="visually-hidden">{useTexts().text(label)}</legend>
      {children}
    </fieldset>
  );
}

type ChipProps = Omit<InputHTMLAttributes, 'class' | 'icon' | 'type'> & {
  /** The option whose `Panel` it shows: it is sent as the field `with_` and that. Without one it is an option itself. */
  opens?: string;
  /** Whether something in its panel is wrong. */
  isInvalid?: boolean;
  /** Whether the installation requires it, so that it cannot be switched off. */
  isRequired?: boolean;
  children: ComponentChildren;
};

/** A script exchanges the icon of one whose field is wrong, and of one whose field was corrected: client/sender/chips.ts. */
export function Chip({ opens, isInvalid = false, isRequired = false, children, ...rest }: ChipProps) {
  const name = useFieldName(`with_${opens ?? ''}`);
  const ofPanel =
    opens === undefined ? undefined : { id: `with-${opens}`, name, 'aria-controls': panelId(opens) };
  return (
    <label class="chip">
      <input
        type="checkbox"
        aria-invalid={isInvalid ? 'true' : undefined}
        disabled={isRequired}
        {...ofPanel}
        {...rest}
        checked={isRequired || isInvalid || rest.checked}
      />
      {isRequired && ofPanel && <input type="hidden" name={name} value="on" />}
      <Icon name="plus" size="small" class="off" />
      <Icon name={isInvalid ? 'alert' : isRequired ? 'lock' : 'check'} size="small" class="on" />
      {children}
    </label>
  );
}

function panelId(option: string): string {
  return `panel-${option}`;
}

export function Panels({ children }: { children: ComponentChildren }) {
  return <div class="panels">{children}</div>;
}

type PanelProps = BoxAttributes & {
  /** What its chip `opens`. */
  of: string;
  /** Whether its fields are in two columns. */
  isGrid?: boolean;
  children: ComponentChildren;
};

/** The fields of an option, which count only while its chip is ticked. The stylesheet shows them then. */
export function Panel({ of, isGrid, children, ...rest }: PanelProps) {
  return (
    <div
      id={panelId(of)}
      class={['panel', `for-${of}`, isGrid && 'grid'].filter(Boolean).join(' ')}
      data-panel
      {...rest}
    >
      {children}
    </div>
  );
}

/** Several checkboxes as the field of a panel. */
export function CheckGroup({ name, label, children, ...rest }: CheckGroupProps) {
  const problems = useForm().errors?.[name];
  const id = `${name}-label`;
  return (
    <div class="field" data-field={name} {...rest}>
      <span class="label" id={id}>
        {useTexts().text(label)}
      </span>
      <div role="group" aria-labelledby={id} aria-describedby={problems && `${name}-error`}>
        {children}
      </div>
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
    </div>
  );
}

type CheckGroupProps = BoxAttributes & { name: string; label: TextKey; children: ComponentChildren };

interface ChoiceSentenceProps<Key extends TextKey> {
  of: Key;
  /** Its choices, by the names of the parameters. */
  choices: Parts<Key, VNode>;
  /** What follows from them, which a script writes. */
  outcome?: VNode;
}

/** A sentence with choices in it. */
export function ChoiceSentence<Key extends TextKey>({ of, choices, outcome }: ChoiceSentenceProps<Key>) {
  const parts = useTexts().parts<VNode, Key>(of, choices);
  return (
    <div class="limits">
      {parts.map((part, index) =>
        typeof part !== 'string' ? part : part.trim() === '' ? null : <span key={index}>{part.trim()}</span>,
      )}
      {outcome}
    </div>
  );
}

/** Choices beside each other, each a `LabelledChoice`. */
export function ChoiceRow({ children }: { children: ComponentChildren }) {
  return <div class="limits">{children}</div>;
}

interface LabelledChoiceProps {
  /** The id of the control. */
  of: string;
  text: TextKey;
  children: ComponentChildren;
}

export function LabelledChoice({ of, text, children }: LabelledChoiceProps) {
  return (
    <div class="pair">
      <label for={of}>{useTexts().text(text)}</label>
      {children}
    </div>
  );
}

/** What a script says at the end of a `ChoiceSentence`. */
export function Outcome(attributes: BoxAttributes) {
  return <span class="until" {...attributes} />;
}

export interface PickOption {
  value: string;
  label: string;
  isSelected: boolean;
  /** In milliseconds, for the script that says when that is over. */
  lifetime?: number;
}

interface SentencePickProps {
  /** The name of its errors, and the id of the number, if there is one, otherwise of itself. */
  name: string;
  /** The name of the field in the request, whose errors are shown too. */
  field?: string;
  /** Unless it is in a `LabelledChoice`. */
  label?: string;
  /** The value of the last one is `custom` if a number can be typed in. */
  options: PickOption[];
  number?: { field: string; label: string; bounds: Bounds; value: string };
}

/** A choice within a sentence, of which the last option may be a number that is typed in. */
export function SentencePick({ name, field = name, label, options, number }: SentencePickProps) {
  const { errors } = useForm();
  const t = useTexts();
  const problems = errors?.[name] ?? errors?.[field];
  return (
    <div class="limit" data-field={name}>
      <PickOne
        id={number ? undefined : name}
        name={useFieldName(field)}
        aria-label={label}
        aria-describedby={problems && `${name}-error`}
        aria-invalid={problems && !number ? 'true' : undefined}
      >
        {options.map(({ value, label: text, isSelected, lifetime }) => (
          <option key={value} value={value} selected={isSelected} data-lifetime={lifetime}>
            {text}
          </option>
        ))}
      </PickOne>
      {number && (
        <span class="custom">
          <NumberInput name={name} isInvalid={problems !== undefined} {...number} />
          <span class="hint" id={`${name}-hint`}>
            {t.text('home.bounds', { ...number.bounds })}
          </span>
        </span>
      )}
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
    </div>
  );
}

interface NumberInputProps {
  name: string;
  field: string;
  /** Unless it is in a `LabelledChoice`. */
  label?: string;
  bounds: Bounds;
  value: string;
  isInvalid: boolean;
}

function NumberInput({ name, field, label, bounds, value, isInvalid }: NumberInputProps) {
  return (
    <input
      class="input"
      type="number"
      id={name}
      name={useFieldName(field)}
      {...bounds}
      value={value}
      aria-label={label}
      aria-describedby={isInvalid ? `${name}-hint ${name}-error` : `${name}-hint`}
      aria-invalid={isInvalid ? 'true' : undefined}
    />
  );
}

/** A number beside its label. */
export function InlineNumber({
  name,
  bounds,
  value,
}: Omit<NumberInputProps, 'field' | 'label' | 'isInvalid'>) {
  const problems = useForm().errors?.[name];
  const t = useTexts();
  return (
    <div class="limit" data-field={name}>
      <span>
        <NumberInput
          name={name}
          field={name}
          bounds={bounds}
          value={value}
          isInvalid={problems !== undefined}
        />
      </span>
      <span class="visually-hidden" id={`${name}-hint`}>
        {t.text('home.bounds', { ...bounds })}
      </span>
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
    </div>
  );
}

/** The lower edge of a form, which stays in sight, with its button. */
export function ActionBar({ children }: { children: ComponentChildren }) {
  return <div class="action-bar">{children}</div>;
}

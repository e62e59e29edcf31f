import type { ComponentChildren } from 'preact';
import type { Chosen, FormRules } from './form-options.js';
import {
  lifetimeChoices,
  lifetimeInWords,
  viewsChoices,
  chosenLifetime,
  chosenViews,
  CUSTOM,
} from './form-options.js';
import type { Translator } from '../../texts/translator.js';
import { useTexts } from '../components/site.js';
import type { FormFields } from '../components/filled-form.js';
import { useForm } from '../components/filled-form.js';
import { ErrorTexts, Input, TimeInput, useFieldName } from '../components/fields.js';
import type { Bounds } from '../../platform/http/validation/fields.js';

interface RulesProps {
  rules: FormRules;
}

/** How often and how long the secret can be opened: in words, and behind them the choices. */
export function Limits({ rules }: RulesProps) {
  const { typed } = useForm();
  const t = useTexts();
  return (
    <Terms fold="limits" fields={LIMITS} inWords={limitsInWords(typed, rules, t)}>
      <Views rules={rules} />
      <Lifetime rules={rules} />
      <p class="ends" aria-live="polite" data-ends />
    </Terms>
  );
}

const LIMITS = ['expire_after_views', 'expire_after_days', 'expire_after_duration'];

interface TermsProps {
  /** The name by which a script remembers whether it is open. */
  fold: string;
  /** Those whose errors open it. */
  fields: string[];
  inWords: string;
  children: ComponentChildren;
}

/** What most senders leave as it is: in words, and behind them the choices. */
export function Terms({ fold, fields, inWords, children }: TermsProps) {
  const t = useTexts();
  const { errors } = useForm();
  return (
    <details class="fold" open={fields.some((name) => errors?.[name] !== undefined)} data-fold={fold}>
      <summary>
        <span data-terms>{inWords}</span> <span class="change">{t.text('home.change')}</span>
      </summary>
      {children}
    </details>
  );
}

/** The same words as those of the script that says them anew with each choice. */
function limitsInWords(typed: FormFields, rules: FormRules, t: Translator): string {
  const views = chosenViews(typed, rules);
  const lifetime = chosenLifetime(typed, rules);
  const choice = lifetimeChoices(rules.days).find(({ step }) => step === lifetime.option);
  const count = views.option === CUSTOM ? views.number : views.option;
  const time = choice
    ? lifetimeInWords(choice.lifetime, t)
    : lifetime.number && t.text('home.days', { count: Number(lifetime.number) });
  if (!count || !time) return t.text('script.limitsMissing');
  return t.text('script.limits', { views: Number(count), time });
}

function Views({ rules }: RulesProps) {
  const { typed } = useForm();
  const t = useTexts();
  return (
    <Choices
      name="expire_after_views"
      legend={t.text('home.views')}
      options={viewsChoices(rules.views).map((value) => ({
        value,
        label: t.text('home.viewsChoice', { count: Number(value) }),
      }))}
      chosen={chosenViews(typed, rules)}
      custom={{ field: 'custom_views', label: t.text('home.customViews'), bounds: rules.views }}
    />
  );
}

function Lifetime({ rules }: RulesProps) {
  const { typed } = useForm();
  const t = useTexts();
  return (
    <Choices
      name="expire_after_days"
      field="expire_after_duration"
      legend={t.text('home.lifetime')}
      options={lifetimeChoices(rules.days).map(({ step, lifetime }) => ({
        value: step,
        lifetime,
        label: lifetimeInWords(lifetime, t),
      }))}
      chosen={chosenLifetime(typed, rules)}
      custom={{ field: 'expire_after_days', label: t.text('home.customDays'), bounds: rules.days }}
    />
  );
}

interface Option {
  value: string;
  label: string;
  /** The lifetime in milliseconds, for the script that says when the push ends. */
  lifetime?: number;
}

interface ChoicesProps {
  /** The name of the errors, and the id of the number. */
  name: string;
  /** The name of the field, whose errors are shown too. */
  field?: string;
  legend: string;
  options: Option[];
  chosen: Chosen;
  /** The number for the last option. */
  custom: { field: string; label: string; bounds: Bounds };
}

/** A few options in a row, of which the last has a number typed in. */
function Choices({ name, field = name, legend, options, chosen, custom }: ChoicesProps) {
  const t = useTexts();
  const { errors } = useForm();
  const problems = errors?.[name] ?? errors?.[field];
  const all = [...options, { value: CUSTOM, label: t.text('home.custom') }] as Option[];
  return (
    <fieldset class="choices" data-field={name}>
      <legend>{legend}</legend>
      <div class="segments">
        {all.map(({ value, label, lifetime }) => (
          <label key={value}>
            <input
              type="radio"
              name={useFieldName(field)}
              value={value}
              checked={value === chosen.option}
              data-lifetime={lifetime}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <div class="custom">
        <label for={name}>{custom.label}</label>
        <input
          type="number"
          id={name}
          name={useFieldName(custom.field)}
          {...custom.bounds}
          value={chosen.number}
          aria-describedby={problems ? `${name}-hint ${name}-error` : `${name}-hint`}
          aria-invalid={problems && 'true'}
        />
        <span class="hint" id={`${name}-hint`}>
          {t.text('home.bounds', { ...custom.bounds })}
        </span>
      </div>
      {problems && <ErrorTexts id={`${name}-error`} problems={problems} />}
    </fieldset>
  );
}

/** The limits that few senders set. */
export function HowLong({ rules }: RulesProps) {
  const t = useTexts();
  const { typed } = useForm();
  return (
    <>
      <Input
        name="expire_after_first_view"
        label={t.text('home.firstView')}
        hint={t.text('home.firstViewHint')}
        type="number"
        {...rules.hours}
        value={typed.expire_after_first_view}
        data-set-as={t.text('home.setFirstView')}
      />
      <TimeInput name="opens_at" label={t.text('home.opensAt')} data-set-as={t.text('home.setOpensAt')} />
      <Input
        name="allowed_networks"
        label={t.text('home.networks')}
        hint={t.text('home.networksHint')}
        value={typed.allowed_networks}
        autocomplete="off"
        spellcheck={false}
        data-set-as={t.text('home.setNetworks')}
      />
    </>
  );
}

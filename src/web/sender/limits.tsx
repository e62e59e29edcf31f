import type { Bounds } from '../../platform/http/validation/validation.pipe.js';
import type { PickOption } from '../components/choices.js';
import { ChoiceSentence, Outcome, SentencePick } from '../components/choices.js';
import { Input, TimeInput } from '../components/fields.js';
import { useForm } from '../components/filled-form.js';
import { useTexts } from '../components/site.js';
import type { Chosen, FormRules } from './form-options.js';
import {
  lifetimeChoices,
  lifetimeInWords,
  viewsChoices,
  chosenLifetime,
  chosenViews,
  CUSTOM,
} from './form-options.js';

interface RulesProps {
  rules: FormRules;
}

/** How often and how long the secret can be opened. A script adds when that is over. */
export function Limits({ rules }: RulesProps) {
  return (
    <ChoiceSentence
      of="home.limits"
      choices={{ views: <Views rules={rules} />, time: <Lifetime rules={rules} /> }}
      outcome={<Outcome aria-live="polite" data-ends />}
    />
  );
}

function Views({ rules }: RulesProps) {
  const { typed } = useForm();
  const t = useTexts();
  return (
    <Choices
      name="expire_after_views"
      label={t.text('home.views')}
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
      label={t.text('home.lifetime')}
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

interface ChoicesProps {
  /** The name of the errors, and the id of the number. */
  name: string;
  /** The name of the field, whose errors are shown too. */
  field?: string;
  label: string;
  options: Omit<PickOption, 'isSelected'>[];
  chosen: Chosen;
  /** The number for the last option. */
  custom: { field: string; label: string; bounds: Bounds };
}

/** A few options, of which the last is a number that is typed in. */
function Choices({ options, chosen, custom, ...rest }: ChoicesProps) {
  const t = useTexts();
  const all = [...options, { value: CUSTOM, label: t.text('home.custom') }];
  return (
    <SentencePick
      options={all.map((option) => ({ ...option, isSelected: option.value === chosen.option }))}
      number={{ ...custom, value: chosen.number }}
      {...rest}
    />
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
        type="number"
        {...rules.hours}
        value={typed.expire_after_first_view}
      />
      <TimeInput name="opens_at" label={t.text('home.opensAt')} />
      <Input
        name="allowed_networks"
        label={t.text('home.networks')}
        hint={t.text('home.networksHint')}
        placeholder="192.0.2.0/24"
        value={typed.allowed_networks}
        autocomplete="off"
        spellcheck={false}
        isCode
      />
    </>
  );
}

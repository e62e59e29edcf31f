import type { PushRules } from '../../../pushes/create/push-rules.js';
import { lifetimeChoices, viewsChoices } from './lifetime-choices.js';
import { useTexts } from '../texts.js';
import { Choices, CustomNumber } from './choices.js';
import { chosenLifetime, chosenViews } from './chosen.js';
import type { FormPartProps } from './entered-fields.js';

/** How often and how long the secret can be opened. */
export function Limits({ rules, ...filled }: FormPartProps & { rules: PushRules }) {
  return (
    <>
      <Views rules={rules} {...filled} />
      <Lifetime rules={rules} {...filled} />
      <p class="ends" aria-live="polite" data-ends />
    </>
  );
}

function Views({ rules, typed, errors }: FormPartProps & { rules: PushRules }) {
  const t = useTexts();
  const { option, number } = chosenViews(typed, rules);
  return (
    <Choices
      name="expire_after_views"
      legend={t.text('home.views')}
      field="push[expire_after_views]"
      options={viewsChoices(rules.views).map((value) => ({
        value,
        label: t.text('home.viewsChoice', { count: Number(value) }),
      }))}
      chosen={option}
      errors={errors}
    >
      <CustomNumber
        name="expire_after_views"
        field="push[custom_views]"
        label={t.text('home.customViews')}
        hint={t.text('home.bounds', { ...rules.views })}
        bounds={rules.views}
        value={number}
        isInvalid={errors?.expire_after_views !== undefined}
      />
    </Choices>
  );
}

function Lifetime({ rules, typed, errors }: FormPartProps & { rules: PushRules }) {
  const t = useTexts();
  const { option, number } = chosenLifetime(typed, rules);
  const messages = errors?.expire_after_days ?? errors?.expire_after_duration;
  return (
    <Choices
      name="expire_after_days"
      legend={t.text('home.lifetime')}
      field="push[expire_after_duration]"
      options={lifetimeChoices(rules.days).map(({ step, lifetime, text, count }) => ({
        value: step,
        lifetime,
        label: t.text(text, { count }),
      }))}
      chosen={option}
      errors={messages && { expire_after_days: messages }}
    >
      <CustomNumber
        name="expire_after_days"
        field="push[expire_after_days]"
        label={t.text('home.customDays')}
        hint={t.text('home.bounds', { ...rules.days })}
        bounds={rules.days}
        value={number}
        isInvalid={messages !== undefined}
      />
    </Choices>
  );
}

import type { Bounds } from '../../pushes/create/push-rules.js';
import { Input } from '../components/fields.js';
import { useTexts } from '../components/site.js';
import { TimeInput } from '../components/time-input.js';
import type { FormPartProps } from './form-options.js';

const field = (name: string) => `push[${name}]`;

/** The limits that few senders set. @param hours after the first view */
export function HowLong({ hours, typed, errors }: FormPartProps & { hours: Bounds }) {
  const t = useTexts();
  return (
    <>
      <Input
        name="expire_after_first_view"
        field={field('expire_after_first_view')}
        label={t.text('home.firstView')}
        hint={t.text('home.firstViewHint')}
        type="number"
        {...hours}
        value={typed.expire_after_first_view}
        errors={errors}
        data-set-as={t.text('home.setFirstView')}
      />
      <TimeInput
        name="opens_at"
        field={field}
        label={t.text('home.opensAt')}
        value={typed.opens_at_local}
        errors={errors}
        data-set-as={t.text('home.setOpensAt')}
      />
      <Input
        name="allowed_networks"
        field={field('allowed_networks')}
        label={t.text('home.networks')}
        hint={t.text('home.networksHint')}
        value={typed.allowed_networks}
        autocomplete="off"
        spellcheck={false}
        errors={errors}
        data-set-as={t.text('home.setNetworks')}
      />
    </>
  );
}

import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { Button, SummaryButton } from './button.js';
import { FormErrors } from './fields.js';
import { useForm } from './filled-form.js';
import type { IconName } from './icon.js';
import { Form, useTexts } from './site.js';

interface FoldedFormProps {
  to: string;
  /** The fragment of the address of its page that has it open. */
  id?: string;
  /** What it does, which opens it. */
  heading: TextKey;
  icon?: IconName;
  /** What that means. */
  text: TextKey;
  submit: TextKey;
  /** Whether it destroys something. */
  isDangerous?: boolean;
  /** Whether a second click sends it no second time, because its response is shown only once. It needs a script. */
  isSentOnce?: boolean;
  /** Its fields, if it has any. */
  children?: ComponentChildren;
}

/** A form for something that is seldom done. */
export function FoldedForm(props: FoldedFormProps) {
  const { to, id, heading, icon, text, submit, isDangerous, isSentOnce, children } = props;
  const { errors } = useForm(to);
  const t = useTexts();
  return (
    <details open={errors ? true : undefined}>
      <SummaryButton
        look={isDangerous ? 'quiet danger' : 'quiet'}
        icon={icon ?? (isDangerous ? 'trash' : undefined)}
      >
        {t.text(heading)}
      </SummaryButton>
      <div class="fold-body" id={id}>
        <p>{t.text(text)}</p>
        <FormErrors of={to} />
        <Form to={to} data-once={isSentOnce} class="stack">
          {children}
          <Button look={isDangerous ? 'danger' : 'secondary'}>{t.text(submit)}</Button>
        </Form>
      </div>
    </details>
  );
}

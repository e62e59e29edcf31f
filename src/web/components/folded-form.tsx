import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { FormErrors } from './fields.js';
import { useForm } from './filled-form.js';
import { Form, useTexts } from './site.js';

interface FoldedFormProps {
  to: string;
  /** What it does, which opens it. */
  heading: TextKey;
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
export function FoldedForm({
  to,
  heading,
  text,
  submit,
  isDangerous,
  isSentOnce,
  children,
}: FoldedFormProps) {
  const { errors } = useForm(to);
  const t = useTexts();
  return (
    <details class={isDangerous ? 'delete dangerous' : 'delete'} open={errors ? true : undefined}>
      <summary>{t.text(heading)}</summary>
      <p>{t.text(text)}</p>
      <FormErrors of={to} />
      <Form to={to} data-once={isSentOnce}>
        {children}
        <button class={isDangerous ? 'danger' : 'secondary'}>{t.text(submit)}</button>
      </Form>
    </details>
  );
}

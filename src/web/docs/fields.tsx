import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/en.js';
import { useTexts } from '../components/site.js';
import { membersOf } from './members.js';
import type { Parameter, Schema } from './open-api.js';
import { Prose } from './prose.js';
import { ValueType } from './value-type.js';

const PLACES: Record<Parameter['in'], TextKey> = {
  path: 'docs.inPath',
  query: 'docs.inQuery',
  header: 'docs.inHeader',
};

/** The fields of an object, those of nested objects too; for any other schema its type. */
export function Fields({ schema }: { schema: Schema }) {
  const t = useTexts();
  const members = membersOf(schema, t.text('docs.anyName'));
  if (members.length === 0) {
    return (
      <p>
        <ValueType schema={schema} />
      </p>
    );
  }
  return (
    <dl class="members">
      {members.map(({ name, schema: type, isRequired }) => (
        <Field name={name} schema={type} description={type.description}>
          {isRequired && `, ${t.text('docs.alwaysPresent')}`}
        </Field>
      ))}
    </dl>
  );
}

export function Parameters({ parameters }: { parameters: Parameter[] }) {
  const t = useTexts();
  return (
    <dl class="members">
      {parameters.map(({ name, in: place, required = false, schema, description }) => (
        <Field name={name} schema={schema} description={description}>
          {`, ${t.text(PLACES[place])}`}
          {required && `, ${t.text('docs.required')}`}
        </Field>
      ))}
    </dl>
  );
}

interface FieldProps {
  name: string;
  schema: Schema;
  description?: string;
  children: ComponentChildren;
}

function Field({ name, schema, description, children }: FieldProps) {
  return (
    <div>
      <dt>
        <code>{name}</code>{' '}
        <span class="type">
          <ValueType schema={schema} />
          {children}
        </span>
      </dt>
      {description !== undefined && (
        <dd>
          <Prose text={description} />
        </dd>
      )}
    </div>
  );
}

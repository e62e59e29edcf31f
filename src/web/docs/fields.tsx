import type { ComponentChildren } from 'preact';
import { membersOf } from './members.js';
import type { Parameter, Schema } from './open-api.js';
import { Prose } from './prose.js';
import { ValueType } from './value-type.js';

/** The fields of an object, those of nested objects too; for any other schema its type. */
export function Fields({ schema }: { schema: Schema }) {
  const members = membersOf(schema);
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
          {isRequired && ', always present'}
        </Field>
      ))}
    </dl>
  );
}

export function Parameters({ parameters }: { parameters: Parameter[] }) {
  return (
    <dl class="members">
      {parameters.map(({ name, in: place, required = false, schema, description }) => (
        <Field name={name} schema={schema} description={description}>
          {`, in the ${place}`}
          {required && ', required'}
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

import type { ComponentChildren } from 'preact';
import type { TextKey } from '../../texts/text-parameters.js';
import { useTexts, Sentence, UNTRANSLATED } from '../components/site.js';
import type { Parameter, Schema } from './open-api.js';
import type { Translator } from '../../texts/translator.js';

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
        <code {...UNTRANSLATED}>{name}</code>{' '}
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

/** A field of a schema, by its path from the root, such as `push.files[].filename`. */
interface Member {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/**
 * All fields of a schema, those of nested objects and lists too. References are left to their own sections.
 * @param anyName stands for the name of a field that may have any
 */
function membersOf(schema: Schema, anyName: string, prefix = ''): Member[] {
  if (schema.items) return membersOf(schema.items, anyName, `${prefix}[]`);
  const named = Object.entries(schema.properties ?? {}).map(([key, property]) => ({ key, property }));
  const others = schema.additionalProperties ? [{ key: anyName, property: schema.additionalProperties }] : [];
  return [...named, ...others].flatMap(({ key, property }) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const isRequired = schema.required?.includes(key) ?? false;
    return [{ name, schema: property, isRequired }, ...membersOf(property, anyName, name)];
  });
}

/** The type of a value and its limits, in words. */
function ValueType({ schema }: { schema: Schema }) {
  const t = useTexts();
  if (schema.$ref !== undefined) return <SchemaLink reference={schema.$ref} />;
  if (schema.items !== undefined) {
    return <Sentence of="docs.listOf" type={<ValueType schema={schema.items} />} />;
  }
  if (schema.anyOf !== undefined) {
    const types = schema.anyOf.map((type) => <ValueType schema={type} />);
    return <Sentence of="docs.oneOf" values={<Listed items={types} />} />;
  }
  return (
    <>
      {typeName(schema, t)}
      {limits(schema, t).map((limit) => `, ${limit}`)}
      {schema.enum && (
        <>
          {', '}
          <Sentence
            of="docs.oneOf"
            values={
              <Listed
                items={schema.enum.map((value) => (
                  <code {...UNTRANSLATED}>{String(value)}</code>
                ))}
              />
            }
          />
        </>
      )}
      {schema.pattern !== undefined && (
        <>
          {', '}
          <Sentence of="docs.matches" pattern={<code {...UNTRANSLATED}>{schema.pattern}</code>} />
        </>
      )}
    </>
  );
}

export function schemaId(name: string): string {
  return `schema-${name}`;
}

function SchemaLink({ reference }: { reference: string }) {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return <a href={`#${schemaId(name)}`}>{name}</a>;
}

function Listed({ items }: { items: ComponentChildren[] }) {
  return (
    <>
      {items.map((item, i) => (
        <>
          {i > 0 && ', '}
          {item}
        </>
      ))}
    </>
  );
}

function typeName(
  { type, format, contentMediaType, contentEncoding, ...schema }: Schema,
  t: Translator,
): string {
  if (contentMediaType !== undefined) return t.text('docs.file');
  if (schema.const !== undefined) return t.text('docs.always', { value: JSON.stringify(schema.const) });
  const types = [type ?? t.text('docs.anyValue')].flat();
  const name = types.reduce((first, second) => t.text('docs.either', { first, second }));
  const detail = format ?? contentEncoding;
  return detail === undefined ? name : `${name} (${detail})`;
}

function limits(
  { minimum: min, maximum: max, maxLength, maxItems, ...schema }: Schema,
  t: Translator,
): string[] {
  return [
    ...(min !== undefined && max !== undefined ? [t.text('docs.range', { min, max })] : []),
    ...(min !== undefined && max === undefined ? [t.text('docs.atLeast', { min })] : []),
    ...(maxLength === undefined ? [] : [t.text('docs.atMostCharacters', { max: maxLength })]),
    ...(maxItems === undefined ? [] : [t.text('docs.atMostItems', { max: maxItems })]),
    ...(schema.default === undefined
      ? []
      : [t.text('docs.default', { value: JSON.stringify(schema.default) })]),
  ];
}

/** A text of the OpenAPI document, which is in English. Code spans are the only Markdown that these texts use. */
export function Prose({ text }: { text: string }) {
  const parts = text
    .split('`')
    .map((part, i) => (i % 2 === 0 ? part : <code {...UNTRANSLATED}>{part}</code>));
  return useTexts().language === 'en' ? (
    <>{parts}</>
  ) : (
    <span lang="en" dir="ltr">
      {parts}
    </span>
  );
}

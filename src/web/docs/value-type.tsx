import type { Translator } from '../../texts/translator.js';
import { Sentence, useTexts } from '../components/site.js';
import type { Schema } from './open-api.js';

/** The type of a value and its limits, in words. */
export function ValueType({ schema }: { schema: Schema }) {
  const t = useTexts();
  if (schema.$ref !== undefined) return <SchemaLink reference={schema.$ref} />;
  if (schema.items !== undefined) {
    return <Sentence of="docs.listOf" type={<ValueType schema={schema.items} />} />;
  }
  return (
    <>
      {typeName(schema, t)}
      {limits(schema, t).map((limit) => `, ${limit}`)}
      {schema.enum && (
        <>
          {', '}
          <Sentence of="docs.oneOf" values={<Codes values={schema.enum} />} />
        </>
      )}
      {schema.pattern !== undefined && (
        <>
          {', '}
          <Sentence of="docs.matches" pattern={<code>{schema.pattern}</code>} />
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

function Codes({ values }: { values: unknown[] }) {
  return (
    <>
      {values.map((value, i) => (
        <>
          {i > 0 && ', '}
          <code>{String(value)}</code>
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

import type { Schema } from './open-api.js';

/** The type of a value and its limits, in words. */
export function ValueType({ schema }: { schema: Schema }) {
  if (schema.$ref !== undefined) return <SchemaLink reference={schema.$ref} />;
  if (schema.items !== undefined) {
    return (
      <>
        list of <ValueType schema={schema.items} />
      </>
    );
  }
  return (
    <>
      {typeName(schema)}
      {limits(schema).map((limit) => `, ${limit}`)}
      {schema.enum && (
        <>
          , one of <Codes values={schema.enum} />
        </>
      )}
      {schema.pattern !== undefined && (
        <>
          , matches <code>{schema.pattern}</code>
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

function typeName({ type, format, contentMediaType, contentEncoding, ...schema }: Schema): string {
  if (contentMediaType !== undefined) return 'file';
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  const name = Array.isArray(type) ? type.join(' or ') : (type ?? 'any value');
  const detail = format ?? contentEncoding;
  return detail === undefined ? name : `${name} (${detail})`;
}

function limits({ minimum, maximum, maxLength, ...schema }: Schema): string[] {
  return [
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`at least ${minimum}`] : []),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}

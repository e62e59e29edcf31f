import { Banner } from '../components/banner.js';
import { Button } from '../components/button.js';
import { PickOne } from '../components/fields.js';
import { UNTRANSLATED, useSite, useTexts } from '../components/site.js';
import type { Endpoint, MediaType, Parameter, Schema, TokenUse } from './open-api.js';
import { examplesOf, tokenUse } from './open-api.js';
import { Prose } from './fields.js';
import type { TextKey } from '../../texts/text-parameters.js';

/** The form that sends a request. It needs a script, which copies it out of the template. */
export function TryOut({ endpoint }: { endpoint: Endpoint }) {
  const { base } = useSite();
  const t = useTexts();
  const { method, path, operation } = endpoint;
  const id = `${operation.operationId}-try`;
  const effect = effectOf(endpoint);
  return (
    <>
      <Button type="button" hidden data-try>
        {t.text('docs.try')}
      </Button>
      <template>
        <form class="try-out" data-method={method} data-path={base + path} autocomplete="off">
          <h4>{t.text('docs.try')}</h4>
          {effect !== undefined && <Banner kind="warning">{t.text(effect)}</Banner>}
          <Token id={`${id}-token`} use={tokenUse(operation)} />
          {operation.parameters.filter(isFitForForms).map((parameter) => (
            <ParameterInput id={`${id}-${parameter.name}`} parameter={parameter} />
          ))}
          {operation.requestBody && <Body id={id} content={operation.requestBody.content} />}
          <Button>{t.text('docs.send')}</Button>
          <div aria-live="polite" data-response />
        </form>
      </template>
    </>
  );
}

/** URLs end up in logs, so the form sends a passphrase only in the header. */
function isFitForForms({ name, in: place }: Parameter): boolean {
  return !(name === 'passphrase' && place === 'query');
}

function Token({ id, use }: { id: string; use: TokenUse }) {
  const t = useTexts();
  if (use === 'unused') return null;
  const label = t.text('docs.token');
  return (
    <div class="field">
      <label class="label" for={id}>
        {use === 'optional' ? t.text('docs.optional', { name: label }) : label}
      </label>
      <input
        class="input mono"
        id={id}
        type="password"
        data-in="token"
        required={use === 'required'}
        autocomplete="off"
      />
      <p class="hint">{t.text('docs.tokenHint')}</p>
    </div>
  );
}

function ParameterInput({ id, parameter }: { id: string; parameter: Parameter }) {
  const t = useTexts();
  const { name, in: place, required = false, example, description } = parameter;
  return (
    <div class="field">
      <label class="label" for={id}>
        {required ? name : t.text('docs.optional', { name })}
      </label>
      <input
        class="input mono"
        id={id}
        name={name}
        data-in={place}
        required={required}
        placeholder={t.text('docs.forExample', { example })}
      />
      {description !== undefined && (
        <p class="hint">
          <Prose text={description} />
        </p>
      )}
    </div>
  );
}

function Body({ id, content }: { id: string; content: Record<string, MediaType> }) {
  const t = useTexts();
  const types = Object.keys(content);
  return (
    <>
      <div class="field">
        <label class="label" for={`${id}-type`}>
          Content-Type
        </label>
        <PickOne id={`${id}-type`} data-in="type">
          {types.map((type) => (
            <option>{type}</option>
          ))}
        </PickOne>
      </div>
      {Object.entries(content).map(([type, body], i) => (
        <fieldset data-type={type} hidden={i > 0} disabled={i > 0}>
          <legend>{t.text('docs.body')}</legend>
          {type === 'application/json' ? (
            <JsonBody id={`${id}-json`} body={body} />
          ) : (
            Object.entries(body.schema?.properties ?? {}).map(([name, schema]) => (
              <BodyInput id={`${id}-${i}-${name}`} name={name} schema={schema} />
            ))
          )}
        </fieldset>
      ))}
    </>
  );
}

function JsonBody({ id, body }: { id: string; body: MediaType }) {
  return (
    <div class="field">
      <label class="label" for={id}>
        JSON
      </label>
      <textarea class="input mono" id={id} data-in="json" rows={9} spellcheck={false} {...UNTRANSLATED}>
        {JSON.stringify(examplesOf(body)[0]?.value, null, 2)}
      </textarea>
    </div>
  );
}

function BodyInput({ id, name, schema }: { id: string; name: string; schema: Schema }) {
  const isFile = schema.items?.contentMediaType !== undefined;
  return (
    <div class="field">
      <label class="label" for={id}>
        {name}
      </label>
      <input
        class="input"
        id={id}
        name={name}
        data-in="body"
        type={isFile ? 'file' : 'text'}
        multiple={isFile}
      />
    </div>
  );
}

const RETRIEVED = '#/components/schemas/RetrievedPushDto';

/** What a request of the try-out changes on the installation; undefined if it only reads. */
function effectOf({ method, operation }: Endpoint): TextKey | undefined {
  const content = operation.responses['200']?.content ?? {};
  if (method === 'POST') return 'docs.createsPush';
  if (method === 'DELETE') return 'docs.deletesPush';
  if (method === 'GET' && content['application/json']?.schema?.$ref === RETRIEVED) return 'docs.usesView';
  if (method === 'GET' && 'application/octet-stream' in content) return 'docs.downloadsFile';
  return undefined;
}

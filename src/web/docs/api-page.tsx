import { BackLink, Heading } from '../components/heading.js';
import { Layout } from '../components/layout.js';
import { useSite, Sentence, UNTRANSLATED, useTexts } from '../components/site.js';
import { EndpointSection } from './endpoint.js';
import { Fields, Prose, schemaId } from './fields.js';
import type { OpenApiDocument } from './open-api.js';
import { endpointsOf } from './open-api.js';

interface ApiPageProps {
  document: OpenApiDocument;
  origin: string;
}

/** The documentation of the API, as the OpenAPI document describes it. */
export function ApiPage({ document, origin }: ApiPageProps) {
  const { base } = useSite();
  const t = useTexts();
  const { info, tags, components } = document;
  const endpoints = endpointsOf(document);
  return (
    <Layout title={t.text('docs.title')} script="docs" stylesheet="docs">
      <BackLink to="/" text="docs.back" />
      <Heading title={t.text('docs.title')} lede={<Prose text={info.description} />} />
      <p>
        <Sentence
          of="docs.elsewhere"
          version={info.version}
          file={(label) => <a href={`${base}/api/v2/openapi.json`}>{label}</a>}
          rules={(label) => <a href={`${base}/api/docs.md`}>{label}</a>}
        />
      </p>
      {t.language !== 'en' && <p>{t.text('docs.inEnglish')}</p>}
      <nav class="contents" aria-label={t.text('docs.contents')}>
        <ul>
          {tags.map(({ name }) => (
            <li>
              <a href={`#tag-${name}`}>{name}</a>
            </li>
          ))}
          <li>
            <a href="#schemas">{t.text('docs.schemas')}</a>
          </li>
        </ul>
      </nav>
      {tags.map((tag) => (
        <section id={`tag-${tag.name}`}>
          <h2>{tag.name}</h2>
          <p class="quiet">
            <Prose text={tag.description} />
          </p>
          {endpoints
            .filter(({ operation }) => operation.tags.includes(tag.name))
            .map((endpoint) => (
              <EndpointSection endpoint={endpoint} origin={origin} />
            ))}
        </section>
      ))}
      <section id="schemas">
        <h2>{t.text('docs.schemas')}</h2>
        <p class="quiet">{t.text('docs.schemasText')}</p>
        {Object.entries(components.schemas)
          .filter(([, { type }]) => type === 'object')
          .map(([name, schema]) => (
            <details class="operation">
              <summary>
                <h3>
                  <code {...UNTRANSLATED}>{name}</code>
                </h3>
              </summary>
              <div id={schemaId(name)}>
                <Fields schema={schema} />
              </div>
            </details>
          ))}
      </section>
    </Layout>
  );
}

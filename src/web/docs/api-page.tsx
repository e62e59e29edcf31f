import { Layout } from '../views/layout.js';
import { Link, useSite } from '../views/site.js';
import { EndpointSection } from './endpoint.js';
import { Fields } from './fields.js';
import type { Description } from './open-api.js';
import { endpointsOf } from './open-api.js';
import { Prose } from './prose.js';
import { schemaId } from './value-type.js';

interface ApiPageProps {
  description: Description;
  origin: string;
}

/** The documentation of the API, as the OpenAPI document describes it. */
export function ApiPage({ description, origin }: ApiPageProps) {
  const { base } = useSite();
  const { info, tags, components } = description;
  const endpoints = endpointsOf(description);
  return (
    <Layout title="API" script="docs" stylesheet="docs">
      <p class="back">
        <Link to="/">← Back to the site</Link>
      </p>
      <h1>API</h1>
      <p class="lede">
        <Prose text={info.description} />
      </p>
      <p>
        Version {info.version}. The same as a file: <a href={`${base}/api/v2/openapi.json`}>openapi.json</a>.
        The rules as text: <a href={`${base}/api/docs.md`}>docs/api.md</a>.
      </p>
      <nav class="contents" aria-label="Contents">
        <ul>
          {tags.map(({ name }) => (
            <li>
              <a href={`#tag-${name}`}>{name}</a>
            </li>
          ))}
          <li>
            <a href="#schemas">schemas</a>
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
        <h2>schemas</h2>
        <p class="quiet">Objects of the responses above</p>
        {Object.entries(components.schemas).map(([name, schema]) => (
          <details class="operation">
            <summary>
              <h3>
                <code>{name}</code>
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

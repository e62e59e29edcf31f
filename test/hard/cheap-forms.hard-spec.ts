import { MIB, KIB } from '../../src/platform/settings/units.js';
import { forAllTests } from '../support/for-tests.js';
import { TestIdentityProvider } from '../support/identity-provider.js';
import { makeInstance } from '../support/instance.js';
import type { MailServer } from '../support/mail-server.js';
import { startMailServer } from '../support/mail-server.js';
import { routesOf } from '../support/routes.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';
import { amount } from './support/amount.js';
import type { CostlyRequest } from './support/costly-request.js';
import { bytesOf } from './support/costly-request.js';
import { exchange } from './support/exchange.js';
import type { FormWorld, ShownForm } from './support/form-worlds.js';
import {
  OF_WORLDS,
  SITE_OF_PASSKEYS,
  worldOfNewInstance,
  worldWithMail,
  worldWithProvider,
  worldWithSecondFactors,
} from './support/form-worlds.js';
import { leastCost, longestFor } from './support/least-cost.js';
import { logFigures } from './support/log-figures.js';
import type { MeasuredServer } from './support/measured-server.js';
import { startMeasured } from './support/measured-server.js';
import { randomFrom, SEED } from './support/random.js';
import { PASSWORD } from '../support/page-client.js';
import { filled } from './support/costly-bodies.js';
import { nested, otherFields } from './support/page-forms.js';

/** What a field is filled with. */
const FILLINGS = {
  'less-than signs': '<',
  ampersands: '&',
  quotes: '"',
  apostrophes: "'",
  blanks: ' ',
  'line breaks': '\n',
  commas: ',',
  letters: 'a',
  digits: '9',
  slashes: '/',
  'characters of four bytes': '\u{1f511}',
};

/** More than any form may have, more than a field of a multipart form may, and less than a short form may. */
const LENGTHS = [12.9 * MIB, 3.9 * MIB, 60 * KIB];
/** Of a request line. */
const QUERY = 12 * KIB;
const PLACE = 'here';

type Encoded = Pick<CostlyRequest, 'line' | 'headers' | 'body'>;
type Encoding = (form: ShownForm, field: string, unit: string, length: number) => Encoded;

const query = (fields: [string, string][]) => new URLSearchParams(fields).toString();
const before = (form: ShownForm, field: string) =>
  query([...otherFields(form, field, PASSWORD), [field, PLACE]]).slice(0, -PLACE.length);
const post = ({ action }: ShownForm) => `POST ${action}`;

const ENCODINGS: Record<string, Encoding> = {
  'a form': (form, field, unit, length) => ({
    line: post(form),
    headers: ['Content-Type: application/x-www-form-urlencoded'],
    body: () => filled(unit === '&' ? '%26' : unit === ' ' ? '+' : unit, before(form, field), '', length),
  }),
  'a multipart form': (form, field, unit, length) => ({
    line: post(form),
    headers: ['Content-Type: multipart/form-data; boundary=b'],
    body: () => {
      const part = (name: string, value: string) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
      const others = otherFields(form, field, PASSWORD).map(([name, value]) => `${part(name, value)}\r\n`);
      return filled(unit, others.join('') + part(field, ''), '\r\n--b--\r\n', length);
    },
  }),
  JSON: (form, field, unit, length) => ({
    line: post(form),
    headers: ['Content-Type: application/json'],
    body: () => {
      const json = JSON.stringify(nested([...otherFields(form, field, PASSWORD), [field, PLACE]]));
      const at = json.lastIndexOf(PLACE);
      const after = json.slice(at + PLACE.length);
      return filled(JSON.stringify(unit).slice(1, -1), json.slice(0, at), after, length);
    },
  }),
};

const inQuery: Encoding = (form, field, unit, length) => ({
  line: `GET ${form.action}?${filled(encodeURIComponent(unit), before(form, field), '', length).toString()}`,
});

/** Requests that differ only in their length, the longest first. */
interface FilledField {
  name: string;
  requests: CostlyRequest[];
}

/** Each field of a form, with each filling, in each encoding. */
function filledFields(form: ShownForm): FilledField[] {
  const names = [...new Set(form.fields.map(({ name }) => name))];
  const [encodings, lengths] =
    form.method === 'POST' ? [ENCODINGS, LENGTHS] : [{ 'a query': inQuery }, [QUERY]];
  const { method, action, withSession, withToken } = form;
  return names.flatMap((field) =>
    Object.entries(FILLINGS).flatMap(([filling, unit]) =>
      Object.entries(encodings).map(([encoding, encode]) => {
        const name = `${method} ${action}: ${filling} in ${field} of ${encoding}${withSession ? ', signed in' : ''}`;
        const requests = lengths.map((length) => ({
          name,
          withSession,
          withToken,
          ...encode(form, field, unit, length),
        }));
        return { name, requests };
      }),
    ),
  );
}

/** Several times the longest page without what somebody typed. */
const MAX_RESPONSE = MIB / 8;
const REQUESTS = amount({ full: Infinity, short: 80 });

/** A sample of as many as a run may send. */
function sample<T>(all: T[]): T[] {
  const random = randomFrom(SEED);
  return all
    .map((one): [number, T] => [random(), one])
    .sort(([a], [b]) => a - b)
    .slice(0, REQUESTS)
    .map(([, one]) => one);
}

describe('A form', () => {
  const mails = forAllTests(startMailServer);
  const provider = forAllTests(() => TestIdentityProvider.start());
  const found: string[] = [];
  const routes = new Set<string>();

  /** What is wrong with the responses, each of which is that to the longest form that is read. */
  async function sweep(
    server: MeasuredServer,
    all: FilledField[],
    fixtures: FormWorld['fixtures'],
  ): Promise<object[]> {
    const faults: object[] = [];
    let clients = 0;
    const send = async (request: CostlyRequest) => {
      clients += 1;
      const bytes = bytesOf(
        request,
        fixtures,
        `10.${clients >> 16}.${(clients >> 8) & 255}.${clients & 255}`,
      );
      const { status = 0, text = '' } = (await exchange(server.url, bytes, true)) ?? {};
      return { status, size: text.length };
    };
    for (const { name, requests } of all) {
      for (const request of requests) {
        const longestMs = longestFor(request);
        let response = { status: 0, size: 0 };
        const cost = await leastCost(
          server,
          Infinity,
          async () => (response = await send(request)),
          longestMs,
        );
        const { status, size } = response;
        const isCheap = cost.longestBlock < longestMs && cost.longestWait < longestMs && size < MAX_RESPONSE;
        if (!isCheap || status === 0 || status >= 500) faults.push({ name, ...response, ...cost });
        if (status !== 413) break;
      }
    }
    return faults;
  }

  it.each([
    ['of an instance that sends mails', () => mails.env, worldWithMail],
    ['of a new instance', () => ({}), worldOfNewInstance],
    [
      'of an account with second factors',
      () => ({ PUBLIC_URL: SITE_OF_PASSKEYS }), // they need a host name
      worldWithSecondFactors,
    ],
    ['of an instance with a provider', () => ({ ...mails.env, ...provider.env }), worldWithProvider],
  ])(
    '%s is cheap, whatever a field is filled with (L2, L5)',
    async (
      _name,
      env,
      makeWorld: (...world: [RunningApp, MailServer, TestIdentityProvider]) => Promise<FormWorld>,
    ) => {
      const instance = await makeInstance();
      const running = await startApp({ ...env(), ...OF_WORLDS }, { instance });
      const { forms, fixtures } = await makeWorld(running, mails, provider);
      for (const { method, path } of routesOf(running.app)) routes.add(`${method} ${path}`);
      for (const { method, action } of forms) found.push(`${method} ${action}`);
      await running.stop();

      const server = await startMeasured({ ...env(), ...OF_WORLDS, REQUESTS_PER_MINUTE: '0' }, instance);
      const requests = sample(forms.flatMap(filledFields));
      const faults = await sweep(server, requests, fixtures);
      logFigures({ seed: SEED, forms: forms.length, requests: requests.length });
      await server.stop();

      expect(faults).toEqual([]);
    },
  );

  it('of each page is among them', () => {
    const withoutPage = [...routes].filter((route) => {
      const [, path = ''] = route.split(' ');
      if (!route.startsWith('POST') || path.endsWith('/r') || path.endsWith('.json')) return false;
      if (path.startsWith('/uploads')) return false; // only scripts send to it, and no fields
      const pattern = new RegExp(`^POST ${path.replace(/:\w+/g, '[^/]+')}$`);
      return !path.startsWith('/api/') && !found.some((form) => pattern.test(form));
    });

    expect(withoutPage).toEqual([]);
  });
});

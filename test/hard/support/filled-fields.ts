import { KIB, MIB } from '../../../src/platform/settings/units.js';
import { PASSWORD } from '../../support/page-client.js';
import { filled } from './costly-bodies.js';
import type { CostlyRequest } from './costly-request.js';
import type { ShownForm } from './form-worlds.js';
import { nested, otherFields } from './page-forms.js';

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
export interface FilledField {
  name: string;
  requests: CostlyRequest[];
}

/** Each field of a form, with each filling, in each encoding. */
export function filledFields(form: ShownForm): FilledField[] {
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

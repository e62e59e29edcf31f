import { parse } from 'qs';

export interface FormField {
  name: string;
  type: string;
  value: string;
  /** Whether it is sent with the others: of radio buttons, only the chosen one is. */
  isSent: boolean;
}

/** A form of a page, as a browser sees it. */
export interface PageForm {
  method: string;
  action: string;
  fields: FormField[];
}

const FIELD = /<(?:input|textarea|select|button)\b([^>]*)>/g;
const ATTRIBUTE = /([\w-]+)(?:="([^"]*)")?/g;
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
/** Ids and tokens, which make the same page of another thing. */
const VARIABLE = /\/(?:[\w-]{43}|[0-9a-f]{8}-[0-9a-f-]{27})(?=\/|$)/g;
/** The same page of other things may have other forms, such as an account that is disabled. */
const SAME_PAGES = 4;
const PAGES = /^\/(?!api|assets|files|favicon)/;

/** The pages that can be reached by links from these, each as HTML. */
export async function pagesFrom(paths: string[], get: (path: string) => Promise<string>): Promise<string[]> {
  const found = [...new Set(paths)];
  const times = new Map<string, number>();
  const pages: string[] = [];
  for (const path of found) {
    const page = await get(path);
    pages.push(page);
    for (const [, href = ''] of page.matchAll(/<a\b[^>]* href="([^"#]+)/g)) {
      const link = unescaped(href);
      const shape = shapeOf(link.replace(/=[^&]*/g, ''));
      const count = times.get(shape) ?? 0;
      if (!PAGES.test(link) || found.includes(link) || count >= SAME_PAGES) continue;
      times.set(shape, count + 1);
      found.push(link);
    }
  }
  return pages;
}

/** The forms on pages, one for each action, method and set of fields. */
export function formsOn(pages: string[]): PageForm[] {
  const forms = pages.flatMap(formsIn).map((form): [string, PageForm] => {
    const names = new Set(form.fields.map(({ name }) => name));
    return [[form.method, shapeOf(form.action), ...names].join(' '), form];
  });
  return [...new Map(forms).values()];
}

/** The fields other than one, as the form has them, with that password where one is asked for. */
export function otherFields({ fields }: PageForm, name: string, password: string): [string, string][] {
  return fields
    .filter((field) => field.isSent && field.name !== name)
    .map((field) => [field.name, field.type === 'password' ? password : field.value]);
}

/** The object that a body of JSON has for the fields of a form. */
export const nested = (fields: [string, string][]): object =>
  parse(Object.fromEntries(fields) as unknown as Record<string, string>);

function formsIn(page: string): PageForm[] {
  return [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head = '', content = '']) => {
    const { action, method = 'get', id } = attributesOf(head);
    if (action === undefined) return [];
    const outside = id === undefined ? '' : page.replace(content, '');
    const controls = [
      ...[...content.matchAll(FIELD)].map(([, attributes = '']) => attributesOf(attributes)),
      ...[...outside.matchAll(FIELD)]
        .map(([, attributes = '']) => attributesOf(attributes))
        .filter(({ form }) => form === id),
    ];
    const fields = controls.flatMap(({ name, type = 'text', value = '', checked }) =>
      name === undefined ? [] : [{ name, type, value, isSent: type !== 'radio' || checked !== undefined }],
    );
    const actions = [action, ...controls.flatMap(({ formaction }) => formaction ?? [])];
    return actions.map((each) => ({ method: method.toUpperCase(), action: each, fields }));
  });
}

function attributesOf(text: string): Partial<Record<string, string>> {
  const attributes = [...text.matchAll(ATTRIBUTE)].map(([, name = '', value = '']): [string, string] => [
    name.toLowerCase(),
    unescaped(value),
  ]);
  return Object.fromEntries(attributes);
}

const unescaped = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '');

const shapeOf = (path: string) => path.replace(VARIABLE, '/*');

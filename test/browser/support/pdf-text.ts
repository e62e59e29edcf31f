import { inflateSync } from 'node:zlib';

type Characters = Map<number, string>;

/** The text of a PDF that Chromium has written, one line for each that it has drawn. */
export function textOfPdf(pdf: Buffer): string {
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/^(\d+) 0 obj\b([^]*?)^endobj/gm))
    objects.set(id, body);
  const referred = (object: string, key: string) =>
    objects.get(new RegExp(`/${key} (\\d+) 0 R`).exec(object)?.[1] ?? '') ?? '';

  const textOf = (page: string) => {
    const [, fonts = ''] = /\/Font <<([^>]*)>>/.exec(page) ?? [];
    const charactersOf = (font: string) =>
      charactersIn(contentOf(referred(referred(fonts, font), 'ToUnicode')));
    return linesIn(contentOf(referred(page, 'Contents')), charactersOf);
  };
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  return pages.flatMap(textOf).join('\n');
}

function contentOf(object: string): string {
  const [, content = ''] = /stream\n([^]*)\nendstream/.exec(object) ?? [];
  return content === '' ? '' : inflateSync(Buffer.from(content, 'latin1')).toString('latin1'); // of an empty page
}

/** The table of a font: what the numbers of its glyphs are. */
function charactersIn(table: string): Characters {
  const characters: Characters = new Map();
  for (const [line] of table.replace(/begincodespacerange[^]*?end/, '').matchAll(/^<.*>$/gm)) {
    const numbers = (line.match(/[0-9A-F]+/g) ?? []).map((hex) => parseInt(hex, 16));
    const [first = 0, last = 0, code = 0] = numbers.length === 3 ? numbers : [numbers[0], ...numbers];
    for (let i = first; i <= last; i++) characters.set(i, String.fromCodePoint(code + i - first));
  }
  return characters;
}

function linesIn(content: string, charactersOf: (font: string) => Characters): string[] {
  return [...content.matchAll(/^BT\n([^]*?)^ET/gm)].map(([, drawn = '']) => {
    const characters = charactersOf(/\/(\w+) [\d.]+ Tf/.exec(drawn)?.[1] ?? '');
    const glyphs = [...drawn.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex]) => hex).join('');
    return (glyphs.match(/.{4}/g) ?? []).map((hex) => characters.get(parseInt(hex, 16)) ?? '?').join('');
  });
}

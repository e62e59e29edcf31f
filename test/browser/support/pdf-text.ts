import { inflateSync } from 'node:zlib';

interface Font {
  characters: Map<number, string>;
  /** How many hexadecimal digits the number of a glyph has. */
  digits: number;
}

/** The text of a PDF that Chromium has written, one line for each that it has drawn. */
export function textOfPdf(pdf: Buffer): string {
  const objects = new Map<string, string>();
  for (const [, id = '', body = ''] of pdf.toString('latin1').matchAll(/^(\d+) 0 obj\b([^]*?)^endobj/gm))
    objects.set(id, body);
  const referred = (object: string, key: string) =>
    objects.get(new RegExp(`/${key} (\\d+) 0 R`).exec(object)?.[1] ?? '') ?? '';

  const textOf = (page: string) => {
    const [, fonts = ''] = /\/Font <<([^>]*)>>/.exec(page) ?? [];
    const fontOf = (name: string): Font => {
      const font = referred(fonts, name);
      const characters = charactersIn(contentOf(referred(font, 'ToUnicode')));
      return { characters, digits: font.includes('/Type3') ? 2 : 4 }; // as variable typefaces are written
    };
    return linesIn(contentOf(referred(page, 'Contents')), fontOf);
  };
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b/.test(body));
  return pages.flatMap(textOf).join('\n');
}

function contentOf(object: string): string {
  const [, content = ''] = /stream\n([^]*)\nendstream/.exec(object) ?? [];
  return content === '' ? '' : inflateSync(Buffer.from(content, 'latin1')).toString('latin1'); // of an empty page
}

/** The table of a font: what the numbers of its glyphs are. */
function charactersIn(table: string): Font['characters'] {
  const characters: Font['characters'] = new Map();
  for (const [line] of table.replace(/begincodespacerange[^]*?end/, '').matchAll(/^<.*>$/gm)) {
    const numbers = (line.match(/[0-9A-F]+/g) ?? []).map((hex) => parseInt(hex, 16));
    const [first = 0, last = 0, code = 0] = numbers.length === 3 ? numbers : [numbers[0], ...numbers];
    for (let i = first; i <= last; i++) characters.set(i, String.fromCodePoint(code + i - first));
  }
  return characters;
}

function linesIn(content: string, fontOf: (name: string) => Font): string[] {
  return [...content.matchAll(/^BT\n([^]*?)^ET/gm)].map(([, drawn = '']) => {
    const { characters, digits } = fontOf(/\/(\w+) [\d.]+ Tf/.exec(drawn)?.[1] ?? '');
    const glyphs = [...drawn.matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex]) => hex).join('');
    const numbers = glyphs.match(new RegExp(`.{${digits}}`, 'g')) ?? [];
    return numbers.map((hex) => characters.get(parseInt(hex, 16)) ?? '?').join('');
  });
}

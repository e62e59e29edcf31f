import type { Page } from 'playwright-core';

/** What only data has, on the pages of the tours: addresses but that of an example, links, tokens, what the tours enter. */
const DATA =
  /[^\s\u200e]@\S+\.\w|https?:\/\/\w|[\w-]{43}|\b\d+\.\d+\.\d+\.\d+\b(?!\/24)|onerror=|correct horse|guest network|Contractors|long-name|xxxxx|\.(?:pdf|ods|svg|txt|bin)\b/;

/** The texts of a page that are data and that a browser would translate. */
export function translatableData(page: Page): Promise<string[]> {
  return page.evaluate(textsIn, DATA.source);
}

/** Runs in the browser, so it uses nothing from outside. */
function textsIn(data: string): string[] {
  const { document, NodeFilter } = globalThis as any;
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const isShown = !node.parentElement.closest('script, style, noscript');
    if (isShown && node.parentElement.translate && new RegExp(data).test(node.data))
      found.push(`would be translated: ${node.data.trim().slice(0, 80)}`);
  }
  return found;
}

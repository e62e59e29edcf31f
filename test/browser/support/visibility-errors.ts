import type { Page } from 'playwright-core';

/** What axe does not check: that the focus, what has it and the chosen option can be seen, and that disclosures can be hit. */
export async function visibilityErrors(page: Page): Promise<string[]> {
  await page.keyboard.press('Tab'); // from here on the focus is shown, as it is for those who use the keyboard
  return page.evaluate(errorsInPage, false);
}

/** The same for the element that has the focus now, and whether it is in view. */
export function focusErrors(page: Page): Promise<string[]> {
  return page.evaluate(errorsInPage, true);
}

/** Runs in the browser, so it uses nothing from outside. WCAG 2.2: 1.4.3 Contrast, 1.4.11 Non-text Contrast, 2.5.8 Target Size. */
function errorsInPage(ofFocusOnly: boolean): string[] {
  const { document, getComputedStyle, innerHeight } = globalThis as any;
  const MIN_CONTRAST = 3;
  const MIN_TEXT_CONTRAST = 4.5;
  const MIN_RING_PIXELS = 2;
  const MIN_ROW_PIXELS = 24;
  const FOCUSABLE =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex="-1"])';

  const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const over = (upper: number[], lower: number[]) => {
    const alpha = upper[3] ?? 1;
    return [0, 1, 2].map((i) => (upper[i] ?? 0) * alpha + (lower[i] ?? 0) * (1 - alpha));
  };
  /** The colour that is seen at an element, with what is behind it. */
  const backgroundOf = (element: any): number[] => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return (own[3] ?? 1) === 1 ? own : over(own, backgroundOf(element.parentElement));
  };
  const luminance = (color: number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (a: number[], b: number[]) => {
    const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  const nameOf = (element: any) => element.outerHTML.slice(0, 80);
  const all = (selector: string): any[] =>
    [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());

  const errors: string[] = [];
  const focused = document.activeElement;
  for (const element of ofFocusOnly ? [focused] : all(FOCUSABLE).filter(({ disabled }) => !disabled)) {
    if (element !== focused) element.focus(); // otherwise a field of a date goes back to its first part
    if (document.activeElement !== element) continue;
    const shown = element.closest('.segments label, .chip, .composer') ?? element; // which is drawn in place of it
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(shown);
    const ring = parse(outlineColor);
    const behind = backgroundOf(shown.parentElement);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < MIN_RING_PIXELS)
      errors.push(`shows no focus: ${nameOf(element)}`);
    else if (contrast(over(ring, behind), behind) < MIN_CONTRAST)
      errors.push(`shows the focus too faintly: ${nameOf(element)}`);
    const surface = backgroundOf(element);
    const text = over(parse(getComputedStyle(element).color), surface);
    if (element.matches('a, button') && contrast(text, surface) < MIN_TEXT_CONTRAST)
      errors.push(`cannot be read with the focus: ${nameOf(element)}`);
  }
  if (ofFocusOnly) {
    const { top, bottom } = focused.getBoundingClientRect();
    return bottom <= 0 || top >= innerHeight ? [...errors, `is out of view: ${nameOf(focused)}`] : errors;
  }
  document.activeElement.blur();
  for (const chosen of all('.segments input:checked + span')) {
    const track = backgroundOf(chosen.closest('.segments'));
    if (contrast(backgroundOf(chosen), track) < MIN_CONTRAST)
      errors.push(`shows its choice too faintly: ${nameOf(chosen)}`);
  }
  for (const summary of all('summary'))
    if (summary.getBoundingClientRect().height < MIN_ROW_PIXELS)
      errors.push(`is hard to hit: ${nameOf(summary)}`);
  return errors;
}

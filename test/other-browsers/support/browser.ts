import { until } from '../../support/daemon.js';

/** Minutes, because a script takes long for each passphrase if the machine has other work. */
const TIMEOUT_MS = 180_000;

/** The Enter key, as drivers name it. A line break is not a key to them. */
export const ENTER = '\uE007';

/** A browser, started for one test. */
export interface Browser {
  /** Opens a window, which shares no cookies with the others. */
  open(): Promise<Window>;
  /** Returns the errors of pages that the browser has reported. */
  close(): Promise<string[]>;
}

/** What the walks use of a window. */
export interface Window {
  /** Waits until the page has been loaded. */
  goto(url: string): Promise<unknown>;
  locator(xpath: string): Element;
}

/** An element, once it is shown; only an input of files may be hidden. */
export interface Element {
  waitFor(): Promise<void>;
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  setInputFiles(paths: string[]): Promise<void>;
  inputValue(): Promise<string>;
  textContent(): Promise<string | null>;
}

/** Waits for an element. */
export async function untilShown(xpath: string, isShown: () => Promise<boolean>): Promise<void> {
  await until(isShown, TIMEOUT_MS).catch((cause: unknown) => {
    throw new Error(`not shown: ${xpath}`, { cause });
  });
}

/** The first one of which it is true. */
export async function firstOf<T>(all: T[], isTrue: (one: T) => Promise<boolean>): Promise<T | undefined> {
  for (const one of all) if (await isTrue(one)) return one;
  return undefined;
}

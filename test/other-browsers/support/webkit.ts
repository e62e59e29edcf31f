import { join } from 'node:path';
import { Daemon, textIn, until } from '../../support/daemon.js';
import { freePort } from '../../support/free-port.js';
import type { Browser, Element, Window } from './browser.js';
import { ENTER, firstOf, untilShown } from './browser.js';

/** The key under which the protocol names an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/**
 * A window of a browser with a driver that speaks W3C WebDriver, https://www.w3.org/TR/webdriver2/.
 * The driver waits for no page to load, because that of WebKitGTK would wait forever after some forms were sent.
 */
/** WebDriver takes what is in a closed `<details>` for displayed. */
const IS_VISIBLE = 'return arguments[0].checkVisibility({ visibilityProperty: true })';

export class WebDriverWindow implements Window {
  private constructor(private readonly session: string) {}

  static async open(driver: string): Promise<WebDriverWindow> {
    await until(async () => (await call<{ ready: boolean }>('GET', `${driver}/status`)).ready);
    const { sessionId } = await call<{ sessionId: string }>('POST', `${driver}/session`, {
      capabilities: { alwaysMatch: { pageLoadStrategy: 'none' } },
    });
    return new WebDriverWindow(`${driver}/session/${sessionId}`);
  }

  close(): Promise<unknown> {
    return call('DELETE', this.session);
  }

  async goto(url: string): Promise<void> {
    await this.run('document.isLeft = true');
    await call('POST', `${this.session}/url`, { url });
    await until(() => this.run('return !document.isLeft && document.readyState === "complete"'));
  }

  locator(xpath: string): Element {
    return {
      waitFor: async () => void (await this.find(xpath)),
      click: async () => void (await call('POST', `${await this.find(xpath)}/click`, {})),
      fill: async (text) => {
        const element = await this.find(xpath);
        await call('POST', `${element}/clear`, {});
        await call('POST', `${element}/value`, { text: text.replaceAll('\n', ENTER) });
      },
      setInputFiles: async (paths) => {
        const element = await this.find(xpath, { mayBeHidden: true });
        await call('POST', `${element}/value`, { text: paths.join('\n') });
      },
      inputValue: async () => call('GET', `${await this.find(xpath)}/property/value`),
      textContent: async () => call('GET', `${await this.find(xpath)}/property/textContent`),
    };
  }

  /** Waits until one of these elements is shown, and returns its URL. */
  private async find(xpath: string, { mayBeHidden = false } = {}): Promise<string> {
    let shown: Record<string, string> | undefined;
    await untilShown(xpath, async () => {
      const all = await call<Record<string, string>[]>('POST', `${this.session}/elements`, {
        using: 'xpath',
        value: xpath,
      });
      shown = await firstOf(all, async (element) => mayBeHidden || this.run(IS_VISIBLE, element));
      return shown !== undefined;
    });
    return `${this.session}/element/${shown?.[ELEMENT]}`;
  }

  private run(script: string, ...args: object[]): Promise<boolean> {
    return call('POST', `${this.session}/execute/sync`, { script, args });
  }
}

async function call<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await response.json()) as { value: T };
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value)}`);
  return value;
}

/** Starts a screen for WebKitGTK, which shows its windows, and each window with a driver, which has only one. */
export async function startWebKit(downloads: string): Promise<Browser> {
  const log = join(downloads, 'browser.log');
  const screen = new Daemon('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], log);
  const display = await textIn(log, /^\d+$/m);
  const env = { DISPLAY: `:${display}`, HOME: downloads }; // it saves files in the home folder
  const drivers: Daemon[] = [];
  const windows: WebDriverWindow[] = [];
  return {
    open: async () => {
      const port = await freePort();
      drivers.push(new Daemon('WebKitWebDriver', [`--port=${port}`], log, env));
      const window = await WebDriverWindow.open(`http://127.0.0.1:${port}`);
      windows.push(window);
      return window;
    },
    close: async () => {
      await Promise.all(windows.map((window) => window.close()));
      await Promise.all([...drivers, screen].map((daemon) => daemon.stop()));
      return []; // its driver reports no errors of pages
    },
  };
}

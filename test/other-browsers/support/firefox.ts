import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Daemon, textIn } from '../../support/daemon.js';
import { BiDiConnection } from './bi-di-connection.js';
import type { Browser, Element, Window } from './browser.js';
import { ENTER, firstOf, untilShown } from './browser.js';

/** An element, by the name that the browser has given it. */
interface Node {
  sharedId: string;
}

/** Also waits, because a page that has just been loaded may scroll once more. Returns whether it is within the window. */
const SCROLL_INTO_VIEW = `async (target) => {
  target.scrollIntoView({ block: 'center', behavior: 'instant' });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { top, bottom } = target.getBoundingClientRect();
  return top + bottom > 0 && top + bottom < 2 * innerHeight;
}`;

/** A window of a browser that speaks WebDriver BiDi. */
export class BiDiWindow implements Window {
  private constructor(
    private readonly connection: BiDiConnection,
    private readonly context: string,
  ) {}

  static async open(connection: BiDiConnection): Promise<BiDiWindow> {
    const { userContext } = await connection.send<{ userContext: string }>('browser.createUserContext', {});
    const { context } = await connection.send<{ context: string }>('browsingContext.create', {
      type: 'window',
      userContext,
    });
    return new BiDiWindow(connection, context);
  }

  goto(url: string): Promise<unknown> {
    return this.send('browsingContext.navigate', { url, wait: 'complete' });
  }

  locator(xpath: string): Element {
    return {
      waitFor: async () => void (await this.find(xpath)),
      click: async () => this.click(await this.find(xpath)),
      fill: async (text) => {
        await this.call('(field) => { field.focus(); field.select(); }', await this.find(xpath));
        await this.type(text);
      },
      setInputFiles: async (files) => {
        const element = await this.find(xpath, { mayBeHidden: true });
        await this.send('input.setFiles', { element, files });
      },
      inputValue: async () => this.call('({ value }) => value', await this.find(xpath)),
      textContent: async () => this.call('({ textContent }) => textContent', await this.find(xpath)),
    };
  }

  /** Waits until one of these elements is shown. */
  private async find(xpath: string, { mayBeHidden = false } = {}): Promise<Node> {
    const locator = { type: 'xpath', value: xpath };
    let shown: Node | undefined;
    await untilShown(xpath, async () => {
      const { nodes } = await this.send<{ nodes: Node[] }>('browsingContext.locateNodes', { locator });
      shown = await firstOf(
        nodes,
        async (node) =>
          mayBeHidden || this.call('(found) => found.checkVisibility({ visibilityProperty: true })', node),
      );
      return shown !== undefined;
    });
    return shown as Node;
  }

  private async click(element: Node): Promise<void> {
    await untilShown('an element within the window', () => this.call(SCROLL_INTO_VIEW, element));
    await this.perform('pointer', [
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ]);
  }

  private type(text: string): Promise<unknown> {
    const keys = Array.from(text.replaceAll('\n', ENTER));
    return this.perform(
      'key',
      keys.flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  }

  private perform(type: string, actions: object[]): Promise<unknown> {
    return this.send('input.performActions', { actions: [{ type, id: type, actions }] });
  }

  private async call<T>(functionDeclaration: string, element: Node): Promise<T> {
    const { result } = await this.send<{ result: { value: T } }>('script.callFunction', {
      functionDeclaration,
      arguments: [element],
      target: { context: this.context },
      awaitPromise: true,
    });
    return result.value;
  }

  private send<T>(method: string, params: object): Promise<T> {
    return this.connection.send(method, { context: this.context, ...params });
  }
}

/** Starts Firefox with an empty profile. Its windows share no cookies, because each belongs to another user. */
export async function startFirefox(downloads: string): Promise<Browser> {
  const [profile, log] = [join(downloads, 'profile'), join(downloads, 'browser.log')];
  await mkdir(profile);
  const args = ['--headless', '--remote-debugging-port=0', '--profile', profile];
  const daemon = new Daemon('firefox-esr', args, log);
  const connection = await BiDiConnection.open(
    `${await textIn(log, /(?<=^WebDriver BiDi listening on )ws:.*/m)}/session`,
  );
  await connection.send('browser.setDownloadBehavior', {
    downloadBehavior: { type: 'allowed', destinationFolder: downloads },
  });
  return {
    open: () => BiDiWindow.open(connection),
    close: async () => {
      await daemon.stop();
      return connection.errors;
    },
  };
}

import { join } from 'node:path';
import { Daemon, textIn } from '../../support/daemon.js';
import { freePort } from '../../support/free-port.js';
import type { Browser } from './browser.js';
import { WebDriverWindow } from './web-driver-window.js';

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

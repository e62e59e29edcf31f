import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Daemon, textIn } from '../../support/daemon.js';
import { BiDiConnection } from './bi-di-connection.js';
import { BiDiWindow } from './bi-di-window.js';
import type { Browser } from './browser.js';

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

import type { ProxyProgram } from './tls-proxy.js';
import { pathOfProgram } from './find-program.js';

/** Caddy with one of our files, and a certificate of the test. */
export const caddy: ProxyProgram = {
  path: pathOfProgram('caddy', ['/usr/sbin']),
  ready: 'serving initial configuration',
  command: ['run', '--config', 'config', '--adapter', 'caddyfile'],
  adapt: (file, { folder, port, portInClear, upstream }) =>
    file
      .replace(
        '\n{\n',
        `\n{\nadmin off\nhttp_port ${portInClear}\nhttps_port ${port}\ndefault_bind 127.0.0.1\n`,
      )
      .replaceAll('\t# tls ', '\ttls ')
      .replaceAll('127.0.0.1:5100', upstream)
      .replaceAll('/var/www/html', `${folder}/www`)
      .replaceAll(/\/etc\/ssl\/[\w.]+/g, folder),
};

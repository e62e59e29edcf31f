import type { ProxyProgram } from './tls-proxy.js';
import { pathOfProgram } from './find-program.js';

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** nginx with one of our files in its own configuration, which logs everything and compresses pages, as Debian's does. */
export const nginx: ProxyProgram = {
  path: pathOfProgram('nginx', ['/usr/sbin']),
  ready: 'start worker process ',
  command: ['-p', '.', '-c', 'config', '-e', 'stderr'],
  adapt: (file, { folder, port, portInClear, upstream }) => `
    daemon off;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    pid ${folder}/nginx.pid;
    error_log stderr info;
    events {}
    http {
      access_log ${folder}/logs/access.log;
      gzip on;
      ${TEMPORARY.map((kind) => `${kind}_temp_path ${folder}/temporary-${kind};`).join('\n      ')}
      ${file
        .replaceAll('listen 443 ', `listen 127.0.0.1:${port} `)
        .replaceAll('listen 80;', `listen 127.0.0.1:${portInClear};`)
        .replaceAll('127.0.0.1:5100', upstream)
        .replaceAll('/var/log/nginx', `${folder}/logs`)
        .replaceAll('/var/www/html', `${folder}/www`)
        .replaceAll(/\/etc\/ssl\/[\w.]+/g, folder)}
    }`,
};

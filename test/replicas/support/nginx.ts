import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Daemon, until } from '../../support/daemon.js';

const PORT = 34_790;

export interface Nginx {
  url: string;
  stop: () => Promise<void>;
}

/** nginx in front of several processes, configured as in docs/operating.md. */
export async function startNginx(folder: string, upstreams: string[]): Promise<Nginx> {
  const file = join(folder, 'nginx.conf');
  const log = join(folder, 'nginx.log');
  await writeFile(file, configuration(folder, upstreams));
  const daemon = new Daemon('nginx', ['-c', file, '-p', folder, '-e', log], log);
  const url = `http://127.0.0.1:${PORT}`;
  await until(async () => (await fetch(`${url}/up`)).ok);
  return { url, stop: () => daemon.stop() };
}

function configuration(folder: string, upstreams: string[]): string {
  const servers = upstreams.map((url) => `server ${new URL(url).host} max_fails=1 fail_timeout=5s;`);
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path ${folder};
  proxy_temp_path ${folder};
  fastcgi_temp_path ${folder};
  uwsgi_temp_path ${folder};
  scgi_temp_path ${folder};
  upstream sealpush {
    ${servers.join('\n    ')}
  }
  server {
    listen 127.0.0.1:${PORT};
    client_max_body_size 260m;
    location / {
      proxy_pass http://sealpush;
      proxy_next_upstream error timeout http_503 non_idempotent;
      proxy_connect_timeout 2s;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
  }
}
`;
}

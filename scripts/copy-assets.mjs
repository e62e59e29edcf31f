// Puts what browsers load beside the scripts that were compiled for them: our styles and pictures, and Pico.
import { copyFileSync, cpSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

cpSync('src/web/assets', 'dist/web/client', { recursive: true });
copyFileSync(resolve('@picocss/pico/css/pico.min.css'), 'dist/web/client/pico.css');

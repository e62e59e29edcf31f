// Copies the styles and images of the pages, and Pico CSS, next to the compiled browser scripts.
import { copyFileSync, cpSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

cpSync('src/web/assets', 'dist/web/client', { recursive: true });
copyFileSync(resolve('@picocss/pico/css/pico.min.css'), 'dist/web/client/pico.css');

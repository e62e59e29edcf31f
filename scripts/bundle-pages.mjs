// Bundles and minifies the styles and browser scripts of the pages. Each page loads one script and one stylesheet.
import { copyFileSync } from 'node:fs';
import { build } from 'esbuild';

const BUNDLES = 'dist/web/client';

await build({
  entryPoints: [
    'src/web/client/every-page.ts',
    'src/web/client/home.ts',
    'src/web/client/made.ts',
    'src/web/client/open.ts',
    'src/web/client/docs.ts',
    'src/web/client/delete-push.ts',
    'src/web/assets/sealpush.css',
    'src/web/assets/docs.css',
  ],
  entryNames: '[name]',
  outdir: BUNDLES,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
});
copyFileSync('src/web/assets/words.txt', `${BUNDLES}/words.txt`);
copyFileSync('src/web/assets/favicon.svg', `${BUNDLES}/favicon.svg`);

import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { buildDocument } from './build-document.js';

const [, , path = 'openapi.json'] = process.argv;

void buildDocument().then((document) => {
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
});

import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { settingsDocument } from './settings-document.js';

writeFileSync('docs/settings.md', settingsDocument());

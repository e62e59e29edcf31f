// Prints the notes of the release of this version: its section of CHANGELOG.md, and the digests of the scripts of
// the pages, from the build: npm run --silent release:notes
import { readFileSync } from 'node:fs';
import { sectionsOf } from './changelog.mjs';

const DIGESTS = 'dist/client/integrity.json';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const section = sectionsOf(readFileSync('CHANGELOG.md', 'utf8')).find((each) => each.version === version);
if (!section?.text) fail(`CHANGELOG.md has no section for ${version}`);

console.log(`${section.text}

### Digests of the scripts

Each page names the digest of each script that it loads in the attribute \`integrity\`. docs/security.md says how to compare them with what a server sends.

\`\`\`json
${readDigests().trim()}
\`\`\``);

function readDigests() {
  try {
    return readFileSync(DIGESTS, 'utf8');
  } catch {
    return fail(`${DIGESTS} is missing: run npm run build`);
  }
}

function fail(message) {
  console.error(`release:notes: ${message}`);
  process.exit(1);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from './support/documents.js';

const DOCUMENTS = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...['docs', 'docs/decisions'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];
/** `bash` is the session of a document, `sh` any other commands. */
const LANGUAGES = ['bash', 'sh', 'ini', 'nginx', 'sql', 'text', 'ts'];
const INLINE =
  /^((npm|npx|node|docker|openssl|curl|garbd|mariadb|mysql|sqlite3) \S|galera_new_cluster$|\.ci\/\w+$|\w+:(create|list|delete|password|disable|enable|revoke|rotate|purge|run)\b)/;

/** What runs a command: a file, and the words in it that do. */
type Proof = [file: string, words: string];

const CI = (step: string): Proof => ['.ci/run', `\nstep ${step}\n`];
const OPERATING = (words: string): Proof => ['test/operating-commands.e2e-spec.ts', words];
const RESTORE = OPERATING("'Backup', 'mkdir -m 700 data\\ncp FILE data'");
const DUMP = OPERATING("'Backup', 'mysqldump'");
const LOAD = OPERATING("'Backup', 'mysql -h'");
const SECRETS = OPERATING("'Containers', 'mkdir -m 700 secrets'");
const BENCH = 'takes minutes, and says something only on a machine that does nothing else';

/** What runs each command of the documents, or why nothing does. */
const COMMANDS: Record<string, Proof[] | string> = {
  'npm ci && npm start': [CI('npm ci --no-audit --no-fund'), OPERATING("start('npm start')")],
  'npm ci': [CI('npm ci --no-audit --no-fund')],
  'npm start': [OPERATING("start('npm start')")],
  'npm test': [['.ci/run', '\nnpm test ']],
  'npm run check': 'CI runs each of its parts: see below',
  'npm run format': 'CI checks by the same program and settings what it would change',
  'npm run openapi': [
    ['test/openapi-drift.unit-spec.ts', "'nest-cli.openapi.json'"],
    ['test/openapi-drift.unit-spec.ts', "'node_modules/openapi-typescript/bin/cli.js'"],
  ],
  'npm run start:dev': [CI('.ci/start-dev'), ['.ci/start-dev', 'npm run start:dev']],
  'npm run test:replicas': [CI('npm run test:replicas')],
  'npm run test:hard': [CI('env HARD=short npm run test:hard')],
  'npm run bench': BENCH,
  'npm run bench:profile': BENCH,
  'npm run bench:growth': BENCH,
  'npm run bench:files': BENCH,
  'npm run bench:all': BENCH,
  'npm run measure:start': [CI('npm run measure:start')],
  'npm run migration:run': [['test/cli.e2e-spec.ts', "'migration:run'"]],

  '.ci/run': 'is what runs all of it',
  '.ci/mariadb': [['.ci/run', '\n.ci/mariadb ']],
  '.ci/mysql': [['.ci/run', '\n.ci/mysql ']],
  '.ci/nginx': [['.ci/run', '\n.ci/nginx ']],
  '.ci/redis': [['.ci/run', '\n.ci/redis ']],
  '.ci/image': 'takes minutes: run by hand when the image changes',

  'npm run -s cli -- user:create EMAIL': [['test/readme-session.e2e-spec.ts', "'README.md'"]],
  'npm run -s cli -- user:create me@example.org': [['test/readme-session.e2e-spec.ts', "'README.md'"]],
  'npm run -s cli -- token:create me@example.org': [['test/cli.e2e-spec.ts', "'token:create'"]],
  'npm run -s cli -- pushes:purge': [['test/cli.e2e-spec.ts', "'pushes:purge'"]],
  'npm run -s cli -- keys:rotate': [['test/keys-rotate.e2e-spec.ts', "'keys:rotate'"]],
  'npm run -s cli -- backup FILE': [OPERATING('npm run -s cli -- backup')],
  'user:list': [['test/account-commands.e2e-spec.ts', "'user:list'"]],
  'user:password EMAIL': [['test/account-commands.e2e-spec.ts', "'user:password'"]],
  'user:disable EMAIL': [['test/account-commands.e2e-spec.ts', "'user:disable'"]],
  'user:enable EMAIL': [['test/account-commands.e2e-spec.ts', "'user:enable'"]],
  'user:delete EMAIL': [['test/account-commands.e2e-spec.ts', "'user:delete'"]],
  'token:list EMAIL': [['test/account-commands.e2e-spec.ts', "'token:list'"]],
  'token:revoke EMAIL ID': [['test/account-commands.e2e-spec.ts', "'token:revoke'"]],
  'user:create': [['test/cli.e2e-spec.ts', "'user:create'"]],
  'token:create': [['test/cli.e2e-spec.ts', "'token:create'"]],
  'token:create EMAIL': [['test/cli.e2e-spec.ts', "'token:create'"]],
  'token:create EMAIL --name NAME': [['test/cli.e2e-spec.ts', "'--name'"]],
  'keys:rotate': [['test/keys-rotate.e2e-spec.ts', "'keys:rotate'"]],

  'mkdir -m 700 data': [RESTORE, LOAD],
  'cp FILE data/sealpush.sqlite3': [RESTORE],
  'cp -R FILE.files data/files': [RESTORE],
  'cp THE_KEYS_COPY data/master.key': [RESTORE, LOAD],
  'mysqldump --single-transaction --no-tablespaces --hex-blob --set-gtid-purged=OFF -h db.example.org -u sealpush -p sealpush > sealpush.sql':
    [DUMP],
  'mariadb-dump --single-transaction --no-tablespaces --hex-blob -h db.example.org -u sealpush -p sealpush > sealpush.sql':
    [DUMP],
  'cp -R data/files sealpush.files': [DUMP],
  'mysql -h db.example.org -u sealpush -p sealpush < sealpush.sql': [LOAD],
  'mariadb -h db.example.org -u sealpush -p sealpush < sealpush.sql': [LOAD],
  'cp -R sealpush.files data/files': [LOAD],
  'DATABASE_URL=mysql://sealpush:PASSWORD@db.example.org:3306/sealpush npm start': [
    LOAD,
    OPERATING("'MySQL and MariaDB', 'DATABASE_URL='"),
  ],

  'docker build -t sealpush . && docker run -p 5100:5100 -v sealpush:/data sealpush':
    'no engine runs where tests do; .ci/image builds and runs the same without one',
  'docker build -t sealpush .': [['.ci/image', 'buildah build ']],
  'docker run -d --name sealpush -p 5100:5100 -v sealpush:/data sealpush':
    'no engine runs where tests do; .ci/image-try runs the same command on the same files without one',
  'docker exec sealpush node dist/cli.js user:create me@example.org': [
    ['.ci/image-try', 'node dist/cli.js user:create me@example.org'],
  ],
  'mkdir -m 700 secrets': [SECRETS],
  'openssl rand -base64 32 > secrets/master_keys': [SECRETS],
  'openssl rand -base64 32': [SECRETS],
  'openssl rand -hex 24 > secrets/mysql_password': [SECRETS],
  'echo "mysql://sealpush:$(cat secrets/mysql_password)@mysql:3306/sealpush" > secrets/database_url': [
    SECRETS,
  ],
  'docker compose up -d':
    'no engine runs where tests do; compose.unit-spec checks the file, and the service starts with its secrets',
  'docker compose exec app node dist/cli.js user:create me@example.org': [
    ['.ci/image-try', 'node dist/cli.js user:create me@example.org'],
  ],

  'curl -C -': [['README.md', '-C - $LINK']],
  galera_new_cluster: 'is a unit of systemd; test:replicas starts the first node by the option that it gives',
  'garbd --address gcomm://10.0.0.11,10.0.0.12 --group sealpush --daemon': [
    ['test/replicas/support/galera.ts', "'garbd'"],
  ],
};

describe('The commands of the documents', () => {
  const found = new Set(DOCUMENTS.flatMap((path) => [...commandsOf(path), ...inlineCommandsOf(path)]));

  it('are all in the list here, and no others', () => {
    expect([...found].sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it('are run by what the list tells, or have a reason', () => {
    for (const [command, proofs] of Object.entries(COMMANDS)) {
      if (typeof proofs === 'string') {
        expect(proofs).not.toBe('');
      } else {
        const missing = proofs.filter(([file, words]) => !readFileSync(file, 'utf8').includes(words));
        expect([command, missing]).toEqual([command, []]);
      }
    }
  });

  it('of a session are in documents of which a test runs them all', () => {
    const run = readFileSync('test/readme-session.e2e-spec.ts', 'utf8');
    const withSession = DOCUMENTS.filter((path) => blocksOf(path, 'bash').length > 0);

    expect(withSession).toEqual(['README.md', 'docs/clients.md']);
    for (const path of withSession) expect(run).toContain(`'${path}'`);
  });

  it.each(DOCUMENTS)('of %s are in blocks that say what they are', (path) => {
    const fences = readFileSync(path, 'utf8').match(/^```.*$/gm) ?? [];
    const openings = fences.filter((_, index) => index % 2 === 0).map((fence) => fence.slice(3));

    expect(openings.filter((language) => !LANGUAGES.includes(language))).toEqual([]);
  });

  it('that check everything are steps of CI', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const steps = readFileSync('.ci/run', 'utf8').match(/^(step )?npm (run \S+|test)/gm) ?? [];
    const parts: string[] = scripts.check.split(' && ');

    expect(parts).toHaveLength(5);
    expect(steps.map((step) => step.replace('step ', ''))).toEqual(expect.arrayContaining(parts));
  });
});

/** Those in blocks, without comments, each in one line. */
function commandsOf(path: string): string[] {
  return blocksOf(path, 'sh')
    .join('')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(^| +)# .*$/, '').trim())
    .filter((line) => line !== '');
}

function inlineCommandsOf(path: string): string[] {
  const prose = readFileSync(path, 'utf8').replace(/^```.*?^```$/gms, '');
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code).filter((code) => INLINE.test(code));
}

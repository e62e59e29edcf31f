import { resolve } from 'node:path';
import ts from 'typescript';

const ENTITY = 'src/pushes/push/push.entity.ts';
const CREATE_DTO = 'src/pushes/create/create-push.dto.ts';
const RULES = 'src/pushes/create/push-rules.ts';
const DTO = 'src/pushes/push/push.dto.ts';
const OPENAPI = 'tools/openapi/push-fields.ts';

const CREATE_REQUEST_DTO = 'src/features/requests/create-request.dto.ts';
const REQUEST_RULES = 'src/features/requests/secret-request-rules.ts';
const REQUEST_ENTITY = 'src/features/requests/secret-request.entity.ts';
const REQUEST_DTO = 'src/features/requests/request.dto.ts';
const REQUEST_OPENAPI = 'tools/openapi/request-fields.ts';

/** What uses the fields of pushes, and of requests for secrets. */
const CHECKED = [
  ...[CREATE_REQUEST_DTO, REQUEST_RULES, REQUEST_ENTITY, REQUEST_DTO, REQUEST_OPENAPI],
  'src/features/requests/requests.service.ts',
  ...[ENTITY, CREATE_DTO, RULES, DTO, OPENAPI],
  'src/pushes/create/creations.service.ts',
  'src/pushes/owner-lists/own-push-filter.ts',
  'src/pushes/push/push-seal.ts',
  'test/support/new-pushes.ts',
  'tools/openapi/create-body.ts',
  'tools/openapi/examples.ts',
];

/** Insertions before a text of a file, and the files with errors after it. */
type Step = [file: string, insertions: [before: string, text: string][], named: string[]];

const FLAG: Step[] = [
  [
    ENTITY,
    [
      [
        "  @Column('integer')\n  viewsCounted",
        "  @Column('boolean', { default: false })\n  urgent: boolean;\n\n",
      ],
    ],
    [CREATE_DTO, DTO],
  ],
  [
    CREATE_DTO,
    [
      ['  @BooleanField()\n  client_encrypted', '  @BooleanField()\n  urgent?: boolean | null;\n\n'],
      ['    clientEncrypted:', '    urgent: push.urgent ?? false,\n'],
    ],
    [DTO, OPENAPI],
  ],
  [
    DTO,
    [
      ['  kind: PushKind;', '  urgent: boolean;\n'],
      ['      kind: push.kind,', '      urgent: push.urgent,\n'],
    ],
    [OPENAPI],
  ],
  [
    OPENAPI,
    [
      ["  passphrase: text('Required", "  urgent: flag('Shown as urgent'),\n"],
      ["  kind: { type: 'string', enum: PUSH_KINDS },", "  urgent: { type: 'boolean' },\n"],
      ["  kind: 'text',", '  urgent: false,\n'],
    ],
    [],
  ],
];

const OWNER_TEXT: Step[] = [
  [
    ENTITY,
    [
      ["'name', 'note'] as const", "'hint', "],
      ['  /** Unseals the payload;', '  @SealedColumn({ nullable: true })\n  hint: Buffer | null;\n\n'],
    ],
    [CREATE_DTO, DTO],
  ],
  [
    CREATE_DTO,
    [['  @TextField(MAX_NOTE)\n  note', '  @TextField(100)\n  hint?: string | null;\n\n']],
    [DTO, OPENAPI],
  ],
  [DTO, [['  note: string;', '  hint: string;\n']], [OPENAPI]],
  [
    OPENAPI,
    [
      ["  note: text('A note", "  hint: text('A hint that only the owner sees', 100),\n"],
      ["  note: { type: 'string'", "  hint: { type: 'string' },\n"],
      ["name: 'spring', note: 'for Ada' } satisfies", "hint: 'blue', "],
    ],
    [],
  ],
];

const OF_REQUESTS: Step[] = [
  [
    CREATE_REQUEST_DTO,
    [
      ['  @BooleanField()\n  include_requestor', '  @BooleanField()\n  urgent?: boolean | null;\n\n'],
      ['  notifies: boolean;', '  urgent: boolean;\n'],
    ],
    [REQUEST_RULES, REQUEST_OPENAPI],
  ],
  [
    REQUEST_RULES,
    [['      notifies: this.mails', '      urgent: request.urgent ?? false,\n']],
    [REQUEST_OPENAPI],
  ],
  [
    REQUEST_ENTITY,
    [['  /** Whether the form says', "  @Column('boolean', { default: false })\n  urgent: boolean;\n\n"]],
    [REQUEST_OPENAPI],
  ],
  [
    REQUEST_DTO,
    [
      ['  include_requestor: boolean;', '  urgent: boolean;\n'],
      ['      include_requestor: request', '      urgent: request.urgent,\n'],
    ],
    [REQUEST_OPENAPI],
  ],
  [
    REQUEST_OPENAPI,
    [
      ["  include_requestor: flag('Shows", "  urgent: flag('Shown as urgent'),\n"],
      ["  include_requestor: flag('Whether", "  urgent: flag('Whether it is urgent'),\n"],
      ['  include_requestor: false,', '  urgent: false,\n'],
    ],
    [],
  ],
];

const { options = {} } =
  ts.getParsedCommandLineOfConfigFile(
    'tsconfig.json',
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  ) ?? {};

/** The program with some files changed. */
function programWith(changed: Map<string, string>, previous?: ts.Program): ts.Program {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    const text = changed.get(path);
    return text === undefined
      ? (previous?.getSourceFile(path) ?? read(path, ...rest))
      : ts.createSourceFile(path, text, options.target ?? ts.ScriptTarget.Latest);
  };
  return ts.createProgram(
    CHECKED.map((path) => resolve(path)),
    options,
    host,
  );
}

function namedIn(program: ts.Program): string[] {
  return CHECKED.filter(
    (path) => program.getSemanticDiagnostics(program.getSourceFile(resolve(path))).length > 0,
  );
}

describe('A new field, as in docs/extending.md', () => {
  const unchanged = programWith(new Map());

  it.each([
    ['that whoever creates a push chooses', FLAG],
    ['of a push that is sealed for its owner', OWNER_TEXT],
    ['that whoever asks for a secret chooses', OF_REQUESTS],
  ])(
    '%s, has all its places named by the compiler, one after the other',
    (_kind, steps) => {
      const changed = new Map<string, string>();
      expect(namedIn(unchanged)).toEqual([]);
      for (const [file, insertions, named] of steps) {
        const path = resolve(file);
        for (const [before, text] of insertions) {
          const current = changed.get(path) ?? ts.sys.readFile(path) ?? '';
          expect(current.split(before)).toHaveLength(2);
          changed.set(
            path,
            current.replace(before, () => text + before),
          );
        }
        expect([file, namedIn(programWith(changed, unchanged)).sort()]).toEqual([file, named.sort()]);
      }
    },
    300_000,
  ); // it checks the types of a part of the project for each step
});

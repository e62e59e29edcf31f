import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { parseFragment } from '../../packages/client/src/end-to-end/fragment.js';
import { decryptPayload } from '../../packages/client/src/end-to-end/payload.js';
import { proofOf } from '../../packages/client/src/end-to-end/secret.js';
import { WebhooksService } from '../../src/features/webhooks/webhooks.service.js';
import { DownloadsService } from '../../src/files/downloads.service.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { FilesService } from '../../src/files/files.service.js';
import type { Ticket } from '../../src/files/tickets.js';
import { MessageSeal } from '../../src/platform/outbox/message-seal.js';
import { OutboxMessage } from '../../src/platform/outbox/outbox-message.entity.js';
import { Push } from '../../src/pushes/push/push.entity.js';
import { PushSeal, WrongPassphrase } from '../../src/pushes/push/push-seal.js';
import type { EndToEndPush } from '../support/end-to-end-push.js';
import { pushEndToEnd } from '../support/end-to-end-push.js';
import { pushFiles } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import type { RunningApp } from '../support/start-app.js';
import { startApp } from '../support/start-app.js';

const NO_CLIENT = '192.0.2.1';

const newMarker = (what: string) => `${what} ${randomBytes(9).toString('hex')}`;
/** Without what is longer or shorter than a proof, or than what follows `#` in a link. */
const PROOFS_AND_FRAGMENTS = /(?<![\w-])[\w-]{43,44}(?![\w-])/g;

describe('A thief of the database, the files and the master key', () => {
  const running = forAllTests(() => startApp({ LOG_LEVEL: 'error' }));
  /** Markers, and keys of links, of twenty pushes that browsers have encrypted. */
  const encrypted: string[] = [];
  /** Of one whose link its owner has kept in the note of another push. */
  const withLinkInNote: string[] = [];
  const ofPlainPush = [newMarker('text'), newMarker('name of a file.txt'), newMarker('content of a file')];
  const forOwners = [newMarker('name'), newMarker('note')];
  let found: Buffer;

  beforeAll(async () => {
    const { client: owner, id: ownerId } = await running.newUser();
    await running.app.get(WebhooksService).add(ownerId, {
      url: 'https://example.org/hook',
      events: ['push.created', 'push.retrieved', 'push.failed_passphrase'],
    });
    for (let i = 0; i < 20; i++) {
      const isOwned = i % 2 === 0;
      const [text, fileName, content] = [newMarker('text'), newMarker('name'), newMarker('content')];
      const files = isOwned && i < 8 ? [{ name: fileName, content }] : [];
      const passphrase = i === 19 ? newMarker('passphrase') : '';
      const kind = files.length > 0 ? 'file' : 'text';
      const [name = '', note = ''] = forOwners;
      const push = await pushEndToEnd(
        isOwned ? owner : running.anonymous,
        { kind, text, files, passphrase },
        { name, note },
      );
      encrypted.push(text, ...secretsOf(push));
      if (files.length > 0) encrypted.push(fileName, content);
      if (passphrase !== '') encrypted.push(passphrase);
      await running.anonymous.retrieve(push.urlToken, push.proof);
      await running.anonymous.retrieve(push.urlToken, randomBytes(32).toString('base64url'));
    }

    const [text = '', name = '', content = ''] = ofPlainPush;
    await pushFiles(owner, [{ name, content }], { payload: text });
    const kept = newMarker('text');
    const { link } = await pushEndToEnd(running.anonymous, { text: kept });
    withLinkInNote.push(kept);
    await owner.push({ payload: 'tulip', note: `do not forget ${link}` });
    found = Buffer.concat(await everythingFoundIn(running));
  });

  const isFound = (secret: string) =>
    (['utf8', 'base64', 'base64url', 'hex'] as const).some((encoding) =>
      found.includes(Buffer.from(secret).toString(encoding).replace(/=+$/, '')),
    ) || found.includes(Buffer.from(secret, 'base64url')); // of a proof or a key, its bytes

  it('finds nothing that a browser has encrypted, and neither proof nor key of its link', () => {
    expect(encrypted.length).toBe(20 + 2 * 20 + 2 * 4 + 1);
    expect(encrypted.filter(isFound)).toEqual([]);
  });

  it('finds pushes that are not protected, with their files, and names and notes of all that have an owner', () => {
    expect([...ofPlainPush, ...forOwners].map(isFound)).toEqual(Array(5).fill(true));
  });

  it('opens what a browser has encrypted as soon as its link is anywhere', () => {
    expect(withLinkInNote.map(isFound)).toEqual([true]);
  });
});

/** Of its link: what is sent to the server, and what is not. */
function secretsOf({ proof, fragment }: EndToEndPush): string[] {
  return [proof, fragment.slice(1)];
}

/** All rows and files as they are, and all that our own code unseals of them without having seen a link. */
async function everythingFoundIn({ app, dataSource, instance }: RunningApp): Promise<Buffer[]> {
  const seal = app.get(PushSeal);
  const rows = await rowsOf(dataSource.entityMetadatas, (sql) => dataSource.query(sql));
  const messages = await dataSource.manager.find(OutboxMessage);
  const pushes = await dataSource.manager
    .createQueryBuilder(Push, 'push')
    .addSelect('push.payload')
    .getMany();
  const texts = [
    ...messages.filter(({ sealed }) => sealed).map((message) => app.get(MessageSeal).unseal(message)),
    ...pushes.filter(({ ownerKey }) => ownerKey.length > 0).map((push) => seal.unsealOwnerFields(push)),
  ].map((values) => Buffer.from(JSON.stringify(values)));
  const found = [...rows, ...(await filesIn(instance.dataDir)), ...texts];

  const candidates = new Set(
    [...rows, ...texts].flatMap((bytes) => bytes.toString('latin1').match(PROOFS_AND_FRAGMENTS) ?? []),
  );
  for (const push of pushes) {
    found.push(...wrappedKeyOf(seal, push));
    for (const candidate of push.passphraseSalt ? candidates : [''])
      found.push(...(await opened(app, push, candidate)));
  }
  return found;
}

async function rowsOf(
  tables: { tableName: string }[],
  query: (sql: string) => Promise<Record<string, unknown>[]>,
): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for (const { tableName } of tables)
    for (const row of await query(`SELECT * FROM ${tableName}`))
      for (const value of Object.values(row))
        found.push(Buffer.isBuffer(value) ? value : Buffer.from(String(value)));
  return found;
}

async function filesIn(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
  );
}

/** The data key, which is still wrapped by the proof if there is one, without the layer of the master key. */
function wrappedKeyOf(seal: PushSeal, push: Push): Buffer[] {
  return push.dataKey ? [seal['unwrapDataKey'](push, push.dataKey)] : [];
}

/** The payload and the files of a push, unsealed and decrypted as far as a proof, or what follows `#` in a link, does it. */
async function opened(app: RunningApp['app'], push: Push, candidate: string): Promise<Buffer[]> {
  const fragment = parseFragment(candidate);
  const proof = fragment?.needsPassphrase === false ? await proofOf(fragment, '') : candidate;
  try {
    const { payload, dataKey } = await app.get(PushSeal).unseal(push, proof, NO_CLIENT);
    const texts = [
      payload,
      ...(fragment ? [JSON.stringify(await decryptPayload(payload, fragment, ''))] : []),
    ];
    return [...texts.map((text) => Buffer.from(text)), ...(await filesOf(app, push, dataKey))];
  } catch (error) {
    if (error instanceof WrongPassphrase) return [];
    throw error;
  }
}

async function filesOf(app: RunningApp['app'], { id }: Push, dataKey: Buffer): Promise<Buffer[]> {
  const found: Buffer[] = [];
  for (const file of await app.get(DataSource).manager.findBy(StoredFile, { pushId: id })) {
    const ticket = { dataKey } as Ticket;
    const content = await app.get(DownloadsService).open({ ticket, file }, { start: 0, end: file.size - 1 });
    found.push(Buffer.from(app.get(FilesService).describe(file, dataKey).filename), await buffer(content));
  }
  return found;
}

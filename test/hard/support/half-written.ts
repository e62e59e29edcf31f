import { connectBeside } from '../../support/other-connection.js';
import type { Place } from '../../support/place.js';
import { STORES } from '../../support/stores.js';

/** What only half of a unit of work would leave behind; `audited` stands for entries of the kind. */
const QUESTIONS = {
  'pushes without their one creation entry': audited('creation', '1'),
  'views that were counted and not audited, or the other way round': audited('view', 'p.views_counted'),
  'deletes without their entry': audited('expire', 'p.deleted'),
  'ended pushes that keep their secret':
    'SELECT id FROM pushes WHERE expired_on IS NOT NULL AND (payload IS NOT NULL OR data_key IS NOT NULL)',
  'pushes that lack a file':
    'SELECT p.id FROM pushes p LEFT JOIN files f ON f.push_id = p.id WHERE p.expired_on IS NULL ' +
    'GROUP BY p.id, p.files_count HAVING COUNT(f.id) <> p.files_count',
  'files without a push': 'SELECT id FROM files WHERE push_id NOT IN (SELECT id FROM pushes)',
};

function audited(kind: string, count: string): string {
  return (
    'SELECT p.id FROM pushes p LEFT JOIN audit_entries a ON a.push_id = p.id ' +
    `AND a.kind = '${kind}' GROUP BY p.id, p.views_counted, p.deleted HAVING COUNT(a.id) <> ${count}`
  );
}

/** The ids of rows that are not whole, by what they lack. */
export async function halfWritten(place: Place): Promise<Record<string, string[]>> {
  const other = await connectBeside(place);
  const found: Record<string, string[]> = {};
  for (const [name, question] of Object.entries(QUESTIONS)) {
    const rows = await other.query(question);
    if (rows.length > 0) found[name] = rows.map(({ id }) => id);
  }
  const files = await other.query('SELECT id, storage_key FROM files WHERE ended_on IS NULL');
  await other.close();

  const stored = await storedKeys(place);
  const lost = files.filter(({ storage_key }) => !stored.has(storage_key));
  if (lost.length > 0) found['files without bytes'] = lost.map(({ id }) => id);
  return found;
}

async function storedKeys(place: Place): Promise<Set<string | undefined>> {
  const [[, startDisk]] = STORES as [(typeof STORES)[number]];
  const paths = await (await startDisk(place)).paths();
  return new Set(paths.map((path) => path.split('/').at(-1)));
}

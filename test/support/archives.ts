import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { makeFolder } from './folder.js';
import { PageClient } from './page-client.js';

const run = promisify(execFile);

/** An entry as Python's zipfile reads it, with the digest of its content. */
export interface ZipEntry {
  name: string;
  size: number;
  digest: string;
  isUtf8: boolean;
}

const READ_ENTRIES = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    print(json.dumps([
        dict(name=entry.filename, size=entry.file_size, isUtf8=bool(entry.flag_bits & 0x800),
             digest=hashlib.sha256(archive.read(entry)).hexdigest())
        for entry in archive.infolist()
    ]))
`;

/** The entries of an archive, after `unzip` has checked it too. */
export async function readZip(bytes: Buffer): Promise<ZipEntry[]> {
  const folder = await makeFolder();
  try {
    const path = folder.file(bytes);
    await run('unzip', ['-tqq', path]);
    const { stdout } = await run('python3', ['-c', READ_ENTRIES, path], { maxBuffer: 16 * 1024 * 1024 });
    return JSON.parse(stdout) as ZipEntry[];
  } finally {
    await folder.destroy();
  }
}

/** The link to all files that the page of a push has; opening the page uses up a view. */
export async function archiveLink(url: string, urlToken: string): Promise<string> {
  const { body } = await new PageClient(url).post(`/p/${urlToken}`);
  return /href="(http[^"]+\/files\/all\/[\w-]+)"/.exec(body)?.[1] ?? '';
}

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { syncFolder, writeDurably } from '../database/engine/durable-files.js';
import { Refusal } from '../errors/refusal.js';

/**
 * Writes text to standard output, as fast as it is read there.
 * @throws Refusal
 */
export async function writeToStream(
  parts: AsyncIterable<string>,
  stdout: NodeJS.WritableStream,
): Promise<void> {
  try {
    await pipeline(Readable.from(parts), stdout, { end: false });
  } catch (error) {
    throw outputErrorOf(error as NodeJS.ErrnoException);
  }
}

/** The error of standard output as a Refusal; any other as it is. */
export function outputErrorOf(error: NodeJS.ErrnoException): Error {
  const { code = '' } = error;
  return /^(EPIPE|ENOSPC|EIO|ERR_STREAM_.*)$/.test(code)
    ? new Refusal(`Standard output cannot be written (${code}).`)
    : error;
}

/**
 * Writes text to a new file, which gets its name when it is complete and on the disk.
 * @throws Refusal
 */
export async function writeToNewFile(parts: AsyncIterable<string>, path: string): Promise<void> {
  if (existsSync(path)) throw alreadyExists(path);
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    const file = await createFile(unfinished);
    try {
      await writeDurably(parts, file);
      await giveName(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
    await syncFolder(dirname(path));
  } catch (error) {
    throw explained(path, error);
  }
}

/** Readable only by its owner, like the database itself. */
function createFile(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600);
}

/** `link` fails if somebody has created the file in the meantime, but not every file system has it. */
async function giveName(unfinished: string, path: string): Promise<void> {
  try {
    await link(unfinished, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await rename(unfinished, path);
  }
}

function explained(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error; // not of the file
  return code === 'EEXIST'
    ? alreadyExists(path)
    : new Refusal(`${path} cannot be written (${code ?? 'unknown'}).`);
}

function alreadyExists(path: string): Refusal {
  return new Refusal(`${path} already exists, and nothing is overwritten.`);
}

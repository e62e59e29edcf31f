import { access, constants, mkdir } from 'node:fs/promises';
import { StartError } from '../../settings/start-error.js';

/**
 * Creates the folder of the service's data for its user alone, unless it exists.
 * @throws StartError when nothing can be written there
 */
export async function makeDataFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`DATA_DIR ${path} cannot be created${byUser()} (${codeOf(error)}).`);
  }
  await assertWritable(path, constants.X_OK);
}

/** @throws StartError when the file or folder exists and cannot be read and written by the user of the process */
export async function assertWritable(path: string, also = 0): Promise<void> {
  try {
    await access(path, constants.R_OK | constants.W_OK | also);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return;
    throw new StartError(
      `${path} cannot be read and written${byUser()} (${code}): ` +
        `change its owner or mode, or start the service as another user.`,
    );
  }
}

/** Windows has no ids of users. */
function byUser(): string {
  const id = process.getuid?.();
  return id === undefined ? '' : ` by user ${id}`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

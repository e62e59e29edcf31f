import { explainStartError } from './explain-start-error.js';

const failed = (code: string) => Object.assign(new Error('x'), { driverError: { code } });

describe('The reason why a process does not start', () => {
  it.each([
    'SQLITE_BUSY',
    'SQLITE_BUSY_RECOVERY',
    'SQLITE_PROTOCOL',
    'SQLITE_IOERR_LOCK',
    'SQLITE_IOERR_RDLOCK',
    'SQLITE_IOERR_UNLOCK',
    'SQLITE_IOERR_CHECKRESERVEDLOCK',
    'SQLITE_IOERR_SHMMAP',
    'SQLITE_IOERR_SHMOPEN',
  ])('is that DATA_DIR must be on a local disk, if the database cannot be locked there: %s', (code) => {
    expect(explainStartError(failed(code))).toMatch(
      new RegExp(
        `^The database in DATA_DIR cannot be locked[^\n]* \\(${code}\\): [^\n]* network share [^\n]*\\. ` +
          'Put DATA_DIR on a local disk, or use a database server \\(DATABASE_URL\\)\\.$',
      ),
    );
  });

  it('is the disk, if anything else on it fails', () => {
    expect(explainStartError(failed('SQLITE_IOERR_WRITE'))).toBe(
      'The database in DATA_DIR cannot be read or written (SQLITE_IOERR_WRITE): its disk is full or fails.',
    );
  });
});

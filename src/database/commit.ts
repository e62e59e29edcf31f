import type { QueryFailedError, QueryRunner } from 'typeorm';
import { isAnswerLost, Unconfirmed } from './database-error.js';
import { runStatement } from './statements.js';

/** @throws Unconfirmed when the work may be kept all the same */
export async function commit(runner: QueryRunner): Promise<void> {
  try {
    await runStatement(runner, 'COMMIT');
  } catch (error) {
    if (!isAnswerLost(error)) throw error;
    throw new Unconfirmed('COMMIT', [], (error as QueryFailedError).driverError);
  }
}

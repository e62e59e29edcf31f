import { CommitOutcomeUnknown } from '../../src/platform/database/errors/database-error.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import { StoredFile } from '../../src/files/file.entity.js';
import { formOf } from '../support/files.js';
import { forAllTests } from '../support/for-tests.js';
import { startWithStore } from '../support/start-with-store.js';
import { STORES } from '../support/stores.js';

describe.each(STORES)(
  'Files on %s whose rows were committed just before the database connection was lost',
  (_store, start) => {
    const running = forAllTests(() => startWithStore(start));

    it('are not removed', async () => {
      const unitOfWork = running.app.get(UnitOfWork);
      const write = unitOfWork.write.bind(unitOfWork);
      const lost = Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST', fatal: true });
      jest.spyOn(unitOfWork, 'write').mockImplementation(async (rows) => {
        await write(rows);
        throw new CommitOutcomeUnknown('COMMIT', [], lost);
      });
      const answer = await running.user.client.post(
        '/api/v2/pushes',
        formOf([{ name: 'a.txt', content: 'hello' }]),
      );

      expect(answer.status).toBe(503);
      const [file] = await running.dataSource.manager.find(StoredFile);
      expect(await running.store.paths()).toEqual([expect.stringContaining(file?.storageKey ?? 'no row')]);
    });
  },
);

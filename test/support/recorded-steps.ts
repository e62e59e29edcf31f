import { Pace } from '../../src/platform/database/pace.js';
import { UnitOfWork } from '../../src/platform/database/transactions/unit-of-work.js';
import type { RunningApp } from './start-app.js';

/**
 * From now on records by how much each transaction reduces a count, and each pause between them, which it leaves out.
 * To be followed by `jest.restoreAllMocks`.
 */
export function recordSteps({ app }: RunningApp, left: () => Promise<number>): (number | 'pause')[] {
  const steps: (number | 'pause')[] = [];
  const unitOfWork = app.get(UnitOfWork);
  const run = unitOfWork.run.bind(unitOfWork);
  jest.spyOn(unitOfWork, 'run').mockImplementation(async (work) => {
    const before = await left();
    const result = await run(work);
    steps.push(before - (await left()));
    return result;
  });
  jest.spyOn(Pace.prototype, 'pause').mockImplementation(() => {
    steps.push('pause');
    return Promise.resolve();
  });
  return steps;
}

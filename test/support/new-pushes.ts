import { Push } from '../../src/pushes/push/push.entity.js';
import type { Visitor } from '../../src/platform/http/visitor.js';
import type { NewPush } from '../../src/pushes/create/create-push.dto.js';
import { newPushFrom } from '../../src/pushes/create/create-push.dto.js';
import type { RunningApp } from './start-app.js';

/** The time that many milliseconds after another, or before it if negative. */
export function after(time: Date, milliseconds: number): Date {
  return new Date(time.getTime() + milliseconds);
}

/** For tests that call the services directly because they set its creation time. */
export function someNewPush(fields: Partial<NewPush> = {}): NewPush {
  const days = fields.expireAfterDays ?? 7;
  const defaults = { days, views: 5, deletableByViewer: false, retrievalStep: false };
  return { ...newPushFrom({ payload: 'correct horse' }, defaults), ...fields };
}

/** A visitor, for tests that call the services directly. */
export function someVisitor(visitor: Partial<Visitor> = {}): Visitor {
  return { ip: '192.0.2.1', userAgent: '', referrer: '', baseUrl: 'https://push.example.org', ...visitor };
}

export function newestPush({ dataSource }: RunningApp): Promise<Push> {
  return dataSource.manager.findOneOrFail(Push, { where: {}, order: { id: 'DESC' } });
}

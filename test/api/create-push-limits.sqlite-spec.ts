import { forAllTests } from '../support/for-tests.js';
import { startApp } from '../support/start-app.js';
import { DAY_MS, MINUTE_MS } from '../../src/platform/settings/units.js';

/** Values that are not whole numbers, or out of range in any configuration. */
const INVALID_LIMITS = [
  0,
  -1,
  1.5,
  1e9,
  1e308,
  '1.5',
  'NaN',
  'Infinity',
  '0x10',
  '1e1',
  ' ',
  'ten',
  true,
  [7],
  {},
];

const fieldsAbout = (push: any) => ({
  days: push.expire_after_days,
  lifetime: Date.parse(push.expires_at) - Date.parse(push.created_at),
});

describe('The limits of a push', () => {
  const running = forAllTests(startApp);
  const create = (push: object) =>
    running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip', ...push } });

  it.each([1, 90, '1', '90', 7.0, ' 7 '])('allow %p days', async (days) => {
    const { status, body } = await create({ expire_after_days: days });

    expect(status).toBe(201);
    expect(fieldsAbout(body)).toEqual({ days: Number(days), lifetime: Number(days) * DAY_MS });
  });

  it.each([1, 100, '1', '100'])('allow %p views', async (views) => {
    const { status, body } = await create({ expire_after_views: views });

    expect(status).toBe(201);
    expect(body).toMatchObject({ expire_after_views: Number(views), views_remaining: Number(views) });
  });

  it.each([91, ...INVALID_LIMITS])('reject %p days and report the bounds (A3)', async (days) => {
    const { status, body } = await create({ expire_after_days: days });

    expect(status).toBe(422);
    expect(body).toEqual({ expire_after_days: ['must be a whole number from 1 to 90'] });
  });

  it.each([101, ...INVALID_LIMITS])('reject %p views and report the bounds (A3)', async (views) => {
    const { status, body } = await create({ expire_after_views: views });

    expect(status).toBe(422);
    expect(body).toEqual({ expire_after_views: ['must be a whole number from 1 to 100'] });
  });

  it('reject a number that overflows to infinity (A3)', async () => {
    const { status, body } = await running.anonymous.post(
      '/api/v2/pushes',
      '{"push":{"payload":"tulip","expire_after_days":1e999,"expire_after_views":-1e999}}',
    );

    expect(status).toBe(422);
    expect(body).toEqual({
      expire_after_days: ['must be a whole number from 1 to 90'],
      expire_after_views: ['must be a whole number from 1 to 100'],
    });
  });

  it.each([
    [0, 15],
    [1, 30],
    [2, 45],
    [3, 60],
    [4, 6 * 60],
    [5, 12 * 60],
  ])('treat duration %i as %i minutes, reported as a day', async (duration, minutes) => {
    const { body } = await create({ expire_after_duration: duration });

    expect(fieldsAbout(body)).toEqual({ days: 1, lifetime: minutes * MINUTE_MS });
    expect(body.days_remaining).toBe(1);
  });

  it.each([
    [6, 1],
    [7, 2],
    [8, 3],
    [9, 4],
    [10, 5],
    [11, 6],
    ['12', 7],
    [13, 14],
    [14, 21],
    [15, 30],
    [16, 60],
    [17, 90],
  ])('treat duration %p as %i days', async (duration, days) => {
    const { body } = await create({ expire_after_duration: duration });

    expect(fieldsAbout(body)).toEqual({ days, lifetime: days * DAY_MS });
  });

  it('use the days when both days and a duration are given', async () => {
    const { body } = await create({ expire_after_days: 3, expire_after_duration: 0 });

    expect(fieldsAbout(body)).toEqual({ days: 3, lifetime: 3 * DAY_MS });
  });

  it('use the duration when days are null', async () => {
    const { body } = await create({ expire_after_days: null, expire_after_duration: 0 });

    expect(fieldsAbout(body)).toEqual({ days: 1, lifetime: 15 * MINUTE_MS });
  });

  it.each([18, -1, 1.5, ' ', 'day', true, [6], {}])('reject duration %p (A3)', async (duration) => {
    const { status, body } = await create({ expire_after_duration: duration });

    expect(status).toBe(422);
    expect(body).toEqual({ expire_after_duration: ['must be a whole number from 0 to 17'] });
  });
});

describe('The limits of a push with bounds set by the operator', () => {
  const running = forAllTests(() =>
    startApp({
      EXPIRE_AFTER_DAYS_MIN: '2',
      EXPIRE_AFTER_DAYS_MAX: '30',
      EXPIRE_AFTER_VIEWS_MIN: '3',
      EXPIRE_AFTER_VIEWS_MAX: '10',
    }),
  );
  const create = (push: object) =>
    running.anonymous.post('/api/v2/pushes', { push: { payload: 'tulip', ...push } });

  it.each([
    ['expire_after_days', 2],
    ['expire_after_days', 30],
    ['expire_after_views', 3],
    ['expire_after_views', 10],
    ['expire_after_duration', 7],
    ['expire_after_duration', 15],
  ])('allow %s of %i', async (field, value) => {
    expect((await create({ [field]: value })).status).toBe(201);
  });

  it.each([
    ['expire_after_days', 1, 'must be a whole number from 2 to 30'],
    ['expire_after_days', 31, 'must be a whole number from 2 to 30'],
    ['expire_after_views', 2, 'must be a whole number from 3 to 10'],
    ['expire_after_views', 11, 'must be a whole number from 3 to 10'],
    ['expire_after_duration', 0, 'must stand for 2 to 30 days'],
    ['expire_after_duration', 5, 'must stand for 2 to 30 days'],
    ['expire_after_duration', 6, 'must stand for 2 to 30 days'],
    ['expire_after_duration', 16, 'must stand for 2 to 30 days'],
  ])('reject %s of %i', async (field, value, message) => {
    const { status, body } = await create({ [field]: value });

    expect(status).toBe(422);
    expect(body).toEqual({ [field]: [message] });
  });
});

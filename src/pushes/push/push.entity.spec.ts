import { Push } from './push.entity.js';
import { DAY_MS, HOUR_MS } from '../../platform/settings/units.js';

const CREATED = new Date('2026-01-01T00:00:00.000Z');
const ENDS = new Date('2026-01-08T00:00:00.000Z');
const DURING = new Date('2026-01-03T12:00:00.000Z');
const JUST_BEFORE = new Date(ENDS.getTime() - 1);
const LATER = new Date(ENDS.getTime() + DAY_MS);
const ENDED = { ended: true, payload: null, dataKey: null, passphraseSalt: null };

function aPush(columns: Partial<Push> = {}): Push {
  return Object.assign(new Push(), {
    id: 'id',
    userId: null,
    dataKey: Buffer.from('key'),
    payload: Buffer.from('payload'),
    passphraseSalt: null,
    recipients: null,
    expireAfterDays: 7,
    expireAfterViews: 3,
    expireAfterFirstView: null,
    opensAt: null,
    allowedNetworks: null,
    deletableByViewer: false,
    retrievalStep: false,
    clientEncrypted: false,
    viewsCounted: 0,
    lastViewedAt: null,
    createdAt: CREATED,
    updatedAt: CREATED,
    expiresAt: ENDS,
    expiredOn: null,
    ended: false,
    deleted: false,
    ...columns,
  });
}

describe('A push', () => {
  it('is active until the last millisecond of its last day (A5)', () => {
    expect(aPush().isExpired(JUST_BEFORE)).toBe(false);
    expect(aPush().isExpired(ENDS)).toBe(true);
    expect(aPush().isExpired(LATER)).toBe(true);
  });

  it('stays expired when the clock is set back (A5)', () => {
    expect(aPush({ expiredOn: ENDS }).isExpired(CREATED)).toBe(true);
  });

  it('needs the code of a recipient from everybody but its owner, if it names any', () => {
    const named = { recipients: Buffer.from('sealed'), userId: 'ada' };

    expect(aPush(named).needsCodeOf('ada')).toBe(false);
    expect(aPush(named).needsCodeOf('bob')).toBe(true);
    expect(aPush(named).needsCodeOf(undefined)).toBe(true);
    expect(aPush({ ...named, userId: null }).needsCodeOf(undefined)).toBe(true);
    expect(aPush({ userId: 'ada' }).needsCodeOf(undefined)).toBe(false);
  });

  it('can have other recipients while it is active, if it names any (A4)', () => {
    const [before, after] = [Buffer.from('before'), Buffer.from('after')];
    const change = (columns: Partial<Push>, now: Date) => aPush(columns).replaceRecipients(after, now);

    expect(change({ recipients: before }, JUST_BEFORE)).toEqual({
      recipients: after,
      updatedAt: JUST_BEFORE,
    });
    expect(change({ recipients: before }, ENDS)).toBeUndefined();
    expect(change({ recipients: before, expiredOn: DURING }, DURING)).toBeUndefined();
    expect(change({}, DURING)).toBeUndefined();
  });

  it('counts the days left by the clock only, rounded up, and never below 0 (A5)', () => {
    const daysLeft = (now: Date) => aPush({ expiredOn: DURING, deleted: true }).daysRemaining(now);

    expect(daysLeft(CREATED)).toBe(7);
    expect(daysLeft(new Date(CREATED.getTime() + 1))).toBe(7);
    expect(daysLeft(new Date(CREATED.getTime() + DAY_MS - 1))).toBe(7);
    expect(daysLeft(new Date(CREATED.getTime() + DAY_MS))).toBe(6);
    expect(daysLeft(JUST_BEFORE)).toBe(1);
    expect(daysLeft(ENDS)).toBe(0);
    expect(daysLeft(LATER)).toBe(0);
  });

  it('counts the views left by its views only, and never below 0', () => {
    expect(aPush().viewsRemaining()).toBe(3);
    expect(aPush({ viewsCounted: 2, expiredOn: DURING, deleted: true }).viewsRemaining()).toBe(1);
    expect(aPush({ viewsCounted: 3 }).viewsRemaining()).toBe(0);
    expect(aPush({ viewsCounted: 4 }).viewsRemaining()).toBe(0);
  });

  it('reports when it ended, whether or not the end has been recorded (A5)', () => {
    expect(aPush().endedOn(JUST_BEFORE)).toBeNull();
    expect(aPush().endedOn(LATER)).toEqual(ENDS);
    expect(aPush({ expiredOn: DURING }).endedOn(LATER)).toEqual(DURING);
  });

  it('reports its last view or its end as its last change', () => {
    expect(aPush({ updatedAt: DURING }).lastChangedOn(JUST_BEFORE)).toEqual(DURING);
    expect(aPush({ updatedAt: DURING }).lastChangedOn(LATER)).toEqual(ENDS);
    expect(aPush({ updatedAt: DURING, expiredOn: DURING }).lastChangedOn(LATER)).toEqual(DURING);
  });

  it('requires a passphrase only while it is active', () => {
    const salt = Buffer.from('salt');

    expect(aPush().isProtected(CREATED)).toBe(false);
    expect(aPush({ passphraseSalt: salt }).isProtected(JUST_BEFORE)).toBe(true);
    expect(aPush({ passphraseSalt: salt }).isProtected(ENDS)).toBe(false);
  });

  it('belongs to its owner only, and to no user when it has none (C1)', () => {
    expect(aPush({ userId: 'ann' }).isOwnedBy('ann')).toBe(true);
    expect(aPush({ userId: 'ann' }).isOwnedBy('bob')).toBe(false);
    expect(aPush({ userId: 'ann' }).isOwnedBy(undefined)).toBe(false);
    expect(aPush().isOwnedBy(undefined)).toBe(false);
  });

  it('may be deleted by its owner, and by anyone when it is deletable by viewers (C1)', () => {
    expect(aPush({ userId: 'ann' }).mayBeDeletedBy('ann')).toBe(true);
    expect(aPush({ userId: 'ann' }).mayBeDeletedBy('bob')).toBe(false);
    expect(aPush().mayBeDeletedBy(undefined)).toBe(false);
    expect(aPush({ deletableByViewer: true }).mayBeDeletedBy(undefined)).toBe(true);
  });
});

describe('Viewing a push', () => {
  it('counts one view', () => {
    expect(aPush().view(DURING)).toEqual({
      viewsCounted: 1,
      lastViewedAt: DURING,
      updatedAt: DURING,
    });
  });

  it('ends and shreds it with the last view', () => {
    expect(aPush({ viewsCounted: 2 }).view(DURING)).toEqual({
      viewsCounted: 3,
      lastViewedAt: DURING,
      updatedAt: DURING,
      expiredOn: DURING,
      ...ENDED,
    });
  });

  it('is possible until the last millisecond and not after (A5)', () => {
    expect(aPush().view(JUST_BEFORE)).toMatchObject({ viewsCounted: 1, lastViewedAt: JUST_BEFORE });
    expect(aPush().view(ENDS)).toBeUndefined();
  });

  it('is impossible once it has ended', () => {
    expect(aPush({ expiredOn: DURING }).view(DURING)).toBeUndefined();
  });

  it('does not modify the push object', () => {
    const push = aPush({ viewsCounted: 2 });
    push.view(DURING);

    expect(push).toEqual(aPush({ viewsCounted: 2 }));
  });
});

describe('A push that ends some hours after its first view', () => {
  const hours = (hours: number, columns: Partial<Push> = {}) =>
    aPush({ expireAfterFirstView: hours, ...columns });
  const later = (time: Date, hours: number) => new Date(time.getTime() + hours * HOUR_MS);

  it('gets that end by its first view', () => {
    expect(hours(4).view(DURING)).toEqual({
      viewsCounted: 1,
      lastViewedAt: DURING,
      updatedAt: DURING,
      expiresAt: later(DURING, 4),
    });
  });

  it('keeps its end at later views', () => {
    expect(hours(4, { viewsCounted: 1 }).view(DURING)).not.toHaveProperty('expiresAt');
  });

  it('never gets a later end (A4)', () => {
    const justBefore = new Date(later(ENDS, -4).getTime() - 1);

    expect(hours(4).view(justBefore)).toMatchObject({ expiresAt: later(justBefore, 4) });
    expect(hours(4).view(later(ENDS, -4))).toMatchObject({ expiresAt: ENDS });
    expect(hours(4).view(JUST_BEFORE)).toMatchObject({ expiresAt: ENDS });
  });

  it('does not end by views of its owner that do not count', () => {
    expect(hours(4, { ownerViewsAudited: 0 }).viewUncounted(DURING)).toEqual({ ownerViewsAudited: 1 });
  });
});

describe('A push is refused', () => {
  it('before the millisecond in which it opens (A5)', () => {
    const push = aPush({ opensAt: DURING });

    expect(push.refusalFor('192.0.2.1', CREATED)).toEqual({ reason: 'not yet', opensAt: DURING });
    expect(push.refusalFor('192.0.2.1', new Date(DURING.getTime() - 1))).toBeDefined();
    expect(push.refusalFor('192.0.2.1', DURING)).toBeUndefined();
  });

  it('outside its networks, also before it opens (B2)', () => {
    const push = aPush({ allowedNetworks: ['192.0.2.0/24', '2001:db8::/32'], opensAt: DURING });

    expect(push.refusalFor('198.51.100.1', LATER)).toEqual({ reason: 'network' });
    expect(push.refusalFor('198.51.100.1', CREATED)).toEqual({ reason: 'network' });
    expect(push.refusalFor('2001:db8::1', LATER)).toBeUndefined();
    expect(push.refusalFor('192.0.2.1', CREATED)).toMatchObject({ reason: 'not yet' });
  });

  it('everywhere when its networks cannot be read or its client is not known (B2)', () => {
    expect(aPush({ allowedNetworks: ['damaged'] }).refusalFor('192.0.2.1', DURING)).toBeDefined();
    expect(aPush({ allowedNetworks: ['0.0.0.0/0', '::/0'] }).refusalFor('', DURING)).toBeDefined();
  });
});

describe('Lowering the limits of a push', () => {
  it('allows as many views as are promised at most, and more than are counted (A4)', () => {
    const allowed = [NaN, -1, 0, 1, 2, 2.5, 3, 4].filter((views) =>
      aPush({ viewsCounted: 1 }).mayAllow(views),
    );

    expect(allowed).toEqual([2, 3]);
  });

  it('ends it in the future, not later than promised, and after it opens (A4)', () => {
    const push = aPush({ opensAt: DURING });
    const opened = new Date(DURING.getTime() + 1);
    const times = [CREATED, DURING, opened, JUST_BEFORE, ENDS, LATER, new Date(NaN)];

    expect(times.filter((end) => push.mayEndOn(end, CREATED))).toEqual([opened, JUST_BEFORE, ENDS]);
    expect(push.mayEndOn(JUST_BEFORE, JUST_BEFORE)).toBe(false);
    expect(push.mayEndOn(ENDS, JUST_BEFORE)).toBe(true);
  });

  it('changes both, and the days to those until the new end', () => {
    const twoDays = new Date(CREATED.getTime() + 2 * DAY_MS);

    expect(aPush().lower({ views: 2, end: twoDays }, CREATED)).toEqual({
      expireAfterViews: 2,
      expiresAt: twoDays,
      expireAfterDays: 2,
      updatedAt: CREATED,
    });
  });

  it('changes nothing when the limits are so already', () => {
    expect(aPush().lower({}, DURING)).toBeUndefined();
    expect(aPush().lower({ views: 3, end: new Date(ENDS) }, DURING)).toBeUndefined();
  });
});

describe('Deleting a push', () => {
  it('ends and shreds it immediately', () => {
    expect(aPush().delete(DURING)).toEqual({
      deleted: true,
      expiredOn: DURING,
      updatedAt: DURING,
      ...ENDED,
    });
  });

  it('changes nothing the second time', () => {
    expect(aPush({ deleted: true, expiredOn: DURING }).delete(LATER)).toBeUndefined();
  });

  it('keeps the end time of a push that its views have ended', () => {
    expect(aPush({ expiredOn: DURING, updatedAt: DURING }).delete(JUST_BEFORE)).toEqual({
      deleted: true,
      expiredOn: DURING,
      updatedAt: DURING,
      ...ENDED,
    });
  });

  it('keeps the end time of a push that its time limit has ended, recorded or not', () => {
    const kept = { deleted: true, expiredOn: ENDS, updatedAt: ENDS, ...ENDED };

    expect(aPush({ updatedAt: DURING }).delete(LATER)).toEqual(kept);
    expect(aPush({ updatedAt: ENDS, expiredOn: ENDS }).delete(LATER)).toEqual(kept);
  });
});

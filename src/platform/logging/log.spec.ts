import { OutageLog } from './log.js';

const TEXTS = { begins: 'It fails', ends: 'It works' };
const refused = Object.assign(new Error('tulip'), { code: 'ECONNREFUSED' });

describe('The log of an outage', () => {
  let lines: unknown[][];
  let outage: OutageLog;

  const make = (reasonOf?: (error: unknown) => string) =>
    new OutageLog(
      {
        error: (message, stack) => lines.push(['error', message, stack?.split('\n')[0]]),
        warning: (message, facts) => lines.push(['warning', message, facts]),
      },
      { ...TEXTS, reasonOf },
    );
  const failEach = (milliseconds: number, from: number, to: number) => {
    for (let now = from; now < to; now += milliseconds) outage.failed(refused, now);
  };

  beforeEach(() => {
    lines = [];
    outage = make();
  });

  it('has a line when it begins, one every ten seconds, and one when it is over', () => {
    failEach(10, 5000, 40_000);
    outage.worked(41_400);
    outage.worked(41_500);

    const meanwhile = (seconds: number) => [
      'warning',
      'It fails',
      { failures: 1000, seconds, code: 'ECONNREFUSED' },
    ];
    expect(lines).toEqual([
      ['error', 'It fails', 'Error: tulip'],
      meanwhile(10),
      meanwhile(20),
      meanwhile(30),
      ['warning', 'It works', { failures: 3500, seconds: 36 }],
    ]);
  });

  it('has no line while nothing fails', () => {
    outage.worked(0);

    expect(lines).toEqual([]);
  });

  it('has a line for each of two outages', () => {
    outage.failed(refused, 0);
    outage.worked(2000);
    outage.failed(refused, 12_000);
    outage.worked(14_000);

    expect(lines.map(([, message]) => message)).toEqual(['It fails', 'It works', 'It fails', 'It works']);
    expect(lines.at(-1)?.at(-1)).toEqual({ failures: 1, seconds: 2 });
  });

  it('has at most two lines in ten seconds about what fails now and then', () => {
    for (let now = 0; now < 60_000; now += 100) {
      outage.failed(refused, now);
      outage.worked(now + 50);
    }

    expect(lines).toHaveLength(12);
  });

  it('begins later if it resumes at once after its end', () => {
    outage.failed(refused, 0);
    outage.worked(1000);
    failEach(1000, 2000, 20_000);

    expect(lines.map(([, message]) => message)).toEqual(['It fails', 'It works', 'It fails']);
    expect(lines[2]?.[0]).toBe('error');
  });

  it('has the reason instead of the message of an error that may contain secrets (H1)', () => {
    outage = make(() => 'WRONGPASS');
    failEach(5000, 0, 15_000);

    expect(lines).toEqual([
      ['warning', 'It fails', { code: 'WRONGPASS' }],
      ['warning', 'It fails', { failures: 2, seconds: 10, code: 'WRONGPASS' }],
    ]);
  });

  it('has the cause of an error', () => {
    outage = new OutageLog(
      { error: (_message, stack) => lines.push([stack]), warning: (_message, facts) => lines.push([facts]) },
      TEXTS,
    );
    const wrapped = new Error('It cannot be stored.', { cause: refused });
    outage.failed(wrapped, 0);
    outage.failed(wrapped, 10_000);

    expect(lines[0]?.[0]).toMatch(/^Error: It cannot be stored\.[^]*\nCaused by: Error: tulip/);
    expect(lines[1]?.[0]).toMatchObject({ code: 'ECONNREFUSED' });
  });
});

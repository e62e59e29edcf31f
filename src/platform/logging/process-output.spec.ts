import { redirectConsole } from './process-output.js';

describe('What libraries write to the console', () => {
  const { warn, error } = console;
  const listeners = process.listeners('warning');
  let logged: string[];

  beforeEach(() => {
    logged = [];
    redirectConsole({
      warn: (message) => logged.push(`warn: ${String(message)}`),
      error: (message) => logged.push(`error: ${String(message)}`),
    });
  });
  afterEach(() => {
    Object.assign(console, { warn, error });
    process.removeAllListeners('warning');
    for (const listener of listeners) process.on('warning', listener);
  });

  it('is logged in one message, with its level', () => {
    console.warn('[Cron] Missed %s by %dms', 'deadline', 7);
    console.error('[Cron] error:', 'x');

    expect(logged).toEqual(['warn: [Cron] Missed deadline by 7ms', 'error: [Cron] error: x']);
  });

  it('has the stack of an error, and nothing else of it (H1)', () => {
    console.error('[Cron] error:', Object.assign(new Error('failed'), { parameters: ['geheim'] }));

    expect(logged).toEqual([expect.stringMatching(/^error: \[Cron\] error: Error: failed\n +at /)]);
    expect(logged.join()).not.toContain('geheim');
  });

  it('includes warnings of Node.js', () => {
    process.emit(
      'warning',
      Object.assign(new Error('11 listeners'), { name: 'MaxListenersExceededWarning' }),
    );

    expect(logged).toEqual(['warn: MaxListenersExceededWarning: 11 listeners']);
  });
});

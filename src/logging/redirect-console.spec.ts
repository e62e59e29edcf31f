import { redirectConsole } from './redirect-console.js';

describe('What libraries write to the console', () => {
  const { warn, error } = console;

  afterEach(() => {
    Object.assign(console, { warn, error });
  });

  it('is logged in one message, with its level', () => {
    const logged: string[] = [];
    redirectConsole({
      warn: (message) => logged.push(`warn: ${String(message)}`),
      error: (message) => logged.push(`error: ${String(message)}`),
    });
    console.warn('[Cron] Missed %s by %dms', 'deadline', 7);
    console.error('[Cron] error:', 'x');

    expect(logged).toEqual(['warn: [Cron] Missed deadline by 7ms', 'error: [Cron] error: x']);
  });
});

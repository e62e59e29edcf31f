import { STOP_SIGNALS } from './stop-signals.js';

/**
 * Exits at once when the process is signalled to stop while it starts. Without a handler, process 1 of a container
 * ignores these signals, and the engine kills it ten seconds later.
 */
const exit = () => process.exit(0);

for (const signal of STOP_SIGNALS) process.on(signal, exit);
// without a handler it would end the process, unless it stops it in order
if (!STOP_SIGNALS.includes('SIGHUP')) process.on('SIGHUP', () => undefined);

/** To be called by who handles the signals from now on. */
export function stopExitingEarly(): void {
  for (const signal of STOP_SIGNALS) process.off(signal, exit);
}

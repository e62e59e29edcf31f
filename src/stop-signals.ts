/**
 * Signals on which the service stops. Nest's default also has those of crashes, such as SIGSEGV and SIGILL: a process
 * with a handler for them does not end when native code crashes, but runs into the same fault again and again. It also
 * has SIGHUP, on which a service that was started with `nohup` must not stop.
 */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

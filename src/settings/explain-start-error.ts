import { StartError } from './start-error.js';

interface ListenError extends NodeJS.ErrnoException {
  address?: string;
  port?: number;
  hostname?: string;
}

/** Why the service did not start: one line if the reason is known, otherwise the stack trace. */
export function explainStartError(error: unknown): string {
  if (error instanceof StartError) return error.message;

  const { message, code, address, port, hostname, stack } = error as ListenError;
  const duplicates = /^Conflicting HTTP routes/.test(message) && message.match(/Duplicate route: .+/g);
  if (duplicates) return duplicates.join(' ');
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port ?? ''} of ${address ?? ''} is in use. Stop what listens there, or set PORT.`;
    case 'EACCES':
    case 'EADDRNOTAVAIL':
      return `Cannot listen on ${address ?? ''}:${port ?? ''} (${code}). Set HOST and PORT.`;
    case 'EAI_AGAIN':
    case 'ENOTFOUND':
      return `Cannot listen on ${hostname ?? ''}: no such host (${code}). Set HOST.`;
    default:
      return stack ?? String(error);
  }
}

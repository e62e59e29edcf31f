import { DrawnAccent, Drawing } from './components/explained.js';

const LOCK = 'M25 26h14v11H25zM28 26v-4a4 4 0 0 1 8 0v4';
const TEXT_LINES = 'M16 24h32M16 30h22M16 36h28';

interface BrowserProps {
  /** Whether what it shows is locked. */
  isLocked?: boolean;
}

/** A browser, with a text in it or a lock. */
export function BrowserDrawing({ isLocked }: BrowserProps) {
  return (
    <Drawing>
      <rect x="5" y="4" width="54" height="40" rx="4" />
      <path d="M5 14h54M10 9h1M15 9h1M20 9h1" />
      <DrawnAccent d={isLocked ? LOCK : TEXT_LINES} />
    </Drawing>
  );
}

/** A server with a lock. */
export function ServerDrawing() {
  return (
    <Drawing>
      <path d="M8 4h26v11H8zM8 19h26v11H8zM8 34h26v11H8zM13 9.5h1M13 24.5h1M13 39.5h1" />
      <DrawnAccent d={LOCK} transform="translate(16 -3)" />
    </Drawing>
  );
}

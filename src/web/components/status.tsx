import type { BoxAttributes } from './site.js';

type PlaceProps = Omit<BoxAttributes, 'role'>;

/** Where a script says what is wrong. It is there from the start, so that what is written into it is read out. */
export function ErrorPlace(props: PlaceProps) {
  return <p class="error" role="alert" {...props} />;
}

/** Where a script says what it does. */
export function StatusPlace(props: PlaceProps) {
  return <p class="hint" role="status" {...props} />;
}

import { useTexts } from '../texts.js';

/** Marks a push that only its whole link can open. */
export function EndToEndBadge() {
  return <span class="badge">{useTexts().text('endToEnd.badge')}</span>;
}

/** The same with what it means for recipients. */
export function EndToEndSign() {
  return (
    <p class="quiet">
      <EndToEndBadge /> {useTexts().text('endToEnd.meaning')}
    </p>
  );
}

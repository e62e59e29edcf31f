import { RecipientMessage } from './message.js';
import { useTexts } from './texts.js';

/** A download link that has ended, was altered or never existed. */
export function DownloadEnded() {
  const t = useTexts();
  return (
    <RecipientMessage title={t.text('downloadEnded.title')}>
      <p>{t.text('downloadEnded.text')}</p>
      <p>{t.text('downloadEnded.advice')}</p>
    </RecipientMessage>
  );
}

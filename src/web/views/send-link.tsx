import { useTexts } from './texts.js';

/** Ways to send a link. The text of the mail has nothing but the link: never the passphrase. */
export function SendLink({ url }: { url: string }) {
  const t = useTexts();
  const subject = encodeURIComponent(t.text('created.mailSubject'));
  const body = encodeURIComponent(t.text('created.mailText', { url }));
  return (
    <p class="tools">
      <button type="button" class="secondary small" hidden data-share={url}>
        {t.text('created.share')}
      </button>
      <a role="button" class="secondary small" href={`mailto:?subject=${subject}&body=${body}`}>
        {t.text('created.mail')}
      </a>
    </p>
  );
}

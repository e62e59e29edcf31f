import { useTexts } from './texts.js';

/** One download of all files of a push. */
export function DownloadAll({ url }: { url: string }) {
  return (
    <p>
      <a href={url} download>
        {useTexts().text('secret.downloadAll')}
      </a>
    </p>
  );
}

import { useTexts } from './texts.js';

/** One download of all files of a push. */
export function DownloadAll({ url, size }: { url: string; size: number }) {
  const t = useTexts();
  return (
    <p class="download-all">
      <a href={url}>{t.text('secret.downloadAll')}</a>
      <span class="quiet">{t.size(size)}</span>
    </p>
  );
}

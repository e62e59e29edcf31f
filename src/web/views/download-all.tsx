/** One download of all files of a push. */
export function DownloadAll({ url }: { url: string }) {
  return (
    <p>
      <a href={url} download>
        Download all files as a zip
      </a>
    </p>
  );
}

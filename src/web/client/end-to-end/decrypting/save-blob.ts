const KEPT_FOR_MS = 60_000;

/** Types that no browser runs on our origin if it shows them instead of saving them. */
const HARMLESS =
  /^(text\/plain|application\/(pdf|zip|json)|image\/(png|jpeg|gif|webp)|(audio|video)\/[\w.+-]+)$/;

/** Offers what is in memory as a download. */
export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(link.href);
  }, KEPT_FOR_MS);
}

export function harmlessType(type: string): string {
  return HARMLESS.test(type) ? type : 'application/octet-stream';
}

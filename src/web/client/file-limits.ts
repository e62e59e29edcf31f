export interface FilesError {
  message: string;
  /** The files that are too large by themselves. */
  files: File[];
}

/** What is wrong with the chosen files, in the words and the order of the server. */
export function errorOf(files: File[], { dataset }: HTMLInputElement): FilesError | undefined {
  const tooLarge = files.filter(({ size }) => size > Number(dataset.mostBytes));
  const inAll = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length > Number(dataset.mostFiles)) return { message: dataset.tooMany ?? '', files: tooLarge };
  if (tooLarge.length > 0) return { message: dataset.tooLarge ?? '', files: tooLarge };
  if (inAll > Number(dataset.mostBytesInAll)) return { message: dataset.tooLargeInAll ?? '', files: [] };
  return undefined;
}

import { isEncrypting } from './end-to-end/encrypting/encryption-choice.js';
import { encryptedFileSize } from './end-to-end/sizes.js';
import { text } from './texts.js';

export interface FilesError {
  message: string;
  /** The files that are too large by themselves. */
  files: File[];
}

/** What is wrong with the chosen files, in the words and the order of the server. */
export function errorOf(files: File[], input: HTMLInputElement): FilesError | undefined {
  const error = errorOfSizes(files, input, ({ size }) => size);
  if (error || !input.form || !isEncrypting(input.form)) return error;
  const encrypted = errorOfSizes(files, input, ({ size }) => encryptedFileSize(size));
  return encrypted && { ...encrypted, message: `${encrypted.message} ${text('script.endToEndOverhead')}` };
}

function errorOfSizes(
  files: File[],
  { dataset }: HTMLInputElement,
  sizeOf: (file: File) => number,
): FilesError | undefined {
  const tooLarge = files.filter((file) => sizeOf(file) > Number(dataset.maxBytes));
  const inAll = files.reduce((sum, file) => sum + sizeOf(file), 0);
  if (files.length > Number(dataset.maxFiles)) return { message: dataset.tooMany ?? '', files: tooLarge };
  if (tooLarge.length > 0) return { message: dataset.tooLarge ?? '', files: tooLarge };
  if (inAll > Number(dataset.maxBytesInAll)) return { message: dataset.tooLargeInAll ?? '', files: [] };
  return undefined;
}

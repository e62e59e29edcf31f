import type { Shown } from '../page/texts.js';
import { loadScript } from '../page/load-script.js';
import { stored } from '../page/stored.js';
import type { ReceivedResponse } from '../../../packages/client/src/uploads/sent-request.js';
import { KEPT_UPLOADS } from './kept-uploads.js';
import type { UploadTarget } from '../../../packages/client/src/uploads/upload-in-parts.js';
import type { SendOptions, SentFile, Uploads } from './uploads.js';

/** Set by scripts/bundle-pages.mjs. */
declare const UPLOADS_INTEGRITY: string;

/** Larger files go in parts. */
const PARTS_FROM_BYTES = 8 * 1024 * 1024;

/** Files could not be sent. */
export class UploadFailed extends Error {
  /** @param reason the response of the server that refuses one, or what is to be shown */
  constructor(readonly reason: { refused: ReceivedResponse } | { failure: Shown }) {
    super();
  }
}

/** The files of a form, if one of them is large: they go to the server before it, by a script that is loaded then. */
export class FormUploads {
  private uploads: Uploads | undefined;

  /** Offers to continue uploads that were interrupted, if the form can take them. */
  static offerUnfinished(form: HTMLFormElement): void {
    const target = targetOf(form);
    if (!target || stored(KEPT_UPLOADS) === undefined) return;
    load()
      .then(({ offerUnfinished }) => offerUnfinished(form, target))
      .catch(() => undefined);
  }

  /** Whether files are sent before the form, and not in it. */
  static areNeededFor(form: HTMLFormElement, files: File[]): boolean {
    return targetOf(form) !== undefined && files.some(({ size }) => size > PARTS_FROM_BYTES);
  }

  /**
   * Sends files, unless the server has them.
   * @throws UploadFailed, or the reason of the signal
   */
  async send(form: HTMLFormElement, files: File[], options: Omit<SendOptions, 'form'>): Promise<SentFile[]> {
    const target = targetOf(form);
    if (!target) throw new Error('the form sends its files itself');
    const { Uploads } = await load();
    this.uploads ??= new Uploads(target);
    const sent = await this.uploads.send(files, { form, ...options });
    if ('files' in sent) return sent.files;
    throw new UploadFailed(sent);
  }

  /** See `Uploads`. */
  doubt(): void {
    this.uploads?.doubt();
  }

  /** Has the server delete what it has. */
  end(): void {
    this.uploads?.end();
  }

  /** See `Uploads`. */
  forget(): void {
    this.uploads?.forget();
  }
}

/** Undefined if the form sends its files itself. See components/file-field.tsx. */
function targetOf(form: HTMLFormElement): UploadTarget | undefined {
  const { dataset } = form.querySelector<HTMLInputElement>('input[type=file]') ?? form;
  const { partsTo, partBytes, partsFor } = dataset;
  if (partsTo === undefined) return undefined;
  const metadata = JSON.parse(partsFor ?? '{}') as Record<string, string>;
  return { path: partsTo, partBytes: Number(partBytes), metadata };
}

function load() {
  return loadScript('uploads.js', UPLOADS_INTEGRITY, () => import('./uploads.js'));
}

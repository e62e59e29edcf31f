import { sizeIn } from '../../texts/size.js';
import { icon } from '../page/icon.js';
import { chooseKindOfFiles } from '../page/kind-of-files.js';
import type { Shown } from '../page/texts.js';
import { loadTexts, locale, show, text, textWithData } from '../page/texts.js';
import type { KeptUpload } from './kept-uploads.js';
import {
  forgetAndDelete,
  hasContentOf,
  isFileOf,
  isHeld,
  isHeldElsewhere,
  keptUploads,
  lostUploads,
} from './kept-uploads.js';
import type { UploadTarget } from '../../../packages/client/src/uploads/upload-in-parts.js';
import { sentOf } from './own-uploads.js';

/**
 * Offers to continue what this browser was uploading when the page was left: a page cannot read a file again until it is
 * chosen again. What cannot be continued is deleted.
 */
export async function offerUnfinished(form: HTMLFormElement, target: UploadTarget): Promise<void> {
  for (const { path } of lostUploads(target)) if (!(await isHeld(path))) forgetAndDelete(path);
  const uploads = keptUploads(target);
  if (uploads.length === 0) return;
  const place = document.createElement('div');
  place.setAttribute('aria-live', 'polite'); // it is announced, if it comes after this
  form.before(place);
  await loadTexts('uploads');
  const offers: Offer[] = [];
  for (const upload of uploads) {
    if (await isHeldElsewhere(upload.path)) continue;
    const sent = await sentOf(upload.path);
    if (sent) offers.push(new Offer(form, upload, sent));
  }
  if (offers.length > 0) await new UnfinishedUploads(form, target, offers).showIn(place);
}

/** One that can be continued, as a row of the list. */
class Offer {
  readonly row = document.createElement('li');
  /** Whether a file was chosen that looks like it and is another one. */
  isOther = false;

  constructor(
    form: HTMLFormElement,
    readonly upload: KeptUpload,
    sent: number,
  ) {
    const [name, state] = [document.createElement('span'), document.createElement('span')];
    name.className = 'name';
    name.id = `unfinished-${upload.path.slice(-8)}`;
    name.translate = false;
    name.dir = 'auto';
    name.textContent = name.title = upload.name;
    state.className = 'size';
    state.textContent = text('script.uploadSent', {
      percent: (sent / Math.max(upload.size, 1)).toLocaleString(locale(), { style: 'percent' }),
      size: sizeIn(locale(), upload.size),
    });
    const choose = button('script.chooseAgain', name.id, () => {
      chooseKindOfFiles(form);
      form.querySelector<HTMLElement>('[data-choose]')?.click();
    });
    const remove = button('script.deleteUpload', name.id, () => {
      forgetAndDelete(upload.path);
      this.row.dispatchEvent(new Event('change', { bubbles: true }));
    });
    this.row.append(icon('file'), name, state, choose, remove);
  }

  /** Whether a file looks like the one that was sent. */
  isOf(file: File): boolean {
    return isFileOf(this.upload, file);
  }

  /** Ends it if this is another file than the one that was sent. */
  async compare(file: File): Promise<void> {
    if (this.isOther || (await hasContentOf(this.upload, file)) !== false) return;
    this.isOther = true;
    forgetAndDelete(this.upload.path);
  }
}

/** The banner. It has those whose file is not chosen, and says what becomes of the others. */
class UnfinishedUploads {
  private readonly banner = document.createElement('div');
  private readonly intro = document.createElement('p');
  private readonly list = document.createElement('ul');
  private readonly state = document.createElement('p');
  private updates = 0;

  constructor(
    private readonly form: HTMLFormElement,
    private readonly target: UploadTarget,
    private readonly offers: Offer[],
  ) {
    const content = document.createElement('div');
    this.banner.className = 'banner space';
    this.intro.textContent = text('script.unfinishedUploads');
    this.list.className = 'files gap-top';
    this.list.append(...offers.map(({ row }) => row));
    content.append(this.intro, this.list, this.state);
    this.banner.append(icon('info'), content);
    this.banner.addEventListener('change', () => {
      void this.update();
    });
  }

  async showIn(place: HTMLElement): Promise<void> {
    await this.update();
    place.append(this.banner);
    const changes = new MutationObserver(() => {
      void this.update();
    });
    const chosen = this.form.querySelector('[data-chosen]');
    if (chosen) changes.observe(chosen, { childList: true }); // also of dropped and pasted files
    const submit = this.form.querySelector('[data-submit]');
    if (submit) changes.observe(submit, { attributeFilter: ['aria-busy'] }); // sending begins, ends, or is cancelled
  }

  private async update(): Promise<void> {
    const number = ++this.updates;
    const shown = await this.stateOfChosen();
    if (number === this.updates) this.show(shown);
  }

  /** What becomes of those whose files are chosen and are not being sent. */
  private async stateOfChosen(): Promise<Shown> {
    if (this.form.querySelector('[aria-busy]')) return '';
    const chosen = this.offers.flatMap((offer) => {
      const file = this.fileOf(offer);
      return file ? [{ offer, file }] : [];
    });
    await Promise.all(chosen.map(({ offer, file }) => offer.compare(file)));
    const other = chosen.find(({ offer }) => offer.isOther);
    if (other) return textWithData('script.uploadDiffers', { name: other.file.name });
    return chosen.length > 0 ? text('script.uploadContinues') : '';
  }

  private show(shown: Shown): void {
    const hadFocus = this.banner.contains(document.activeElement);
    const paths = keptUploads(this.target).map(({ path }) => path);
    for (const offer of this.offers)
      offer.row.hidden = this.fileOf(offer) !== undefined || !paths.includes(offer.upload.path);
    this.intro.hidden = this.list.hidden = this.offers.every(({ row }) => row.hidden);
    this.state.hidden = shown === '';
    show(this.state, shown);
    this.banner.hidden = this.list.hidden && this.state.hidden;
    if (hadFocus && !document.activeElement?.checkVisibility()) this.moveFocus();
  }

  private moveFocus(): void {
    const places = [
      ...this.banner.querySelectorAll('button'),
      ...this.form.querySelectorAll<HTMLElement>('[data-choose], textarea'),
    ];
    places.find((place) => place.checkVisibility())?.focus();
  }

  private fileOf(offer: Offer): File | undefined {
    const { files } = this.form.querySelector<HTMLInputElement>('input[type=file]') ?? {};
    return [...(files ?? [])].find((file) => offer.isOf(file));
  }
}

function button(
  label: 'script.chooseAgain' | 'script.deleteUpload',
  describedBy: string,
  act: () => void,
): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn sm';
  button.textContent = text(label);
  button.setAttribute('aria-describedby', describedBy);
  button.addEventListener('click', act);
  return button;
}

import { sizeIn } from '../../texts/size.js';
import { icon } from '../page/icon.js';
import { chooseKindOfFiles } from '../page/kind-of-files.js';
import { loadTexts, locale, text } from '../page/texts.js';
import type { KeptUpload } from './kept-uploads.js';
import { forget, isFileOf, isHeld, keptUploads } from './kept-uploads.js';
import type { UploadTarget } from '../../../packages/client/src/uploads/upload-in-parts.js';
import { deleteUpload, sentOf } from './own-uploads.js';

/**
 * Offers to continue what this browser was uploading when the page was left: a page cannot read a file again until it is
 * chosen again.
 */
export async function offerUnfinished(form: HTMLFormElement, target: UploadTarget): Promise<void> {
  await loadTexts('uploads');
  const rows: HTMLElement[] = [];
  for (const upload of keptUploads(target)) {
    if (await isHeld(upload.path)) continue;
    const sent = await sentOf(upload.path);
    if (sent !== undefined) rows.push(row(form, upload, sent));
  }
  if (rows.length > 0) form.before(banner(rows));
}

function banner(rows: HTMLElement[]): HTMLElement {
  const [banner, content, sentence, list] = [
    document.createElement('div'),
    document.createElement('div'),
    document.createElement('p'),
    document.createElement('ul'),
  ];
  banner.className = 'banner space';
  sentence.textContent = text('script.unfinishedUploads');
  list.className = 'files gap-top';
  list.append(...rows);
  content.append(sentence, list);
  banner.append(icon('info'), content);
  return banner;
}

function row(form: HTMLFormElement, upload: KeptUpload, sent: number): HTMLElement {
  const row = document.createElement('li');
  const name = document.createElement('span');
  const state = document.createElement('span');
  name.className = 'name';
  name.id = `unfinished-${upload.path.slice(-8)}`;
  name.translate = false;
  name.dir = 'auto';
  name.textContent = name.title = upload.name;
  state.className = 'size';
  state.role = 'status';
  state.textContent = text('script.uploadSent', {
    percent: (sent / Math.max(upload.size, 1)).toLocaleString(locale(), { style: 'percent' }),
    size: sizeIn(locale(), upload.size),
  });
  const choose = button('script.chooseAgain', name.id, () => {
    chooseKindOfFiles(form);
    form.querySelector<HTMLElement>('[data-choose]')?.click();
  });
  const remove = button('script.deleteUpload', name.id, () => {
    forget(upload.path);
    deleteUpload(upload.path);
    const banner = row.closest('.banner');
    row.remove();
    if (banner?.querySelector('li')) banner.querySelector('button')?.focus();
    else {
      banner?.remove();
      form.querySelector<HTMLElement>('textarea')?.focus();
    }
  });
  form.addEventListener('change', () => {
    const { files } = form.querySelector<HTMLInputElement>('input[type=file]') ?? {};
    if (![...(files ?? [])].some((file) => isFileOf(upload, file))) return;
    state.textContent = text('script.uploadContinues');
    choose.remove();
  });
  row.append(icon('file'), name, state, choose, remove);
  return row;
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

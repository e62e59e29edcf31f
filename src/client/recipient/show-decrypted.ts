import { drawQrCode } from '../page/draw-qr-code.js';
import type { Reason } from '../end-to-end/end-to-end-error.js';
import { EndToEndError, reasonOf } from '../end-to-end/end-to-end-error.js';
import type { Envelope } from '../end-to-end/envelope.js';
import type { EndToEnd } from '../end-to-end/load.js';
import { loadEndToEnd } from '../end-to-end/load.js';
import { enhance } from '../page/enhance.js';
import { text } from '../page/texts.js';
import { setUpFileLinks } from './decrypted-files.js';
import { saveBlob } from './save-file.js';
import type { EncryptedLink } from './encrypted-link.js';

/** Decrypts what the page of an opened push contains, and shows it. Then the address does not need the key any more. */
export async function showDecrypted(link: EncryptedLink, passphrase: string): Promise<void> {
  const box = document.querySelector<HTMLElement>('[data-encrypted]');
  if (!box || !link.fragment) return;
  const payload = box.querySelector('#encrypted')?.textContent ?? '';
  const decrypting = box.querySelector<HTMLElement>('[data-decrypting]');
  try {
    if (decrypting) decrypting.hidden = false;
    const endToEnd = await loadEndToEnd();
    const envelope = await endToEnd.decryptPayload(payload, link.fragment, passphrase);
    show(box, envelope, endToEnd);
    link.removeKey();
  } catch (error) {
    const again = () => showDecrypted(link, passphrase);
    showFailure(box, reasonOf(error) ?? 'unavailable', payload, again);
  } finally {
    if (decrypting) decrypting.hidden = true;
  }
}

function show(box: HTMLElement, envelope: Envelope, endToEnd: EndToEnd): void {
  const files = box.querySelector<HTMLElement>('[data-encrypted-files]');
  const sent = files?.querySelectorAll('.files a').length ?? 0;
  if (sent !== envelope.files.length) throw new EndToEndError('damaged');
  const content = box.querySelector('[data-content]');
  if (content && envelope.text !== '') {
    content.replaceChildren(contentOf(box, envelope, endToEnd));
    enhance(content);
  }
  if (files) setUpFileLinks(files, envelope.files, endToEnd);
}

/** A template of the page, filled in. */
function contentOf(box: HTMLElement, { kind, text: secret }: Envelope, endToEnd: EndToEnd): Node {
  const code = kind === 'qr' ? endToEnd.qrCodeOf(secret) : undefined;
  const name = kind === 'url' ? 'url' : code ? 'qr' : 'text';
  const template = box.querySelector<HTMLTemplateElement>(`template[data-template="${name}"]`);
  const content = template?.content.cloneNode(true) as DocumentFragment;
  const shown = content.querySelector('#secret');
  if (shown) shown.textContent = secret;
  if (kind === 'url') fillInUrl(content, secret);
  const image = content.querySelector('svg');
  if (code && image) drawQrCode(image, code);
  return content;
}

/** The host is shown in ASCII, in which no other letter looks like it. */
function fillInUrl(content: DocumentFragment, url: string): void {
  const host = content.querySelector('[data-host]');
  if (host) host.textContent = new URL(url).host;
  content.querySelector('a')?.setAttribute('href', url);
}

function showFailure(box: HTMLElement, reason: Reason, payload: string, again: () => Promise<void>): void {
  const failure = box.querySelector<HTMLElement>('[data-not-decrypted]');
  const message = failure?.querySelector('[role=alert]');
  const retry = failure?.querySelector<HTMLButtonElement>('[data-retry]');
  const save = failure?.querySelector<HTMLButtonElement>('[data-save]');
  if (!failure || !message || !retry || !save) return;
  failure.hidden = false;
  showHeadline('[data-failed-title]');
  message.textContent = text(failureTextOf(reason));
  retry.hidden = reason !== 'unavailable';
  retry.onclick = () => {
    failure.hidden = true;
    showHeadline('[data-title]');
    void again();
  };
  save.onclick = () => {
    saveBlob(new Blob([payload], { type: 'application/octet-stream' }), 'secret.age');
  };
}

function showHeadline(shown: string): void {
  for (const headline of document.querySelectorAll<HTMLElement>('h1'))
    headline.hidden = !headline.matches(shown);
}

function failureTextOf(reason: Reason) {
  if (reason === 'unavailable') return 'script.endToEndNotLoaded';
  return reason === 'unsupported' ? 'script.endToEndUnsupported' : 'script.endToEndDamaged';
}

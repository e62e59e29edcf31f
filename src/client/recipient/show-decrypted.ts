import { drawQrCode } from '../page/draw-qr-code.js';
import type { Reason } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import { EndToEndError, reasonOf } from '../../../packages/client/src/end-to-end/end-to-end-error.js';
import type { Envelope } from '../../../packages/client/src/end-to-end/envelope.js';
import type { EndToEnd } from '../end-to-end/load.js';
import { loadEndToEnd, loadRecipientEncryption } from '../end-to-end/load.js';
import { enhance } from '../page/enhance.js';
import { text } from '../page/texts.js';
import { keptKeys } from '../requests/kept-keys.js';
import { setUpFileLinks } from './decrypted-files.js';
import { saveBlob } from '../page/save-blob.js';
import type { EncryptedLink } from './encrypted-link.js';

/** Decrypts what the page of an opened push contains, and shows it. Then the address does not need the key any more. */
export async function showDecrypted(
  { fragment, removeKey }: EncryptedLink,
  passphrase: string,
): Promise<void> {
  if (!fragment) return;
  await showWith(async (payload) => {
    const endToEnd = await loadEndToEnd();
    return endToEnd.decryptPayload(payload, fragment, passphrase);
  }, removeKey);
}

/** The same for an answer to a request, with a key of this browser or from a key file. */
export async function showAnswer(): Promise<void> {
  const box = document.querySelector<HTMLElement>('[data-encrypted]');
  const missing = box?.querySelector<HTMLElement>('[data-key-missing]');
  const field = missing?.querySelector<HTMLInputElement>('[data-key-file]');
  if (!box || !missing || !field) return;
  const kept = await keptKeys();
  const identities = kept.map(({ identity }) => identity);
  const ask = (message?: MessageKey) => {
    missing.hidden = false;
    showHeadline('[data-sealed-title]');
    showStatus(box, false);
    const error = missing.querySelector('[data-key-error]');
    if (error) error.textContent = message ? text(message) : '';
  };
  const payload = box.querySelector('#encrypted')?.textContent ?? '';
  missing.querySelector('[data-save-answer]')?.addEventListener('click', () => {
    saveEncrypted(payload);
  });
  field.addEventListener('change', () => {
    const [file] = field.files ?? [];
    if (file) void file.text().then((content) => tryKeyFile(content));
  });
  const tryWith = async (identities: string[], message?: MessageKey) => {
    await showWith(
      async (payload) => (await loadRecipientEncryption()).decryptPayloadWith(payload, identities),
      () => {
        missing.hidden = true;
        showHeadline('[data-title]');
      },
      (reason) => reason === 'wrong-secret' && (ask(message), true),
    );
  };
  const tryKeyFile = async (content: string) => {
    field.disabled = true; // the outcome of one file must not replace that of the next
    try {
      const { identitiesIn } = await loadRecipientEncryption();
      await tryWith(identitiesIn(content), 'script.answerNoKey');
    } catch (error) {
      ask(reasonOf(error) === 'unsupported' ? 'script.answerNotKey' : 'script.endToEndNotLoaded');
    } finally {
      field.disabled = false;
    }
  };
  if (identities.length === 0) ask();
  else await tryWith(identities);
}

/** Whether it says that it decrypts. */
function showStatus(box: HTMLElement, isDecrypting: boolean): void {
  const status = box.querySelector<HTMLElement>('[data-decrypting]');
  if (status) status.hidden = !isDecrypting;
}

type MessageKey = 'script.answerNoKey' | 'script.answerNotKey' | 'script.endToEndNotLoaded';

/**
 * @param onShown called once it is shown
 * @param onFailure returns whether it has handled the reason
 */
async function showWith(
  decrypt: (payload: string) => Promise<Envelope>,
  onShown: () => void,
  onFailure: (reason: Reason) => boolean = () => false,
): Promise<void> {
  const box = document.querySelector<HTMLElement>('[data-encrypted]');
  if (!box) return;
  const payload = box.querySelector('#encrypted')?.textContent ?? '';
  try {
    showStatus(box, true);
    const endToEnd = await loadEndToEnd();
    show(box, await decrypt(payload), endToEnd);
    onShown();
  } catch (error) {
    const reason = reasonOf(error) ?? 'unavailable';
    const again = () => showWith(decrypt, onShown, onFailure);
    if (!onFailure(reason)) showFailure(box, reason, payload, again);
  } finally {
    showStatus(box, false);
  }
}

function show(box: HTMLElement, envelope: Envelope, endToEnd: EndToEnd): void {
  const files = box.querySelector<HTMLElement>('[data-encrypted-files]');
  const sent = files?.querySelectorAll('[data-download] a').length ?? 0;
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
  const name = templateFor(kind, code !== undefined);
  const template = box.querySelector<HTMLTemplateElement>(`template[data-template="${name}"]`);
  const content = template?.content.cloneNode(true) as DocumentFragment;
  const shown = content.querySelector('#secret');
  if (shown) shown.textContent = secret;
  if (kind === 'url') fillInUrl(content, secret);
  const image = content.querySelector('svg');
  if (code && image) drawQrCode(image, code);
  return content;
}

/** The name of a template. A text that comes with files is a message: it is read, not copied. */
function templateFor(kind: Envelope['kind'], isDrawn: boolean): string {
  if (kind === 'url') return 'url';
  if (kind === 'file') return 'message';
  return isDrawn ? 'qr' : 'text';
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
    saveEncrypted(payload);
  };
}

/** For the program age. */
function saveEncrypted(payload: string): void {
  saveBlob(new Blob([payload], { type: 'application/octet-stream' }), 'secret.age');
}

function showHeadline(shown: string): void {
  const parts = '[data-title], [data-sealed-title], [data-failed-title]';
  for (const part of document.querySelectorAll<HTMLElement>(parts)) part.hidden = !part.matches(shown);
}

function failureTextOf(reason: Reason) {
  if (reason === 'unavailable') return 'script.endToEndNotLoaded';
  return reason === 'unsupported' ? 'script.endToEndUnsupported' : 'script.endToEndDamaged';
}

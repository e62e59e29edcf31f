const PIXELS = 600;

/** A button with `data-save-qr` saves the QR code with that id as an image. */
export function setUpQrImageButton(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-save-qr]');
  const code = document.getElementById(button?.dataset.saveQr ?? '');
  if (!button || !code) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    void save(code);
  });
}

async function save(code: HTMLElement): Promise<void> {
  const image = new Image(PIXELS, PIXELS);
  image.src = `data:image/svg+xml,${encodeURIComponent(code.outerHTML)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PIXELS;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, 0, 0, PIXELS, PIXELS);
  const link = document.createElement('a');
  link.download = 'qr-code.png';
  link.href = canvas.toDataURL('image/png');
  link.click();
}

/** Shows the button that opens the system's share menu, if the browser has one. */
export function setUpShareButton(onShared: () => void = () => undefined): void {
  const button = document.querySelector<HTMLButtonElement>('[data-share]');
  if (!button || !('share' in navigator)) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    navigator.share({ url: button.dataset.share }).then(onShared, () => undefined); // the user may close the menu
  });
}

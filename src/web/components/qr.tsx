import type { QrCode as Code } from '../../shared/qr-code.js';
import { EMPTY_QR_CODE, qrCodeOf } from '../../shared/qr-code.js';

interface QrCodeProps {
  label: string;
  id?: string;
}

/**
 * A text as a QR code; nothing if it is too long for one. A browser extension extracts the SVG from the page and draws
 * it as a standalone image, which needs a namespace and a size.
 */
export function QrCode({ text, ...props }: QrCodeProps & { text: string }) {
  const code = qrCodeOf(text);
  return code ? <QrImage {...props} {...code} /> : null;
}

/** An empty QR code that a script draws. */
export function EmptyQrCode(props: QrCodeProps) {
  return <QrImage {...props} {...EMPTY_QR_CODE} />;
}

function QrImage({ label, id, size, pixels, path }: QrCodeProps & Code) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      id={id}
      class="qr"
      role="img"
      aria-label={label}
      width={pixels}
      height={pixels}
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path fill="#000" d={path} />
    </svg>
  );
}

export function fitsQrCode(text: string): boolean {
  return qrCodeOf(text) !== undefined;
}

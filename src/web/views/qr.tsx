import { PIXELS_PER_MODULE, qrCodeOf } from '../qr-code.js';

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
  return code ? <Drawn {...props} {...code} /> : null;
}

/** For a script to draw. */
export function EmptyQrCode(props: QrCodeProps) {
  return <Drawn {...props} size={1} path="" />;
}

function Drawn({ label, id, size, path }: QrCodeProps & { size: number; path: string }) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      id={id}
      class="qr"
      role="img"
      aria-label={label}
      width={size * PIXELS_PER_MODULE}
      height={size * PIXELS_PER_MODULE}
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

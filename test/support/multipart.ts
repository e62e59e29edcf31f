const BOUNDARY = 'a-boundary';

export const MULTIPART = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

/** The bytes of a part; `rest` follows the name in its header lines. */
export function part(name: string, value: string | Buffer, rest = ''): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${rest}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]);
}

/** A whole form with these parts. */
export function multipart(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

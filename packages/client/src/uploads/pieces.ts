/** Blobs are made of pieces of this size: the browser may keep them on the disk. One takes some 20 ms to encrypt. */
const PIECE_BYTES = 2 * 1024 * 1024;

/** The next piece of a stream, out of the memory of the page; empty at the end. */
export async function nextPiece(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size < PIECE_BYTES;) {
    const { value } = await reader.read();
    if (!value) break;
    chunks.push(value as Uint8Array<ArrayBuffer>);
    size += value.length;
  }
  await nextTask();
  return new Blob(chunks);
}

/** Lets the browser show the progress and handle clicks. Timers would wait much longer in hidden tabs. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

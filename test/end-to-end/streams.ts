/** A stream of bytes in pieces, which end at the given positions. */
export function streamOf(bytes: Uint8Array, ...ends: number[]): ReadableStream<Uint8Array> {
  const borders = [0, ...ends, bytes.length];
  return new ReadableStream({
    start(controller) {
      for (const [i, end] of borders.slice(1).entries()) {
        if (end > (borders[i] ?? 0)) controller.enqueue(bytes.slice(borders[i], end));
      }
      controller.close();
    },
  });
}

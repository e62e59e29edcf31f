/** Passes content on unchanged, and reports the size of each part. */
export function countingStream(
  count: (bytes: number) => void,
): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk.length);
      controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
    },
  });
}

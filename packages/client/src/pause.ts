/** @throws the reason of the signal, as soon as it aborts */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}

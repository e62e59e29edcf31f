let lastTime = NaN;
let lastText = '';

/** `2026-11-22 05:06:07.890`, in UTC. Caches the last one, because rows often repeat it. */
export function dateTimeText(moment: Date): string {
  if (moment.getTime() !== lastTime) {
    lastTime = moment.getTime();
    lastText = moment.toISOString().slice(0, -1).replace('T', ' ');
  }
  return lastText;
}

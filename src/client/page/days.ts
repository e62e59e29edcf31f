import { localTime } from './times.js';

/** Not what is listed in one, such as the recipients of a mail. */
const EVENTS = '[data-day] > ol > li';

/** Groups a log by the days of the reader: the page has those in UTC. */
export function groupByDays(root: ParentNode): void {
  for (const log of root.querySelectorAll('[data-days]')) {
    const pattern = log.querySelector<HTMLElement>('[data-day]');
    if (!pattern || hasDaysOfReader(log)) continue;
    const days: HTMLElement[] = [];
    for (const entry of log.querySelectorAll(EVENTS)) {
      const name = dayOf(entry);
      let day = days.at(-1);
      if (!day || day.dataset.day !== name) {
        day = pattern.cloneNode(true) as HTMLElement;
        day.dataset.day = name;
        day.querySelector('ol')?.replaceChildren();
        const heading = day.querySelector('p');
        if (heading) heading.textContent = name;
        days.push(day);
      }
      day.querySelector('ol')?.append(entry);
    }
    log.replaceChildren(...days);
  }
}

/** Whether it has them already, as in most time zones most of the time. */
function hasDaysOfReader(log: Element): boolean {
  const days = [...log.querySelectorAll('[data-day]')].map(
    (day) => new Set([...day.querySelectorAll(EVENTS)].map(dayOf)),
  );
  const names = days.flatMap((ofDay) => [...ofDay]);
  return names.length === days.length && new Set(names).size === names.length;
}

function dayOf(entry: Element): string {
  const time = entry.querySelector(':scope > time')?.getAttribute('datetime');
  return time ? localTime(new Date(time), 'day') : '';
}

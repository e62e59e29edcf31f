// Reads CHANGELOG.md, which has the form of https://keepachangelog.com.

/** The text under each heading of a version, newest first; `date` is undefined where the heading has none. */
export function sectionsOf(changelog) {
  const [, ...sections] = changelog.replace(/^\[[^\]]+\]: .*\n?/gm, '').split(/^## /m);
  return sections.map((section) => {
    const [heading = ''] = section.split('\n', 1);
    const [, version, date] = /^\[?([^\]\s]+)\]?(?: - (\d{4}-\d{2}-\d{2}))?$/.exec(heading.trim()) ?? [];
    return { version, date, text: section.slice(heading.length).trim() };
  });
}

/** The newest section that is not `Unreleased`. */
export function newestRelease(changelog) {
  return sectionsOf(changelog).find(({ version }) => version !== 'Unreleased');
}

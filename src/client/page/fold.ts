/** Opens the form that the address of the page names, as browsers do that know how. */
export function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  const fold = target?.closest('details');
  if (!target || !fold || fold.open) return;
  fold.open = true;
  target.scrollIntoView({ block: 'nearest' });
}

/** Pages that are prerendered, or loaded in a background tab, must not use up a view. */
export function whenVisible(action: () => void): void {
  if (isVisible()) {
    action();
    return;
  }
  const check = () => {
    if (!isVisible()) return;
    document.removeEventListener('visibilitychange', check);
    document.removeEventListener('prerenderingchange', check);
    action();
  };
  document.addEventListener('visibilitychange', check);
  document.addEventListener('prerenderingchange', check);
}

function isVisible(): boolean {
  return document.visibilityState === 'visible' && !('prerendering' in document && document.prerendering);
}

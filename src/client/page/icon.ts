import type { IconName } from '../../shared/icons.js';

const SVG = 'http://www.w3.org/2000/svg';

/** An icon that is drawn in this page: the `Layout` of the page names it in `icons`, or has it anyway. */
export function icon(name: IconName, size?: 'small'): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', size ? 'icon sm' : 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** Has an icon draw another one of this page. */
export function setIcon(svg: SVGElement, name: IconName): void {
  svg.querySelector('use')?.setAttribute('href', `#icon-${name}`);
}

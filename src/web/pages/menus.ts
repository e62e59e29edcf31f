import type { OnModuleInit } from '@nestjs/common';
import { Injectable } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { AccessLevel } from '../../auth/access.decorators.js';
import { ACCESS_LEVEL } from '../../auth/access.decorators.js';
import { isEnabled } from '../../auth/bearer.guard.js';
import { contributedMethod, Contributions } from '../../platform/contributions/contributions.js';
import type { TextKey } from '../../texts/text-parameters.js';
import type { IconName } from '../components/icon.js';
import type { MenuName, Menus } from '../components/site.js';
import { MENUS } from '../components/site.js';

interface Placed {
  /** What the link says. */
  text: TextKey;
  /** Links are in the order of these numbers. Ours are multiples of ten. */
  position: number;
  /** The picture beside it, where its menu has pictures. */
  icon?: IconName;
}

type Handler = (...values: never[]) => unknown;

/**
 * Adds links to the page of a GET handler, whose path has no parameters, to menus, unless a setting switches its controller
 * off. Links to pages of administrators are shown to administrators only.
 */
export const InMenu = contributedMethod<Handler, Partial<Record<MenuName, Placed>>>();

/** The menus of the pages of all modules. */
@Injectable()
export class MenusService implements OnModuleInit {
  menus: Menus;

  constructor(
    private readonly contributions: Contributions,
    private readonly reflector: Reflector,
    private readonly moduleRef: ModuleRef,
  ) {}

  onModuleInit(): void {
    const pages = this.contributions
      .methods(InMenu)
      .filter(({ targets: [, controller] }) => isEnabled(controller, this.moduleRef))
      .map(({ argument, targets: [handler] }) => ({
        places: argument,
        to: `/${this.reflector.get<string>(PATH_METADATA, handler).replace(/^\//, '')}`,
        forAdministrators: this.reflector.get<AccessLevel>(ACCESS_LEVEL, handler) === 'administrator page',
      }));
    const linksIn = (menu: MenuName) =>
      pages
        .flatMap(({ places: { [menu]: place }, ...page }) => (place ? [{ ...page, ...place }] : []))
        .sort((one, other) => one.position - other.position);
    this.menus = Object.fromEntries(MENUS.map((menu) => [menu, linksIn(menu)])) as unknown as Menus;
  }
}

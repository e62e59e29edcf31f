import { Controller, Get } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AdministratorPage, EnabledBy, SignedInPage } from '../../auth/access.decorators.js';
import { ContributionsModule } from '../../platform/contributions/contributions.module.js';
import { InMenu, MenusService } from './menus.js';

class GardenSettings {
  ENABLE_TULIPS = true;
}

@Controller()
@EnabledBy(GardenSettings, 'ENABLE_TULIPS')
class TulipsController {
  @Get('tulips')
  @InMenu({ main: { text: 'site.secrets', position: 20 }, programs: { text: 'tokens.title', position: 10 } })
  @SignedInPage()
  show(): void {
    return undefined;
  }
}

@Controller()
class GardenController {
  @AdministratorPage()
  @InMenu({ main: { text: 'site.administration', position: 10 } })
  @Get('garden/all')
  show(): void {
    return undefined;
  }
}

const menusWith = async (settings: GardenSettings) => {
  const module = await Test.createTestingModule({
    imports: [ContributionsModule],
    controllers: [TulipsController, GardenController],
    providers: [MenusService, { provide: GardenSettings, useValue: settings }],
  }).compile();
  await module.init();
  return module.get(MenusService).menus;
};

const GARDEN = { to: '/garden/all', text: 'site.administration', position: 10, forAdministrators: true };

describe('Menus', () => {
  it('have the pages of all modules in the order of their positions, whatever the order of decorators', async () => {
    const { main, programs, home } = await menusWith(new GardenSettings());

    const tulips = { to: '/tulips', forAdministrators: false };
    expect(main).toEqual([GARDEN, { ...tulips, text: 'site.secrets', position: 20 }]);
    expect(programs).toEqual([{ ...tulips, text: 'tokens.title', position: 10 }]);
    expect(home).toEqual([]);
  });

  it('have no pages that a setting switches off', async () => {
    const { main, programs } = await menusWith({ ENABLE_TULIPS: false });

    expect([main, programs]).toEqual([[GARDEN], []]);
  });
});

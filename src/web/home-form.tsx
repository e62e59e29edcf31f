import { Injectable } from '@nestjs/common';
import type { User } from '../auth/user.entity.js';
import { PushRules } from '../pushes/push-rules.js';
import { Settings } from '../settings/settings.js';
import { PageAnswer } from './page-answer.js';
import type { Faults } from './views/fields.js';
import type { Typed } from './views/home.js';
import { Home } from './views/home.js';

/** The form that makes pushes, empty or as it came back with faults. */
@Injectable()
export class HomeForm {
  constructor(
    private readonly rules: PushRules,
    private readonly settings: Settings,
  ) {}

  show(user: User | undefined): PageAnswer {
    return new PageAnswer(<Home rules={this.rules} mayAttach={this.mayAttach(user)} />);
  }

  showAgain(user: User | undefined, typed: Typed, faults: Faults, status: number): PageAnswer {
    const view = <Home rules={this.rules} mayAttach={this.mayAttach(user)} typed={typed} faults={faults} />;
    return new PageAnswer(view, status);
  }

  private mayAttach(user: User | undefined): boolean {
    return user !== undefined || !this.settings.FILES_REQUIRE_AUTHENTICATION;
  }
}

import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { User } from '../auth/user.entity.js';
import { PushRules } from '../pushes/create/push-rules.js';
import { Settings } from '../settings/settings.js';
import type { Faults } from './views/fields.js';
import type { Typed } from './views/home.js';
import { Home } from './views/home.js';

/** The form that creates pushes, either empty or with the errors of a refused submission. */
@Injectable()
export class HomeForm {
  constructor(
    private readonly rules: PushRules,
    private readonly settings: Settings,
  ) {}

  view(user: User | undefined, typed?: Typed, faults?: Faults): VNode {
    const mayAttach = user !== undefined || !this.settings.FILES_REQUIRE_AUTHENTICATION;
    return <Home rules={this.rules} mayAttach={mayAttach} typed={typed} faults={faults} />;
  }
}

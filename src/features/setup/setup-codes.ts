import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { secureRandom, digestOf } from '../../platform/random/random.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { ifUnsealed } from '../../platform/sealing/secretbox.js';
import { AccountError } from '../../auth/errors/account-error.js';
import {
  AdministratorsState,
  ADMINISTRATORS_STATE,
} from '../../auth/entities/administrators-state.entity.js';
import { AdministratorsService } from '../../auth/users/administrators.service.js';
import { declareProblems } from '../../platform/errors/problem.js';

const SetupProblem = declareProblems({
  setup_code_wrong: ['This is not the setup code.', 'formError.setupCode', 'code'],
});

const CODE_BYTES = 16;
const [OWNER, CONTEXT] = ['setup', 'administration/setup_code'];

/** The setup code is not the one that the log has. */
export class WrongSetupCode extends AccountError {
  constructor() {
    super(new SetupProblem('setup_code_wrong'));
  }
}

/**
 * The code that whoever can read the log uses to create the first administrator. The database has it sealed, so that
 * all processes log and accept the same code. It ends with the first administrator.
 */
@Injectable()
export class SetupCodes {
  constructor(
    private readonly administrators: AdministratorsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
  ) {}

  /** The code, which is created if there is none; undefined if there is an administrator. */
  async current(): Promise<string | undefined> {
    if (await this.administrators.exist()) return undefined;
    return this.unitOfWork.run(async (manager) => {
      await this.administrators.lockWithin(manager);
      if (await this.administrators.existWithin(manager)) return undefined;
      return (await this.findWithin(manager)) ?? this.createWithin(manager);
    });
  }

  /** @throws WrongSetupCode */
  async checkWithin(manager: EntityManager, code: string): Promise<void> {
    const right = await this.findWithin(manager);
    if (right === undefined || !isSame(code.trim().toLowerCase(), right)) throw new WrongSetupCode();
  }

  private async createWithin(manager: EntityManager): Promise<string> {
    const code = secureRandom(CODE_BYTES).toString('hex');
    const { masterKeyId, sealed } = this.keyring.seal(Buffer.from(code), OWNER, CONTEXT);
    await manager.update(AdministratorsState, ADMINISTRATORS_STATE, {
      setupKeyId: masterKeyId,
      setupCode: sealed,
    });
    return code;
  }

  /** Undefined also if the code was sealed with a master key that has been replaced. */
  private async findWithin(manager: EntityManager): Promise<string | undefined> {
    const { setupKeyId, setupCode } = await manager.findOneByOrFail(AdministratorsState, {
      id: ADMINISTRATORS_STATE,
    });
    if (setupKeyId === null || setupCode === null) return undefined;
    const sealed = { masterKeyId: setupKeyId, sealed: setupCode };
    return ifUnsealed(() => this.keyring.unseal(sealed, OWNER, CONTEXT).toString());
  }
}

function isSame(code: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(code)), Buffer.from(digestOf(right)));
}

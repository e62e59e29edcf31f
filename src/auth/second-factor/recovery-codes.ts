import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { EntityManager } from 'typeorm';
import { Repository } from 'typeorm';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { InstanceAudit } from '../../platform/instance-audit/instance-audit.service.js';
import { newId, secureRandom, digestOf } from '../../platform/random/random.js';
import { RecoveryCode } from '../entities/recovery-code.entity.js';
import { RecoveryKey } from '../entities/recovery-key.entity.js';
import { User } from '../entities/user.entity.js';
import { AccountNotices } from '../notices/account-notices.js';
import { RecoveryKeySeal } from './account-secret-seals.js';

const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 10;
const RECOVERY_CODE = /^[0-9a-f]{20}$/;
const IMPORTED_RECOVERY_CODE = /^[0-9a-f]{10}$/;

/** Recovery codes that are known only by their digests: HMAC-SHA256 of `prefix` and the code, in hex. */
export interface ImportedRecoveryCodes {
  digests: string[];
  prefix: string;
  /** Of the HMAC, in hex. */
  key: string;
}

/** Codes for who has lost their second factor. Each is accepted once, also by several processes. */
@Injectable()
export class RecoveryCodes {
  constructor(
    @InjectRepository(RecoveryCode) private readonly codes: Repository<RecoveryCode>,
    @InjectRepository(RecoveryKey) private readonly keys: Repository<RecoveryKey>,
    private readonly seal: RecoveryKeySeal,
    private readonly notices: AccountNotices,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: InstanceAudit,
  ) {}

  countOf({ id: userId }: User): Promise<number> {
    return this.codes.countBy({ userId });
  }

  /** Whether this is a code of the account, which is then used. */
  async use(user: User, code: string, now: Date): Promise<boolean> {
    if (RECOVERY_CODE.test(code)) return this.useDigest(user, digestOf(code), now);
    const found = IMPORTED_RECOVERY_CODE.test(code) && (await this.keys.findOneBy({ userId: user.id }));
    if (!found) return false;
    const { prefix, key } = this.seal.unseal(found);
    const hmac = createHmac('sha256', Buffer.from(key, 'hex'));
    return this.useDigest(user, hmac.update(prefix + code).digest('hex'), now);
  }

  /** Creates codes when the account has none, and returns them. */
  async createMissingWithin(manager: EntityManager, user: User): Promise<string[]> {
    return (await manager.existsBy(RecoveryCode, { userId: user.id }))
      ? []
      : this.createWithin(manager, user);
  }

  /** Creates ten codes, and returns them; the database has just their digests. */
  async createWithin(manager: EntityManager, { id: userId }: User): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, () =>
      secureRandom(RECOVERY_CODE_BYTES).toString('hex'),
    );
    await this.insertWithin(manager, userId, codes.map(digestOf));
    return codes.map((code) => code.replaceAll(/.{5}(?!$)/g, '$&-'));
  }

  async importWithin(
    manager: EntityManager,
    { id: userId }: User,
    { digests, prefix, key }: ImportedRecoveryCodes,
  ): Promise<void> {
    const id = newId();
    const sealed = this.seal.seal({ prefix, key }, { id, userId });
    await manager.insert(RecoveryKey, { id, userId, ...sealed });
    await this.insertWithin(manager, userId, digests);
  }

  async deleteWithin(manager: EntityManager, userId: string): Promise<void> {
    await manager.delete(RecoveryCode, { userId });
    await manager.delete(RecoveryKey, { userId });
  }

  private async insertWithin(manager: EntityManager, userId: string, digests: string[]): Promise<void> {
    await manager.insert(
      RecoveryCode,
      digests.map((digest) => ({ id: newId(), userId, digest })),
    );
  }

  private useDigest(user: User, digest: string, now: Date): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      await this.unitOfWork.findForUpdate(manager, User, { id: user.id });
      const { affected } = await manager.delete(RecoveryCode, { userId: user.id, digest });
      if (affected !== 1) return false;
      await this.notices.addWithin(manager, user, 'recovery_code_used', user.language ?? undefined, now);
      await this.audit.recordWithin(manager, 'recovery_code_used', { subject: user, by: user });
      return true;
    });
  }
}

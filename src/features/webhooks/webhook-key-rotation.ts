import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, MoreThan, Not, Repository } from 'typeorm';
import { Pace } from '../../platform/database/pace.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { Keyring } from '../../platform/sealing/keyring.js';
import { UnsealError } from '../../platform/sealing/secretbox.js';
import { WebhookSeal } from './webhook-seal.js';
import { Webhook } from './webhook.entity.js';

/** Rows in a batch: few, because a transaction blocks others. */
const BATCH = 50;

/** Seals webhooks with the current master key, so that older ones are no longer needed. */
@Injectable()
export class WebhookKeyRotation {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly unitOfWork: UnitOfWork,
    private readonly keyring: Keyring,
    private readonly webhookSeal: WebhookSeal,
  ) {}

  /** Returns how many rows cannot be unsealed, because they were tampered with. */
  async rotate(): Promise<number> {
    const pace = new Pace();
    let broken = 0;
    for (let batch = await this.idsAfter(''); batch.length > 0;) {
      broken += await this.reseal(batch);
      await pace.pause();
      batch = await this.idsAfter(batch.at(-1) ?? '');
    }
    return broken;
  }

  private async idsAfter(id: string): Promise<string[]> {
    const where = { masterKeyId: Not(this.keyring.current), id: MoreThan(id) };
    const rows = await this.webhooks.find({ select: { id: true }, where, order: { id: 'ASC' }, take: BATCH });
    return rows.map((row) => row.id);
  }

  /** The rows are locked, because their owners may replace a secret at the same time. */
  private reseal(ids: string[]): Promise<number> {
    return this.unitOfWork.run(async (manager) => {
      const webhooks = await this.unitOfWork.findAllForUpdate(manager, Webhook, { id: In(ids) });
      let broken = 0;
      for (const webhook of webhooks) {
        const resealed = this.resealed(webhook);
        if (resealed) await manager.update(Webhook, { id: webhook.id }, resealed);
        else broken += 1;
      }
      return broken;
    });
  }

  /** Undefined when it cannot be unsealed. */
  private resealed(webhook: Webhook): Pick<Webhook, 'masterKeyId' | 'sealed'> | undefined {
    try {
      return this.webhookSeal.seal(this.webhookSeal.unseal(webhook), webhook);
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  }
}

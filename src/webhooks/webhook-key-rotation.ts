import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, Not, Repository } from 'typeorm';
import { UnitOfWork } from '../database/transactions/unit-of-work.js';
import { Keyring } from '../sealing/keyring.js';
import { UnsealError } from '../sealing/secretbox.js';
import { WebhookSeal } from './webhook-seal.js';
import { Webhook } from './webhook.entity.js';

const BATCH = 100;

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
    let broken = 0;
    for (let batch = await this.batchAfter(''); batch.length > 0;) {
      for (const { id } of batch) broken += Number(!(await this.reseal(id)));
      batch = await this.batchAfter(batch.at(-1)?.id ?? '');
    }
    return broken;
  }

  private batchAfter(id: string): Promise<Webhook[]> {
    const where = { masterKeyId: Not(this.keyring.current), id: MoreThan(id) };
    return this.webhooks.find({ select: { id: true }, where, order: { id: 'ASC' }, take: BATCH });
  }

  /** The row is locked, because its owner may replace the secret at the same time. */
  private async reseal(id: string): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const webhook = await this.unitOfWork.findForUpdate(manager, Webhook, { id });
      if (!webhook) return true;
      try {
        const sealed = this.webhookSeal.seal(this.webhookSeal.unseal(webhook), webhook);
        await manager.update(Webhook, { id }, sealed);
        return true;
      } catch (error) {
        if (error instanceof UnsealError) return false;
        throw error;
      }
    });
  }
}

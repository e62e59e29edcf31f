import { readFileSync } from 'node:fs';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { VersionModule } from '../../src/version/version.module.js';
import { VersionService } from '../../src/version/version.service.js';
import { AuditForwarder } from './audit-forwarder.js';
import { AuditWebhookController } from './audit-webhook.controller.js';
import { Webhook } from './webhook.js';

export interface AuditWebhookOptions {
  url: string;
  /** A file with the secret that both sides know. */
  secretFile: string;
  firstPauseMs?: number;
}

/** Notifies another service of what happens to pushes. docs/extending.md explains it. */
@Module({})
export class AuditWebhookModule {
  static to({ url, secretFile, firstPauseMs = 1000 }: AuditWebhookOptions): DynamicModule {
    const webhook = (version: VersionService) =>
      new Webhook({
        url,
        secret: readFileSync(secretFile, 'utf8').trim(),
        userAgent: `sealpush/${version.describe().application_version}`,
        firstPauseMs,
      });
    return {
      module: AuditWebhookModule,
      imports: [VersionModule],
      controllers: [AuditWebhookController],
      providers: [AuditForwarder, { provide: Webhook, inject: [VersionService], useFactory: webhook }],
    };
  }
}

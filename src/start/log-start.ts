import { stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DataSource } from 'typeorm';
import { engineFor } from '../platform/database/engines/engines.js';
import { Contributions } from '../platform/contributions/contributions.js';
import type { NextStepOfOperator } from '../platform/http/connections/next-steps.js';
import { NextStep } from '../platform/http/connections/next-steps.js';
import { Log } from '../platform/logging/log.js';
import { masterKeyPath } from '../platform/sealing/master-key-file.js';
import { MasterKey } from '../platform/sealing/master-key.entity.js';
import { Settings } from '../platform/settings/settings.js';

/** What a start has found in the database and DATA_DIR. */
interface StartFacts {
  createdDatabase: boolean;
  createdMasterKey: boolean;
  nextSteps: NextStepOfOperator[];
}

/** Read before the service listens: once it does, a signal may close the database at any time. */
export async function readStartFacts(app: INestApplication, startedAt: Date): Promise<StartFacts> {
  const createdDatabase = await hasCreatedDatabase(app.get(DataSource), startedAt);
  const methods = app.get(Contributions).methods(NextStep);
  const nextSteps = await Promise.all(methods.map(({ contributed }) => contributed()));
  return {
    createdDatabase,
    createdMasterKey: createdDatabase && (await isCreatedSince(startedAt, masterKeyPath(app.get(Settings)))),
    nextSteps: nextSteps.filter((step) => step !== undefined),
  };
}

/** Logs what the operator should know about the first start; on later starts only its URL. */
export async function logStart(app: NestExpressApplication, facts: StartFacts): Promise<void> {
  const log = app.get(Log);
  const settings = app.get(Settings);
  const localUrl = await urlToOpen(app);
  const { createdDatabase, createdMasterKey, nextSteps } = facts;
  const baseUrl = settings.PUBLIC_URL ?? localUrl;

  if (createdDatabase) log.event('Created the database', engineFor(settings).location(settings));
  if (createdMasterKey) {
    log.event(
      'Created the master key. Keep a copy of it, separate from copies of the database: without it nothing can be decrypted',
      { path: masterKeyPath(settings) },
    );
  }
  log.event('Listening', { address: localUrl, publicUrl: settings.PUBLIC_URL });
  if (createdDatabase && !settings.isGateway)
    log.event('API documentation', { address: `${baseUrl}/api/docs` });
  for (const { message, path, more } of nextSteps)
    log.event(message, { address: `${baseUrl}${path}`, ...more });
}

/** The URL for a browser on this machine: it cannot open the one that stands for all IP addresses of the machine. */
async function urlToOpen(app: NestExpressApplication): Promise<string> {
  const url = await app.getUrl();
  const { address, port } = app.getHttpServer().address() as AddressInfo;
  return address === '0.0.0.0' || address === '::' ? `http://localhost:${port}` : url;
}

/** The first master key is registered in the database at the first start. */
async function hasCreatedDatabase(dataSource: DataSource, startedAt: Date): Promise<boolean> {
  const [first, second] = await dataSource.manager.find(MasterKey, { take: 2 });
  return first !== undefined && second === undefined && first.createdAt >= startedAt;
}

async function isCreatedSince(startedAt: Date, path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.mtime >= startedAt;
}

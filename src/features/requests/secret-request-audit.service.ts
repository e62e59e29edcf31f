import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { MAX_AUDITED } from '../../audit/audit-entry.entity.js';
import { clientColumns } from '../../audit/audit.service.js';
import { PreparedStatements } from '../../platform/database/statements/statements.js';
import type { Transaction } from '../../platform/database/transactions/unit-of-work.js';
import { UnitOfWork } from '../../platform/database/transactions/unit-of-work.js';
import { findPage } from '../../platform/http/paging/find-page.js';
import type { ListPage } from '../../platform/http/paging/list-page.js';
import { Paged } from '../../platform/http/paging/list-page.js';
import type { Visitor } from '../../platform/http/visitor.js';
import { newId } from '../../platform/random/random.js';
import type { SecretRequestAuditKind } from './secret-request-audit-entry.entity.js';
import { SecretRequestAuditEntry } from './secret-request-audit-entry.entity.js';
import { SecretRequest } from './secret-request.entity.js';

/** The audit log of requests. What happens to an answer is in the log of its push. */
@Injectable()
export class SecretRequestAuditService {
  private readonly statements: PreparedStatements<SecretRequestAuditEntry>;
  private readonly requests: PreparedStatements<SecretRequest>;

  constructor(
    @InjectRepository(SecretRequestAuditEntry) private readonly entries: Repository<SecretRequestAuditEntry>,
    private readonly unitOfWork: UnitOfWork,
  ) {
    const { dataSource } = entries.manager;
    this.statements = new PreparedStatements(dataSource, SecretRequestAuditEntry);
    this.requests = new PreparedStatements(dataSource, SecretRequest);
  }

  /** Adds an entry, in the transaction of what it records. */
  record(tx: Transaction, kind: SecretRequestAuditKind, event: AuditedEvent): void {
    const { requestId, urlToken, visitor, now } = event;
    const columns = { id: newId(), requestId, kind, createdAt: now };
    this.statements.insert(tx, { ...columns, ...clientColumns(visitor, urlToken) });
  }

  /** Adds an entry about a wrong passphrase, up to the limit. */
  async recordFailure(request: SecretRequest, event: AuditedEvent): Promise<void> {
    await this.unitOfWork.write((tx) => {
      this.requests.incrementOrAbort(tx, request, 'failuresAudited', MAX_AUDITED);
      this.record(tx, 'failed_passphrase', event);
    });
  }

  /** A page of a request's log, oldest first. */
  async list(requestId: string, page: ListPage): Promise<Paged<SecretRequestAuditEntry[]>> {
    const log = this.entries
      .createQueryBuilder('entry')
      .where('entry.requestId = :requestId', { requestId })
      .orderBy('entry.id', 'ASC');
    const [entries, total] = await findPage(log, page);
    return new Paged(entries, page.number, total);
  }
}

interface AuditedEvent {
  requestId: string;
  /** Never stored: a referrer that contains it is cut to its origin. */
  urlToken: string;
  visitor: Visitor;
  now: Date;
}

import { Get, Query } from '@nestjs/common';
import { AdministratorPage } from '../../auth/access.decorators.js';
import { ListPage } from '../../http/paging/list-page.js';
import { INSTANCE_AUDIT_KINDS } from '../../instance-audit/instance-audit-entry.entity.js';
import { InstanceAudit } from '../../instance-audit/instance-audit.service.js';
import { PageController } from '../pages/page-controller.js';
import { PageResponse } from '../pages/page-response.js';
import { InstanceAuditPage } from '../views/admin/instance-audit.js';

@PageController()
export class InstanceAuditController {
  constructor(private readonly audit: InstanceAudit) {}

  /** What accounts, administrators, commands and the service did, newest first; an unknown kind is none. */
  @Get('admin/audit')
  @AdministratorPage()
  async show(@Query('page') page: unknown, @Query('kind') wanted: unknown): Promise<PageResponse> {
    const kind = INSTANCE_AUDIT_KINDS.find((known) => known === wanted);
    const list = await this.audit.list(ListPage.parse(page), kind);
    return new PageResponse(<InstanceAuditPage list={list} kind={kind} />);
  }
}

import { auditKindText, declareAuditKinds, instanceAuditKinds } from './instance-audit-kinds.js';

describe('Kinds of the audit log', () => {
  it('are those of the core and those that features declare, each with its text', () => {
    const { tulip_planted, tulip_eaten } = declareAuditKinds({
      tulip_planted: 'webhooks.title',
      tulip_eaten: null,
    });

    expect(instanceAuditKinds()).toEqual(expect.arrayContaining(['signed_in', tulip_planted, tulip_eaten]));
    expect(auditKindText('signed_in')).toBe('instanceAudit.signed_in');
    expect(auditKindText(tulip_planted)).toBe('webhooks.title');
    expect(auditKindText(tulip_eaten)).toBeNull();
  });

  it('of a feature that is no longer there have no text', () => {
    expect(auditKindText('gone_with_its_feature' as never)).toBeNull();
  });

  it('are declared once, and fit into the column', () => {
    expect(() => declareAuditKinds({ signed_in: null })).toThrow(
      'The audit kind signed_in is declared twice.',
    );
    expect(() => declareAuditKinds({ ['a'.repeat(31)]: null })).toThrow('is too long');
  });
});

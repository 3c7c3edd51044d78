import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { personalTables } from '#platform/privacy/personal-tables.ts';

export const decisionsData: PersonalData = {
  tables: personalTables({
    credit_decisions: {
      orderBy: 'decided_at, id',
      staffOnlyFields: ['answered_by'],
      erase: { answer_reason: ERASED },
      auditTrail: { kind: 'credit_decision', id: 'id' },
    },
    credit_standings: {},
    bureau_reports: { orderBy: 'asked_at', erase: 'delete' },
  }),
};

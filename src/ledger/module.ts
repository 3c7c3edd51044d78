import { defineModule } from '#module';
import { definePersonalTables } from '#platform/privacy/personal-tables.ts';
import { createAuditCommand } from './commands/audit.ts';
import { CLOSING_CRON, createClosingTasks } from './days.ts';

export const ledgerModule = defineModule({
  name: 'ledger',
  personalData: {
    tables: definePersonalTables({
      ledger_postings: { orderBy: 'id' },
      ledger_entries: { orderBy: 'posting_id, line' },
    }),
  },
  commands: ({ auditors }) => [createAuditCommand(auditors)],
  open: (deps) => ({ tasks: createClosingTasks(deps), cron: CLOSING_CRON }),
});

import { defineModule } from '#module';
import { auditCommand } from './commands/audit.ts';
import { CLOSING_CRON, closingTasks } from './days.ts';
import { ledgerData } from './personal-data.ts';

export const ledgerModule = defineModule({
  name: 'ledger',
  personalData: ledgerData,
  commands: ({ auditors }) => [auditCommand(auditors)],
  open: (deps) => ({ tasks: closingTasks(deps), cron: CLOSING_CRON }),
});

import { defineModule } from '#module';
import { auditCommand } from './commands/audit.ts';

export const ledgerModule = defineModule({
  name: 'ledger',
  commands: ({ auditors }) => [auditCommand(auditors)],
});

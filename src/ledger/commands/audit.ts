import { inReais } from '#core/money.ts';
import type { Auditor } from '#module';
import { type Command, table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { readingCommand } from '#platform/command-line/reading.ts';
import { ACCOUNTS, MERCHANT_ACCOUNTS } from '../accounts.ts';
import { audit } from '../audit.ts';

export const auditCommand = (auditors: readonly Auditor[]): Command =>
  readingCommand({
    name: 'audit',
    summary: 'recompute all money from the entries and say what disagrees',
    details:
      'Reads only, and may run beside the service. What disagrees goes to standard output, one line each.\n' +
      'Exit code: 0 everything agrees, 1 something does not.',
    async read({ db, found }) {
      const bar = new ProgressBar('Auditing');
      const { customers, disagreements, balances } = await audit(db, auditors, {
        disagreement(text) {
          bar.clear();
          found({ disagreement: text }, text);
        },
        progress: (share) => bar.show(share, ''),
      });
      bar.clear();
      const inAccounts = [...new Set([...ACCOUNTS, ...MERCHANT_ACCOUNTS])].map(
        (account) => [account, inReais(balances.get(account) ?? 0)] as [string, string],
      );
      const looked = `Recomputed all money of ${customers} ${customers === 1 ? 'customer' : 'customers'}`;
      const things = disagreements === 1 ? 'thing disagrees' : 'things disagree';
      const outcome = disagreements === 0 ? 'everything agrees' : `${disagreements} ${things}`;
      return {
        records: [{ customers, disagreements, balances: Object.fromEntries(inAccounts) }],
        text: `${table(['ACCOUNT', 'BALANCE'], inAccounts)}\n\n${looked}: ${outcome}.`,
        code: disagreements === 0 ? 0 : 1,
      };
    },
  });

import { inReais } from '#core/money.ts';
import { type Command, table } from '#platform/command.ts';
import { ProgressBar } from '#platform/progress-bar.ts';
import { ACCOUNTS } from '../accounts.ts';
import { type Auditor, audit } from '../audit.ts';

export const auditCommand = (auditors: readonly Auditor[]): Command => ({
  name: 'audit',
  summary: 'recompute all money from the entries and say what disagrees',
  details:
    'Reads only, and may run beside the service. What disagrees goes to standard output, one line each.\n' +
    'Exit code: 0 everything agrees, 1 something does not.',
  async run({ db, print }) {
    const bar = new ProgressBar('Auditing');
    const { customers, disagreements, balances } = await audit(db, auditors, {
      disagreement(text) {
        bar.clear();
        print(text);
      },
      progress: (share) => bar.show(share, ''),
    });
    bar.clear();
    const rows = ACCOUNTS.map((account) => [account, inReais(balances.get(account) ?? 0)]);
    print(`${table(['ACCOUNT', 'BALANCE'], rows)}\n`);
    const looked = `Recomputed all money of ${customers} ${customers === 1 ? 'customer' : 'customers'}`;
    if (disagreements === 0) print(`${looked}: everything agrees.`);
    else print(`${looked}: ${disagreements} ${disagreements === 1 ? 'thing disagrees' : 'things disagree'}.`);
    return disagreements === 0 ? 0 : 1;
  },
});

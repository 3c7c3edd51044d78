import { formatPlainReais } from '#core/values/money.ts';
import type { Auditor } from '#module';
import { type Command, layOutTable, queryCommand } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { ACCOUNTS, MERCHANT_ACCOUNTS } from '../accounts.ts';
import { runAudit } from '../audit.ts';

export const createAuditCommand = (auditors: readonly Auditor[]): Command =>
  queryCommand({
    name: 'audit',
    summary: 'recompute all amounts from the entries and report mismatches',
    details:
      'Read-only; it may run while the service runs. Mismatches are printed to standard output, one per line.\n' +
      'Exit codes: 0 no mismatches, 1 mismatches.',
    async query({ db, printResult }) {
      const progressBar = new ProgressBar('Auditing');
      const { customerCount, mismatchCount, balances } = await runAudit(db, auditors, {
        onMismatch(text) {
          progressBar.clear();
          printResult({ disagreement: text }, text);
        },
        onProgress: (share) => progressBar.show(share),
      });
      progressBar.clear();
      const balanceRows = [...new Set([...ACCOUNTS, ...MERCHANT_ACCOUNTS])].map(
        (account) => [account, formatPlainReais(balances.get(account) ?? 0)] as [string, string],
      );
      const auditedText = `Recomputed all money of ${customerCount} ${customerCount === 1 ? 'customer' : 'customers'}`;
      const mismatchPhrase = mismatchCount === 1 ? 'thing disagrees' : 'things disagree';
      const outcome = mismatchCount === 0 ? 'everything agrees' : `${mismatchCount} ${mismatchPhrase}`;
      return {
        records: [
          {
            customers: customerCount,
            disagreements: mismatchCount,
            balances: Object.fromEntries(balanceRows),
          },
        ],
        text: `${layOutTable(['ACCOUNT', 'BALANCE'], balanceRows)}\n\n${auditedText}: ${outcome}.`,
        exitCode: mismatchCount === 0 ? 0 : 1,
      };
    },
  });

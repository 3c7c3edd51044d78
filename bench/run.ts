import { runCatalogBench } from './catalog.ts';
import { compareWorkingCopies } from './compare.ts';
import { runCreditBench } from './credit.ts';
import { runGrowthBench } from './growth.ts';
import { cleanUpOnSignals } from './interruption.ts';
import { runLoginBench } from './login.ts';
import { runOfficeBench } from './office.ts';
import { options } from './options.ts';
import { writePerformancePage } from './performance-page.ts';
import { runPixBench } from './pix.ts';
import { runRemindersBench } from './reminders.ts';
import { runReportsBench } from './reports.ts';
import { runRewardsBench } from './rewards.ts';
import { runSellingBench } from './selling.ts';
import { runWebBench } from './web.ts';
import { runWebhooksBench } from './webhooks.ts';

/**
 * The benches by name. Each returns whether it passed. Each measures a baseline in the same run, because ratios can be compared between
 * machines, and rates cannot.
 */
const BENCHES: Record<string, () => Promise<boolean>> = {
  catalog: runCatalogBench,
  credit: runCreditBench,
  growth: runGrowthBench,
  login: runLoginBench,
  office: runOfficeBench,
  pix: runPixBench,
  reminders: runRemindersBench,
  reports: runReportsBench,
  rewards: runRewardsBench,
  webhooks: runWebhooksBench,
  selling: runSellingBench,
  web: runWebBench,
};

cleanUpOnSignals();
const [command, ...commandArguments] = options.positionals;
if (command === 'compare') process.exit((await compareWorkingCopies(commandArguments)) ? 0 : 2);
if (command === 'page') {
  writePerformancePage();
  process.exit(0);
}
const benchNames = options.positionals;
const unknownName = benchNames.find((name) => !(name in BENCHES));
if (unknownName !== undefined) {
  process.stderr.write(
    `Unknown bench '${unknownName}'. The benches are: ${Object.keys(BENCHES).join(', ')}.\n`,
  );
  process.exit(2);
}
let areAllPassed = true;
for (const name of benchNames.length > 0 ? benchNames : Object.keys(BENCHES)) {
  if (!(await BENCHES[name]!())) areAllPassed = false;
}
process.exit(areAllPassed ? 0 : 1);

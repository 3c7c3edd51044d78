import { catalogBench } from './catalog.ts';
import { compareCheckouts } from './compare.ts';
import { creditBench } from './credit.ts';
import { growthBench } from './growth.ts';
import { cleanUpOnSignals } from './interruption.ts';
import { loginBench } from './login.ts';
import { officeBench } from './office.ts';
import { options } from './options.ts';
import { writePerformancePage } from './performance-page.ts';
import { pixBench } from './pix.ts';
import { remindersBench } from './reminders.ts';
import { reportsBench } from './reports.ts';
import { rewardsBench } from './rewards.ts';
import { sellingBench } from './selling.ts';
import { webBench } from './web.ts';
import { webhooksBench } from './webhooks.ts';

/** Each bench measures a baseline in the same run: ratios can be compared between machines, rates cannot. */
const BENCHES: Record<string, () => Promise<boolean>> = {
  catalog: catalogBench,
  credit: creditBench,
  growth: growthBench,
  login: loginBench,
  office: officeBench,
  pix: pixBench,
  reminders: remindersBench,
  reports: reportsBench,
  rewards: rewardsBench,
  webhooks: webhooksBench,
  selling: sellingBench,
  web: webBench,
};

cleanUpOnSignals();
if (options.names[0] === 'compare') process.exit((await compareCheckouts(options.names.slice(1))) ? 0 : 2);
if (options.names[0] === 'page') {
  writePerformancePage();
  process.exit(0);
}
const benchNames = options.names;
const unknownName = benchNames.find((name) => !(name in BENCHES));
if (unknownName !== undefined) {
  process.stderr.write(
    `Unknown bench '${unknownName}'. The benches are: ${Object.keys(BENCHES).join(', ')}.\n`,
  );
  process.exit(2);
}
let passed = true;
for (const name of benchNames.length > 0 ? benchNames : Object.keys(BENCHES)) {
  if (!(await BENCHES[name]!())) passed = false;
}
process.exit(passed ? 0 : 1);

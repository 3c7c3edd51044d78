import { catalogBench } from './catalog.ts';
import { creditBench } from './credit.ts';
import { growthBench } from './growth.ts';
import { endOnSignals } from './interruption.ts';
import { loginBench } from './login.ts';
import { officeBench } from './office.ts';
import { pixBench } from './pix.ts';
import { remindersBench } from './reminders.ts';
import { reportsBench } from './reports.ts';
import { rewardsBench } from './rewards.ts';
import { sellingBench } from './selling.ts';
import { webBench } from './web.ts';
import { webhooksBench } from './webhooks.ts';

/** Each measures against a baseline in the same run: ratios are comparable between machines, rates are not. */
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

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in BENCHES));
if (unknown !== undefined) {
  process.stderr.write(`There is no bench '${unknown}'; there are: ${Object.keys(BENCHES).join(', ')}.\n`);
  process.exit(2);
}
endOnSignals();
let passed = true;
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  if (!(await BENCHES[name]!())) passed = false;
}
process.exit(passed ? 0 : 1);

import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { layOutTable } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { isReminderHour } from '../src/notifications/reminder-schedule.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { type Service, startService } from './processes.ts';
import { encryptCustomerIdentities, generatePurchases } from './purchases.ts';
import { median } from './side-by-side.ts';

const CUSTOMERS = Number(process.env.CUSTOMERS ?? 100_000);
/** The longest time for which reminders are observed. */
const MAX_SECONDS = Number(process.env.SECONDS ?? 90);
/** The number of login codes that are measured without reminders, and again during them. */
const CODE_COUNT = 15;
/** A code may be delayed by a busy machine, but not by the reminders queued before it. */
const MAX_CODE_MS = 5_000;

/**
 * Measures how many reminders are created and sent per second when every customer has an installment due today, and how long login codes
 * take meanwhile.
 */
export async function runRemindersBench(): Promise<boolean> {
  if (!isReminderHour(new Date())) {
    process.stdout.write(
      'Reminders are sent only from 8 to 20 h on working days in São Paulo. Run this bench then.\n',
    );
    return true;
  }
  return withBenchDatabase(async ({ url }) => {
    const bar = new ProgressBar('reminders');
    const idleService = await startService({ DATABASE_URL: url, REMINDERS: 'none' });
    const db = openBenchDb(url);
    bar.showNote('codes ...');
    const idleCodesMs = await measureLoginCodes(db, idleService);
    await idleService.stop();
    // One purchase per customer, made 7 days ago: its first installment is due today, and none is paid.
    const select = (first: number, last: number) =>
      `select n as customer, 1 as purchase, 7 as days_ago, 0 as paid_installments from generate_series(${first}, ${last}) as n`;
    await generatePurchases(url, { customers: CUSTOMERS, cashbackPpm: 0, select }, (share) =>
      bar.show(share, 'purchases'),
    );
    await encryptCustomerIdentities(db);
    const service = await startService({ DATABASE_URL: url, TRUST_PROXY: '127.0.0.1' });
    try {
      // With `isAgain` the job runs even if the service has already run it today.
      await db.run(sql`
        select 1 from graphile_worker.add_job('notices_of_the_day', payload => '{"isAgain": true}')`);
      bar.showNote('reminders ...');
      const [counts, busyCodesMs] = await Promise.all([
        observeReminders(db),
        measureLoginCodes(db, service, MAX_SECONDS),
      ]);
      bar.clear();
      return writeReport({ ...counts, idleCodesMs, busyCodesMs });
    } finally {
      bar.clear();
      await service.stop();
      await db.close();
    }
  });
}

/** Returns how many milliseconds each code takes from the request to the inbox. The requests are spread over `seconds`. */
async function measureLoginCodes(db: Db, service: Service, seconds = 0): Promise<number[]> {
  const durationsMs: number[] = [];
  for (let i = 0; i < CODE_COUNT; i++) {
    const phone = `+55219${randomInt(60_000_000, 99_999_999)}`;
    const startedAtMs = performance.now();
    const response = await fetch(`${service.url}/wallet/auth/otp`, {
      method: 'POST',
      headers: {
        'x-api-key': 'sandbox-demo-key',
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.${randomInt(256)}.${randomInt(256)}`,
      },
      body: JSON.stringify({ phone }),
    });
    if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
    const findMessage = () => db.row(sql`select from sandbox_messages where phone = ${phone}`);
    while ((await findMessage()) === undefined) await sleep(20);
    durationsMs.push(performance.now() - startedAtMs);
    await sleep((seconds * 1000) / CODE_COUNT);
  }
  return durationsMs;
}

async function observeReminders(db: Db): Promise<{ created: number; sent: number; seconds: number }> {
  const startedAtMs = performance.now();
  for (;;) {
    await sleep(2_000);
    const seconds = (performance.now() - startedAtMs) / 1000;
    const { created, sent } = (await db.row<{ created: number; sent: number }>(sql`
      select count(*) as created, count(sent_at) as sent from messages where template = 'reminder'`))!;
    if (seconds >= MAX_SECONDS || sent >= CUSTOMERS) return { created, sent, seconds };
  }
}

type Figures = Awaited<ReturnType<typeof observeReminders>> & {
  idleCodesMs: number[];
  busyCodesMs: number[];
};

/** Returns whether the bench passed: reminders were sent, and codes were not delayed by them. */
function writeReport({ created, sent, seconds, idleCodesMs, busyCodesMs }: Figures): boolean {
  const formatRate = (count: number) => (count / seconds).toFixed(0);
  const formatMs = (durationsMs: number[]) =>
    `${median(durationsMs).toFixed(0)}, at most ${Math.max(...durationsMs).toFixed(0)}`;
  const rows = [
    ['reminders created per second', formatRate(created)],
    ['reminders sent per second, each with a code', formatRate(sent)],
    ['login code without reminders (ms, median)', formatMs(idleCodesMs)],
    ['login code during the reminders', formatMs(busyCodesMs)],
  ];
  process.stdout.write(`${layOutTable([`REMINDERS TO ${CUSTOMERS.toLocaleString('en')}`, ''], rows)}\n\n`);
  return created > 0 && sent > 0 && median(busyCodesMs) < MAX_CODE_MS;
}

import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { daysBetween, saoPauloDay } from '#core/values/day.ts';
import { layOutTable } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { findNextReminderTime } from '../src/notifications/reminder-schedule.ts';
import { createPostgresMeter, createProcessMeter, readCpuMeters } from './cpu.ts';
import { openWorkMeter, STATEMENT_COUNTING_SETTINGS } from './database-work.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { options } from './options.ts';
import { type Service, startService, startSimulator } from './processes.ts';
import { profileScenario } from './profile.ts';
import { encryptCustomerIdentities, generatePurchases } from './purchases.ts';
import { median } from './side-by-side.ts';

const CUSTOMERS = Number(process.env.CUSTOMERS ?? 10_000);
/** The longest time for which reminders are observed. */
const MAX_SECONDS = Number(process.env.SECONDS ?? 300);
const POLL_MS = 500;
/** The fraction of the reminders after which PostgreSQL analyzes the tables. */
const WARM_UP_SHARE = 0.05;
/** The number of login codes that are measured without reminders, and again during them. */
const CODE_COUNT = 15;
/** The time over which the codes are spread during the reminders. */
const CODES_SECONDS = 30;
/** A code may be delayed by a busy machine, but not by the reminders queued before it. */
const MAX_CODE_MS = 5_000;

/**
 * Measures how many reminders are created and sent per second when every customer has an installment due today, and how long login codes
 * take meanwhile.
 */
export async function runRemindersBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url }) => {
    const bar = new ProgressBar('reminders');
    const idleService = await startService({ DATABASE_URL: url, REMINDERS: 'none' });
    const db = openBenchDb(url);
    bar.showNote('codes ...');
    const idleCodesMs = await measureLoginCodes(db, idleService);
    // The clock is moved ahead, because reminders are sent only in certain hours, which must not end during the bench.
    const startTime = findNextReminderTime(new Date(Date.now() + MAX_SECONDS * 1000));
    await moveClock(idleService, startTime);
    await idleService.stop();
    const daysAhead = daysBetween(saoPauloDay(Date.now()), saoPauloDay(startTime.getTime()));
    // One purchase per customer, made 7 days before the moved clock: its first installment is due on that day, and none is paid.
    const select = (first: number, last: number) =>
      `select n as customer, 1 as purchase, ${7 - daysAhead} as days_ago, 0 as paid_installments from generate_series(${first}, ${last}) as n`;
    await generatePurchases(url, { customers: CUSTOMERS, cashbackPpm: 0, select }, (share) =>
      bar.show(share, 'purchases'),
    );
    await encryptCustomerIdentities(db);
    await insertEarlierMessages(db);
    const simulator = await startSimulator(url);
    const service = await startService({ DATABASE_URL: url, TRUST_PROXY: '127.0.0.1', ...simulator.env });
    const cpuMeters = {
      service: createProcessMeter(service.pid),
      PostgreSQL: await createPostgresMeter(db),
      simulator: createProcessMeter(simulator.pid),
    };
    try {
      bar.showNote('reminders ...');
      const measureReminders = () =>
        Promise.all([sendReminders(db, service, cpuMeters), measureLoginCodes(db, service, CODES_SECONDS)]);
      const profiledRun = { bench: 'reminders', scenario: 'reminders', db, service };
      const [figures, busyCodesMs] = await (options.profile
        ? profileScenario(profiledRun, measureReminders)
        : measureReminders());
      bar.clear();
      return writeReport({ ...figures, idleCodesMs, busyCodesMs });
    } finally {
      bar.clear();
      await service.stop();
      await simulator.stop();
      await db.close();
    }
  }, STATEMENT_COUNTING_SETTINGS);
}

/** Inserts a message about each purchase, so that query plans are like those of a service that has sent messages before. */
async function insertEarlierMessages(db: Db): Promise<void> {
  await db.run(sql`
    insert into messages (customer_id, id, template, status, attempts, channel, created_at, updated_at, sent_at)
    select customer_id, 'msg_' || hash, 'purchase_accepted', 'sent', 1, 'whatsapp', created_at, created_at, created_at
    from checkouts`);
  await db.run(sql`
    insert into message_subjects (customer_id, template, about, step, message_id, told_on)
    select customer_id, 'purchase_accepted', hash, 0, 'msg_' || hash, created_at::date from checkouts`);
  await db.run(sql`analyze messages, message_subjects`);
}

async function moveClock({ staffUrl }: Service, to: Date): Promise<void> {
  const response = await fetch(`${staffUrl}/sandbox/clock`, {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-operator-key', 'content-type': 'application/json' },
    body: JSON.stringify({ now: to.toISOString() }),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
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

/** Starts the job that writes today's reminders, and waits until all are sent. */
async function sendReminders(db: Db, service: Service, cpuMeters: Record<string, () => number>) {
  const workMeter = await openWorkMeter(db, service);
  await workMeter.reset();
  const workBefore = await workMeter.read();
  const walBefore = await workMeter.readWal();
  const cpuBefore = readCpuMeters(cpuMeters);
  const startedAtMs = performance.now();
  const readSeconds = () => (performance.now() - startedAtMs) / 1000;
  // With `isAgain` the job runs even if the service has already run it today.
  await db.run(sql`
    select 1 from graphile_worker.add_job('notices_of_the_day', payload => '{"isAgain": true}')`);
  let counts = { created: 0, sent: 0 };
  let createdSeconds = 0;
  let isAnalyzed = false;
  while (counts.sent < CUSTOMERS && readSeconds() < MAX_SECONDS) {
    await sleep(POLL_MS);
    counts = (await db.row<{ created: number; sent: number }>(sql`
      select count(*) as created, count(sent_at) as sent from messages where template = 'reminder'`))!;
    if (!isAnalyzed && counts.sent >= CUSTOMERS * WARM_UP_SHARE) {
      await db.run(sql`analyze`); // autovacuum would do this within a minute
      isAnalyzed = true;
    }
    if (createdSeconds === 0 && counts.created >= CUSTOMERS) createdSeconds = readSeconds();
  }
  const seconds = readSeconds();
  const cpuAfter = readCpuMeters(cpuMeters);
  const walAfter = await workMeter.readWal();
  const workAfter = await workMeter.read();
  const perReminder = (amount: number) => amount / counts.sent;
  return {
    ...counts,
    createdSeconds: createdSeconds || seconds,
    seconds,
    cpuMs: Object.keys(cpuMeters).map(
      (name) => [name, perReminder((cpuAfter[name]! - cpuBefore[name]!) * 1000)] as const,
    ),
    walBytes: perReminder(walAfter - walBefore),
    roundTrips: perReminder(workAfter.roundTrips - workBefore.roundTrips),
    statements: perReminder(workAfter.statements - workBefore.statements),
    rowsWritten: perReminder(workAfter.rowsWritten - workBefore.rowsWritten),
  };
}

type Figures = Awaited<ReturnType<typeof sendReminders>> & { idleCodesMs: number[]; busyCodesMs: number[] };

/** Returns whether the bench passed: reminders were sent, and codes were not delayed by them. */
function writeReport(figures: Figures): boolean {
  const { created, sent, createdSeconds, seconds, cpuMs, idleCodesMs, busyCodesMs } = figures;
  const formatMs = (durationsMs: number[]) =>
    `${median(durationsMs).toFixed(0)}, at most ${Math.max(...durationsMs).toFixed(0)}`;
  const rows = [
    ['reminders found and written per second', (created / createdSeconds).toFixed(0)],
    ['reminders found, written and sent with a code per second', (sent / seconds).toFixed(0)],
    ...cpuMs.map(([name, ms]) => [`CPU per reminder, ${name}`, `${ms.toFixed(2)} ms`]),
    ['round trips per reminder', figures.roundTrips.toFixed(1)],
    ['statements per reminder', figures.statements.toFixed(1)],
    ['rows written per reminder', figures.rowsWritten.toFixed(1)],
    ['WAL per reminder', `${(figures.walBytes / 1024).toFixed(1)} KB`],
    ['login code without reminders (ms, median)', formatMs(idleCodesMs)],
    ['login code during the reminders', formatMs(busyCodesMs)],
  ];
  process.stdout.write(`${layOutTable([`REMINDERS TO ${CUSTOMERS.toLocaleString('en')}`, ''], rows)}\n\n`);
  return sent > 0 && median(busyCodesMs) < MAX_CODE_MS;
}

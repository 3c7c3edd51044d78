import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { daysBetween, saoPauloDay } from '#core/values/day.ts';
import { layOutTable } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { findNextReminderTime } from '../src/notifications/reminder-schedule.ts';
import { generateIpAddress } from './callers.ts';
import { createPostgresMeter, createProcessMeter, readCpuMeters } from './cpu.ts';
import { openWorkMeter, STATEMENT_COUNTING_SETTINGS } from './database-work.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { options } from './options.ts';
import { type Service, startService, startSimulator } from './processes.ts';
import { profileScenario } from './profile.ts';
import { encryptCustomerIdentities, generatePurchases } from './purchases.ts';
import { median } from './side-by-side.ts';

const CUSTOMERS = Number(process.env.CUSTOMERS ?? 10_000);
/** The maximum time until all reminders are sent. */
const MAX_SECONDS = Number(process.env.SECONDS ?? 300);
const POLL_MS = 500;
/** The fraction of the reminders that is sent before PostgreSQL analyzes the tables. */
const WARM_UP_SHARE = 0.05;
/** The number of login codes that are measured without reminders, and again during them. */
const CODE_COUNT = 15;
/** The time over which the requests of codes are spread during the reminders. */
const CODES_SECONDS = 30;
/** The maximum median for login codes during reminders. A busy machine may delay a code, but reminders that are queued before it may not. */
const MAX_CODE_MS = 5_000;

/**
 * Measures the rate and the cost of reminders when every customer has an installment due today, and how long login codes take without
 * reminders and during them.
 */
export async function runRemindersBench(): Promise<boolean> {
  return withBenchDatabase(async ({ url }) => {
    const bar = new ProgressBar('reminders');
    const idleService = await startService({ DATABASE_URL: url, REMINDERS: 'none' });
    const db = openBenchDb(url);
    bar.showNote('login codes ...');
    const idleCodesMs = await measureLoginCodes(db, idleService, { spreadOverSeconds: 0 });
    // Reminders are sent only at certain hours, which must not end during the bench. So the clock is moved to the next of these hours.
    const startTime = findNextReminderTime(new Date(Date.now() + MAX_SECONDS * 1000));
    await moveClock(idleService, startTime);
    await idleService.stop();
    const daysAhead = daysBetween(saoPauloDay(Date.now()), saoPauloDay(startTime.getTime()));
    // Every customer has one purchase, made 7 days before the time of the moved clock. Its first installment is due on that day, and none is paid.
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
        Promise.all([
          sendReminders(db, service, cpuMeters),
          measureLoginCodes(db, service, { spreadOverSeconds: CODES_SECONDS }),
        ]);
      const profiledRun = { bench: 'reminders', scenario: 'reminders', db, service };
      const [reminderFigures, busyCodesMs] = await (options.profile
        ? profileScenario(profiledRun, measureReminders)
        : measureReminders());
      bar.clear();
      const figures = { ...reminderFigures, idleCodesMs, busyCodesMs };
      printFigures(figures);
      return isPassed(figures);
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

/** Sets the clock of the sandbox. */
async function moveClock({ staffUrl }: Service, now: Date): Promise<void> {
  const response = await fetch(`${staffUrl}/sandbox/clock`, {
    method: 'POST',
    headers: { 'x-api-key': 'sandbox-operator-key', 'content-type': 'application/json' },
    body: JSON.stringify({ now: now.toISOString() }),
  });
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
}

/** Returns how many milliseconds each login code takes from its request to the inbox of the sandbox. */
async function measureLoginCodes(
  db: Db,
  service: Service,
  { spreadOverSeconds }: { spreadOverSeconds: number },
): Promise<number[]> {
  const durationsMs: number[] = [];
  for (let i = 0; i < CODE_COUNT; i++) {
    const phone = `+55219${randomInt(60_000_000, 99_999_999)}`;
    const startedAtMs = performance.now();
    const response = await fetch(`${service.url}/wallet/auth/otp`, {
      method: 'POST',
      headers: {
        'x-api-key': 'sandbox-demo-key',
        'content-type': 'application/json',
        // Codes are limited per IP address.
        'x-forwarded-for': generateIpAddress(),
      },
      body: JSON.stringify({ phone }),
    });
    if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
    const findMessage = () => db.row(sql`select 1 from sandbox_messages where phone = ${phone}`);
    while ((await findMessage()) === undefined) await sleep(20);
    durationsMs.push(performance.now() - startedAtMs);
    await sleep((spreadOverSeconds * 1000) / CODE_COUNT);
  }
  return durationsMs;
}

type ReminderFigures = {
  createdCount: number;
  sentCount: number;
  /** The time until all reminders were created, and until all were sent. */
  createdSeconds: number;
  sentSeconds: number;
  // The costs of one reminder. CPU time is by process.
  cpuMs: Record<string, number>;
  walBytes: number;
  roundTrips: number;
  statements: number;
  rowsWritten: number;
};

/** Starts the job that creates today's reminders, and waits until all are sent. */
async function sendReminders(
  db: Db,
  service: Service,
  cpuMeters: Record<string, () => number>,
): Promise<ReminderFigures> {
  const workMeter = await openWorkMeter(db, service);
  await workMeter.resetStatementCounts();
  const workBefore = await workMeter.readWork();
  const walBefore = await workMeter.readWal();
  const cpuBefore = readCpuMeters(cpuMeters);
  const startedAtMs = performance.now();
  const readSeconds = () => (performance.now() - startedAtMs) / 1000;
  // With `isAgain` the job runs even if the service has already run it today.
  await db.run(sql`
    select 1 from graphile_worker.add_job('notices_of_the_day', payload => '{"isAgain": true}')`);
  let counts = { createdCount: 0, sentCount: 0 };
  let createdSeconds: number | undefined;
  let isAnalyzed = false;
  while (counts.sentCount < CUSTOMERS && readSeconds() < MAX_SECONDS) {
    await sleep(POLL_MS);
    counts = (await db.row<typeof counts>(sql`
      select count(*) as "createdCount", count(sent_at) as "sentCount" from messages where template = 'reminder'`))!;
    if (!isAnalyzed && counts.sentCount >= CUSTOMERS * WARM_UP_SHARE) {
      await db.run(sql`analyze`); // autovacuum would do this within a minute
      isAnalyzed = true;
    }
    if (counts.createdCount >= CUSTOMERS) createdSeconds ??= readSeconds();
  }
  const sentSeconds = readSeconds();
  const cpuAfter = readCpuMeters(cpuMeters);
  const walAfter = await workMeter.readWal();
  const workAfter = await workMeter.readWork();
  const computePerReminder = (amount: number) => amount / counts.sentCount;
  return {
    ...counts,
    createdSeconds: createdSeconds ?? sentSeconds,
    sentSeconds,
    cpuMs: Object.fromEntries(
      Object.keys(cpuMeters).map((processName) => [
        processName,
        computePerReminder((cpuAfter[processName]! - cpuBefore[processName]!) * 1000),
      ]),
    ),
    walBytes: computePerReminder(walAfter - walBefore),
    roundTrips: computePerReminder(workAfter.roundTrips - workBefore.roundTrips),
    statements: computePerReminder(workAfter.statements - workBefore.statements),
    rowsWritten: computePerReminder(workAfter.rowsWritten - workBefore.rowsWritten),
  };
}

/** The figures of reminders, and the durations of login codes without reminders and during them. */
type Figures = ReminderFigures & { idleCodesMs: number[]; busyCodesMs: number[] };

function printFigures(figures: Figures): void {
  const { createdCount, sentCount, createdSeconds, sentSeconds, cpuMs, idleCodesMs, busyCodesMs } = figures;
  const formatMs = (durationsMs: number[]) =>
    `${median(durationsMs).toFixed(0)}, at most ${Math.max(...durationsMs).toFixed(0)}`;
  const rows = [
    ['reminders created per second', (createdCount / createdSeconds).toFixed(0)],
    ['reminders created and sent per second, each with a Pix code', (sentCount / sentSeconds).toFixed(0)],
    ...Object.entries(cpuMs).map(([processName, ms]) => [
      `CPU per reminder, ${processName}`,
      `${ms.toFixed(2)} ms`,
    ]),
    ['round trips per reminder', figures.roundTrips.toFixed(1)],
    ['statements per reminder', figures.statements.toFixed(1)],
    ['rows written per reminder', figures.rowsWritten.toFixed(1)],
    ['WAL per reminder', `${(figures.walBytes / 1024).toFixed(1)} KB`],
    ['login code without reminders (ms, median)', formatMs(idleCodesMs)],
    ['login code during the reminders (ms, median)', formatMs(busyCodesMs)],
  ];
  process.stdout.write(`${layOutTable([`REMINDERS TO ${CUSTOMERS.toLocaleString('en')}`, ''], rows)}\n\n`);
}

/** Returns whether reminders were sent and did not delay login codes. */
const isPassed = ({ sentCount, busyCodesMs }: Figures): boolean =>
  sentCount > 0 && median(busyCodesMs) < MAX_CODE_MS;

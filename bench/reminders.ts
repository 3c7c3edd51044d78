import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, openDb, sql } from '#platform/database/db.ts';
import { SANDBOX_SECRETS, Vault } from '#platform/vault.ts';
import { isReminderHour } from '../src/notices/quiet-hours.ts';
import { startService } from './processes.ts';
import { makePurchases, namePeople } from './purchases.ts';
import { median } from './side-by-side.ts';
import { onStage } from './stage.ts';

const CUSTOMERS = Number(process.env.CUSTOMERS ?? 100_000);
/** How long reminders are watched. */
const SECONDS = Number(process.env.SECONDS ?? 90);
const CODES = 15;
/** Codes may wait for a busy machine, not for the reminders before them. */
const LATEST_CODE_MS = 5_000;

type Running = Awaited<ReturnType<typeof startService>>;

/** Everybody has an installment that falls due today: reminders found and written, and sent, a second; and codes meanwhile. */
export async function remindersBench(): Promise<boolean> {
  if (!isReminderHour(new Date())) {
    process.stdout.write('Reminders go out from 8 to 20 h in São Paulo on working days: run it then.\n');
    return true;
  }
  return onStage(async ({ url }) => {
    const bar = new ProgressBar('reminders');
    const before = await startService({ DATABASE_URL: url, REMINDERS: 'none' });
    const db = openDb({ url, poolSize: 4, label: 'bench', vault: new Vault(SANDBOX_SECRETS) });
    bar.show(undefined, 'codes ...');
    const idle = await codes(db, before);
    await before.stop();
    const select = (first: number, last: number) =>
      `select n, 1, 7, 0 from generate_series(${first}, ${last}) as n`;
    await makePurchases(url, { customers: CUSTOMERS, cashbackPpm: 0, select }, (share) =>
      bar.show(share, 'purchases'),
    );
    await namePeople(db);
    const service = await startService({ DATABASE_URL: url, TRUST_PROXY: '127.0.0.1' });
    try {
      await db.run(sql`
        select 1 from graphile_worker.add_job('notices_of_the_day', payload => '{"isAgain": true}')`);
      bar.show(undefined, 'reminders ...');
      const [counts, busy] = await Promise.all([watch(db), codes(db, service, SECONDS)]);
      bar.clear();
      return report({ ...counts, idle, busy });
    } finally {
      bar.clear();
      await service.stop();
      await db.close();
    }
  });
}

/** How long each code takes from the request to the inbox, in milliseconds; spread over these seconds. */
async function codes(db: Db, service: Running, seconds = 0): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < CODES; i++) {
    const phone = `+55219${randomInt(60_000_000, 99_999_999)}`;
    const from = performance.now();
    const asked = await fetch(`${service.url}/wallet/auth/otp`, {
      method: 'POST',
      headers: {
        'x-api-key': 'sandbox-demo-key',
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.${randomInt(256)}.${randomInt(256)}`,
      },
      body: JSON.stringify({ phone }),
    });
    if (asked.status !== 202) throw new Error(`${asked.status}: ${await asked.text()}`);
    const arrived = () => db.row(sql`select from sandbox_messages where phone = ${phone}`);
    while ((await arrived()) === undefined) await sleep(20);
    times.push(performance.now() - from);
    await sleep((seconds * 1000) / CODES);
  }
  return times;
}

async function watch(db: Db): Promise<{ written: number; sent: number; seconds: number }> {
  const from = performance.now();
  for (;;) {
    await sleep(2_000);
    const seconds = (performance.now() - from) / 1000;
    const { written, sent } = (await db.row<{ written: number; sent: number }>(sql`
      select count(*) as written, count(sent_at) as sent from messages where template = 'reminder'`))!;
    if (seconds >= SECONDS || sent >= CUSTOMERS) return { written, sent, seconds };
  }
}

type Figures = Awaited<ReturnType<typeof watch>> & { idle: number[]; busy: number[] };

function report({ written, sent, seconds, idle, busy }: Figures): boolean {
  const rate = (count: number) => (count / seconds).toFixed(0);
  const ms = (times: number[]) => `${median(times).toFixed(0)}, at most ${Math.max(...times).toFixed(0)}`;
  const rows = [
    ['reminders found and written a second', rate(written)],
    ['reminders sent a second, each with a code', rate(sent)],
    ['a login code, alone (ms, median)', ms(idle)],
    ['a login code, during the reminders', ms(busy)],
  ];
  process.stdout.write(`${table([`REMINDERS TO ${CUSTOMERS.toLocaleString('en')}`, ''], rows)}\n\n`);
  return written > 0 && sent > 0 && median(busy) < LATEST_CODE_MS;
}

import { setTimeout as sleep } from 'node:timers/promises';
import { layOutTable } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { ANA_PASSWORD, ANA_PHONE, createBenchCustomer } from './callers.ts';
import { openBenchDb, withBenchDatabase } from './environment.ts';
import { startLoginFlood } from './login-flood.ts';
import { startBenchProgram, startService } from './processes.ts';
import { median } from './side-by-side.ts';
import { measureRequestsPerSecond, requireWrk } from './wrk.ts';

const ROUNDS = 9;
/** How long the requests of each measurement are sent. */
const SECONDS = 2;
const CUSTOMERS = 32;
const KEY_HEADER = { 'x-api-key': 'sandbox-demo-key' };

/** `rate` and `baseline` are requests per second, and `ratio` is `rate / baseline`. */
type Measurement = { name: string; rate: number; baseline: number; ratio: number; minRatio: number };

/** Measures how logins slow down catalog reads, and a read with a token, each relative to a baseline in the same run. */
export async function runLoginBench(): Promise<boolean> {
  requireWrk();
  return withBenchDatabase(({ url }) => measureLogins(url));
}

async function measureLogins(databaseUrl: string): Promise<boolean> {
  const service = await startService({ DATABASE_URL: databaseUrl, TRUST_PROXY: '127.0.0.1' });
  const bar = new ProgressBar('Login');
  try {
    bar.showNote('registering customers ...');
    const customers = await registerCustomers(databaseUrl);
    const profileRead = await measureProfileRead(service.url, databaseUrl, (round) =>
      bar.show(round / ROUNDS, '/wallet/me'),
    );
    const catalogReads = await measureCatalogReads(service.url, customers, (round) =>
      bar.show(round / ROUNDS, 'catalog reads during logins'),
    );
    bar.clear();
    return report([profileRead, catalogReads.measurement], catalogReads.loginRates);
  } finally {
    bar.clear();
    await service.stop();
  }
}

async function measureProfileRead(
  url: string,
  databaseUrl: string,
  onRound: (round: number) => void,
): Promise<Measurement> {
  const login = await fetch(`${url}/wallet/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...KEY_HEADER },
    body: JSON.stringify({ phone: ANA_PHONE, password: ANA_PASSWORD }),
  });
  const { token, customer } = (await login.json()) as { token: string; customer: { id: string } };
  const bareServer = await startBenchProgram('bare-wallet-server.ts', databaseUrl, customer.id);
  try {
    const medians = await measureRounds(onRound, async () => {
      const headers = { ...KEY_HEADER, 'x-token': token };
      const baseline = await measureRequestsPerSecond({
        url: `${bareServer.url}/wallet/me`,
        seconds: SECONDS,
      });
      const rate = await measureRequestsPerSecond({ url: `${url}/wallet/me`, seconds: SECONDS, headers });
      return { rate, baseline };
    });
    return {
      name: '/wallet/me, relative to a bare Fastify route with the same SELECT',
      ...medians,
      minRatio: 0.8,
    };
  } finally {
    await bareServer.stop();
  }
}

async function measureCatalogReads(
  url: string,
  customers: Array<{ phone: string; password: string }>,
  onRound: (round: number) => void,
): Promise<{ measurement: Measurement; loginRates: number[] }> {
  const target = { url: `${url}/public/merchants?limit=20`, seconds: SECONDS, headers: KEY_HEADER };
  const loginRates: number[] = [];
  const medians = await measureRounds(onRound, async () => {
    const baseline = await measureRequestsPerSecond(target);
    const flood = startLoginFlood(url, KEY_HEADER, customers);
    await sleep(500); // until the queue of logins is full
    const rate = await measureRequestsPerSecond(target);
    const { countsByStatus, loginsPerSecond } = await flood.stop();
    // On a slow machine the last logins in the queue get 503.
    const unexpectedStatuses = Object.keys(countsByStatus).filter(
      (status) => !['200', '401', '503'].includes(status),
    );
    if (unexpectedStatuses.length > 0)
      throw new Error(`Unexpected statuses of logins: ${JSON.stringify(countsByStatus)}`);
    loginRates.push(loginsPerSecond);
    return { rate, baseline };
  });
  const name = 'catalog reads during as many logins as possible, relative to reads without logins';
  return { measurement: { name, ...medians, minRatio: 2 / 3 }, loginRates };
}

/** Measures in several rounds, and returns the medians. The ratio is computed in each round, so that other load affects both rates. */
async function measureRounds(
  onRound: (round: number) => void,
  measure: () => Promise<{ rate: number; baseline: number }>,
) {
  const rounds: Array<{ rate: number; baseline: number }> = [];
  for (let round = 0; round < ROUNDS; round++) {
    onRound(round);
    rounds.push(await measure());
  }
  return {
    rate: median(rounds.map(({ rate }) => rate)),
    baseline: median(rounds.map(({ baseline }) => baseline)),
    ratio: median(rounds.map(({ rate, baseline }) => rate / baseline)),
  };
}

async function registerCustomers(databaseUrl: string) {
  const db = openBenchDb(databaseUrl);
  const customers = Array.from({ length: CUSTOMERS }, (_, i) => ({
    phone: `+551196${String(i).padStart(7, '0')}`,
    password: ANA_PASSWORD,
  }));
  for (const { phone } of customers) await createBenchCustomer(db, phone);
  await db.close();
  return customers;
}

/** Prints the measurements. Returns whether every ratio reaches its minimum. */
function report(measurements: Measurement[], loginRates: number[]): boolean {
  const rows = measurements.map(({ name, rate, baseline, ratio, minRatio }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    Math.round(baseline).toLocaleString('en'),
    ratio.toFixed(3),
    minRatio.toFixed(2),
    ratio >= minRatio ? 'yes' : 'NO',
  ]);
  process.stdout.write(
    `${layOutTable(['MEASUREMENT', 'PER SECOND', 'BASELINE', 'RATIO', 'AT LEAST', 'REACHED'], rows)}\n\n` +
      `logins during the catalog reads: ${median(loginRates).toFixed(1)} per second\n`,
  );
  return measurements.every(({ ratio, minRatio }) => ratio >= minRatio);
}

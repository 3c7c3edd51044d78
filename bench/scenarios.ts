import { setTimeout as sleep } from 'node:timers/promises';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { type Db, sql } from '#platform/database/db.ts';
import { openBaseline } from './baseline.ts';
import { readCpuMeters } from './cpu.ts';
import { type DatabaseWork, openWorkMeter } from './database-work.ts';
import { options } from './options.ts';
import type { Service } from './processes.ts';
import { profileScenario } from './profile.ts';
import { estimateMedian, type OpenLoopResult, type RoundResult, type ScenarioResult } from './results.ts';

/** One kind of request to measure. Its operations are the business transactions it causes, including the jobs that follow. */
export type Scenario<T> = {
  name: string;
  /** The input of each request, e.g. an offer to accept. `perform` sends the request for one item. */
  items: readonly T[];
  perform: (item: T) => Promise<void>;
  /** The number of concurrent callers. */
  callers: number;
  /** Returns the number of operations in one item, by default one: a callback may report several payments. */
  countItemOperations?: (item: T) => number;
  /** Prepares the items of a round. Runs before the round and is not measured. */
  prepare?: (items: readonly T[]) => Promise<unknown>;
  /** Whether later scenarios need the results of this one, so that it runs even if `--only` excludes it. */
  isPrerequisite?: boolean;
  /** Returns the number of operations completed so far. Given only if operations may complete after the response to their request. */
  countCompleted?: () => Promise<number>;
};

/** Measures a scenario. Returns no result if `--only` excludes it. */
export type ScenarioMeter = <T>(scenario: Scenario<T>) => Promise<ScenarioResult[]>;

type MeasuredSystem = {
  db: Db;
  /** The URL of `db`. The baseline creates another database on the same server. */
  databaseUrl: string;
  service: Service;
  /** By process name, a function that reads the CPU seconds used so far. */
  cpuMeters: Record<string, () => number>;
};

/** The fraction of the items that is used to warm up code, query plans, connections and caches. */
const WARM_UP_SHARE = 0.2;
/** Returns how many items a scenario requires to measure as many as `--operations` after the warm-up. */
export const countRequiredItems = (): number => Math.ceil(options.operations / (1 - WARM_UP_SHARE));
/** With nine rounds, the 95 % interval of the median is from the second lowest to the second highest. */
const ROUNDS = 9;
const BASELINE_MS = 700;
const POLL_MS = 20;
/** A response of the open loop that takes longer counts as late. */
const LATE_RESPONSE_MS = 1_000;

/**
 * Measures scenarios one after another. Every scenario is warmed up, and its rounds alternate with rounds of plain inserts of one row, so
 * that other load on the machine affects both. CPU time, statements, rows and WAL include the jobs that follow; the rate does not.
 */
export async function openScenarioMeter(
  bench: string,
  { db, databaseUrl, service, cpuMeters }: MeasuredSystem,
): Promise<ScenarioMeter & { close(): Promise<void> }> {
  const baseline = await openBaseline(databaseUrl, cpuMeters.PostgreSQL!);
  const workMeter = await openWorkMeter(db, service);
  const bar = new ProgressBar(bench);

  async function runRound<T>(scenario: Scenario<T>, items: readonly T[]): Promise<RoundResult> {
    // The count is read before the preparation, because a job that runs every minute may complete prepared operations before the round starts.
    const completedBefore = await scenario.countCompleted?.();
    await scenario.prepare?.(items);
    const baselineRun = await baseline.run(BASELINE_MS);
    const operationCount = countOperations(scenario, items);
    const walBefore = await workMeter.readWal();
    const cpuBefore = readCpuMeters(cpuMeters);
    const startedAtMs = performance.now();
    await runConcurrently(items, scenario.callers, scenario.perform);
    await waitUntilCompleted(scenario, completedBefore, operationCount);
    const seconds = (performance.now() - startedAtMs) / 1000;
    await waitUntilJobsFinish(db);
    const cpuAfter = readCpuMeters(cpuMeters);
    const cpuMs = Object.fromEntries(
      Object.keys(cpuMeters).map((processName) => [
        processName,
        ((cpuAfter[processName]! - cpuBefore[processName]!) * 1000) / operationCount,
      ]),
    );
    const rate = operationCount / seconds;
    const walBytes = ((await workMeter.readWal()) - walBefore) / operationCount;
    return {
      rate,
      inserts: baselineRun.rate,
      ratio: rate / baselineRun.rate,
      insertMs: baselineRun.cpuMsPerInsert,
      cpuMs,
      walBytes,
    };
  }

  const measure: ScenarioMeter = async (scenario) => {
    bar.showNote(`${scenario.name} ...`);
    if (!scenario.name.includes(options.nameFilter)) {
      if (scenario.isPrerequisite) await runRound(scenario, scenario.items);
      return [];
    }
    // At least one item is left to measure, even if there are only a few.
    const warmUpCount = Math.min(
      Math.max(1, Math.floor(scenario.items.length * WARM_UP_SHARE)),
      scenario.items.length - 1,
    );
    if (warmUpCount > 0) await runRound(scenario, scenario.items.slice(0, warmUpCount));
    await db.run(sql`analyze`); // autovacuum would do this within a minute
    const items = scenario.items.slice(warmUpCount);
    if (options.openLoopRate) return [await runOpenLoop(scenario, items, options.openLoopRate)];
    await workMeter.resetStatementCounts();
    const workBefore = await workMeter.readWork();
    // No round is empty, because costs are divided by the number of its operations.
    const roundCount = Math.min(ROUNDS, items.length);
    const rounds: RoundResult[] = [];
    const runRounds = async () => {
      for (const [i, itemsOfRound] of divide(items, roundCount).entries()) {
        bar.show(i / roundCount, scenario.name);
        rounds.push(await runRound(scenario, itemsOfRound));
      }
    };
    if (options.profile) await profileScenario({ bench, scenario: scenario.name, db, service }, runRounds);
    else await runRounds();
    const operationCount = countOperations(scenario, items);
    const workAfter = await workMeter.readWork();
    const computeWorkPerOperation = (counter: Exclude<keyof DatabaseWork, 'writesByTable'>) =>
      (workAfter[counter] - workBefore[counter]) / operationCount;
    bar.clear();
    const result: ScenarioResult = {
      name: scenario.name,
      operations: operationCount,
      rate: estimateMedian(rounds.map(({ rate }) => rate)),
      inserts: estimateMedian(rounds.map(({ inserts }) => inserts)),
      ratio: estimateMedian(rounds.map(({ ratio }) => ratio)),
      insertMs: estimateMedian(rounds.map(({ insertMs }) => insertMs)).median,
      cpuMs: Object.fromEntries(
        Object.keys(cpuMeters).map((processName) => [
          processName,
          estimateMedian(rounds.map(({ cpuMs }) => cpuMs[processName]!)),
        ]),
      ),
      walBytes: estimateMedian(rounds.map(({ walBytes }) => walBytes)).median,
      roundTrips: computeWorkPerOperation('roundTrips'),
      statements: computeWorkPerOperation('statements'),
      transactions: computeWorkPerOperation('transactions'),
      rowsWritten: computeWorkPerOperation('rowsWritten'),
      diskBytes: computeWorkPerOperation('diskBytes'),
      writesByTable: Object.fromEntries(
        Object.entries(workAfter.writesByTable)
          .map(([table, writes]) => [
            table,
            (writes - (workBefore.writesByTable[table] ?? 0)) / operationCount,
          ])
          .filter(([, writes]) => writes !== 0),
      ),
    };
    return [result];
  };

  /** Sends the requests of the items at a fixed rate, in requests per second, without waiting for earlier responses. */
  async function runOpenLoop<T>(
    scenario: Scenario<T>,
    items: readonly T[],
    rate: number,
  ): Promise<ScenarioResult> {
    const completedBefore = await scenario.countCompleted?.();
    await scenario.prepare?.(items);
    const startedAtMs = performance.now();
    const pendingLatencies: Array<Promise<number | undefined>> = [];
    for (const [i, item] of items.entries()) {
      const dueAtMs = startedAtMs + (i / rate) * 1000;
      const delayMs = dueAtMs - performance.now();
      if (delayMs > 1) await sleep(delayMs);
      // The latency starts when the request was due, so that a bench that falls behind does not hide a slow service.
      const computeLatency = () => performance.now() - dueAtMs;
      const omitLatency = () => undefined;
      pendingLatencies.push(scenario.perform(item).then(computeLatency, omitLatency));
    }
    const latenciesMs = (await Promise.all(pendingLatencies))
      .filter((latencyMs) => latencyMs !== undefined)
      .sort((a, b) => a - b);
    const failedCount = items.length - latenciesMs.length;
    const seconds = (performance.now() - startedAtMs) / 1000;
    const operationCount = countOperations(scenario, items);
    if (failedCount === 0) await waitUntilCompleted(scenario, completedBefore, operationCount);
    await waitUntilJobsFinish(db);
    const drainedSeconds = (performance.now() - startedAtMs) / 1000 - seconds;
    const openLoop: OpenLoopResult = {
      sentRate: rate,
      successRate: latenciesMs.length / seconds,
      failedCount,
      lateCount: latenciesMs.filter((ms) => ms > LATE_RESPONSE_MS).length,
      p50Ms: latenciesMs[Math.floor(latenciesMs.length * 0.5)] ?? Number.NaN,
      p99Ms: latenciesMs[Math.floor(latenciesMs.length * 0.99)] ?? Number.NaN,
      drainedSeconds,
    };
    bar.clear();
    return { name: scenario.name, operations: operationCount, openLoop };
  }

  return Object.assign(measure, { close: () => baseline.close() });
}

const countOperations = <T>({ countItemOperations }: Scenario<T>, items: readonly T[]): number =>
  countItemOperations ? items.reduce((sum, item) => sum + countItemOperations(item), 0) : items.length;

/** Waits for the operations that complete after the response to their request. `countBefore` is the number of those completed before. */
async function waitUntilCompleted<T>(
  { countCompleted }: Scenario<T>,
  countBefore: number | undefined,
  operationCount: number,
): Promise<void> {
  if (!countCompleted) return;
  while ((await countCompleted()) < countBefore! + operationCount) await sleep(POLL_MS);
}

/** Waits until no job is due, which includes the jobs of this round. */
async function waitUntilJobsFinish(db: Db): Promise<void> {
  const countDueJobs = async () =>
    (await db.row<{ count: number }>(sql`
      select count(*) from graphile_worker.jobs where run_at <= now() and attempts < max_attempts`))!.count;
  while ((await countDueJobs()) > 0) await sleep(POLL_MS);
}

/** Performs all items, as many at the same time as there are callers. */
export async function runConcurrently<T>(
  items: readonly T[],
  callers: number,
  perform: (item: T) => Promise<void>,
): Promise<void> {
  const remainingItems = items.values(); // the callers share this iterator
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (const item of remainingItems) await perform(item);
    }),
  );
}

/** Divides items into this number of parts of almost the same size. */
const divide = <T>(items: readonly T[], partCount: number): T[][] =>
  Array.from({ length: partCount }, (_, i) =>
    items.slice(Math.round((i * items.length) / partCount), Math.round(((i + 1) * items.length) / partCount)),
  );

/** Divides items into parts of the same size. The last part may be smaller. */
export const chunk = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { layOutTable } from '#platform/command-line/command.ts';
import type { WritesByTable } from './database-work.ts';
import { options } from './options.ts';

/** A median with its 95 % confidence interval. */
export type Estimate = { median: number; low: number; high: number };

/** The result of one round. The fields are those of {@link ClosedLoopFigures}. */
export type RoundResult = {
  rate: number;
  inserts: number;
  ratio: number;
  insertMs: number;
  cpuMs: Record<string, number>;
  walBytes: number;
};

export type OpenLoopResult = {
  /** Requests sent per second. */
  sentRate: number;
  /** Successful responses per second. */
  successRate: number;
  failedCount: number;
  /** Responses that took longer than a second. */
  lateCount: number;
  p50Ms: number;
  p99Ms: number;
  /** Seconds from the last response until no job was due. */
  drainedSeconds: number;
};

type ClosedLoopFigures = {
  /** Operations per second. */
  rate: Estimate;
  /** Plain inserts per second in the same rounds. */
  inserts: Estimate;
  /** The rate relative to the rate of plain inserts. */
  ratio: Estimate;
  /** CPU time of one plain insert in milliseconds. */
  insertMs: number;
  /** CPU time of one operation in milliseconds, by process. */
  cpuMs: Record<string, Estimate>;
  // The work of the database for one operation.
  walBytes: number;
  diskBytes: number;
  roundTrips: number;
  statements: number;
  transactions: number;
  rowsWritten: number;
  writesByTable: WritesByTable;
};

/** A scenario is measured either in rounds (closed loop) or in the open loop. `operations` is the number of measured operations. */
export type ScenarioResult = { name: string; operations: number } & (
  | (ClosedLoopFigures & { openLoop?: undefined })
  | { openLoop: OpenLoopResult }
);

/** A result of a scenario that was measured in rounds. */
export type ClosedLoopResult = Extract<ScenarioResult, { rate: Estimate }>;

/** 95 % of a normal distribution are within this many standard deviations of its mean. */
const NORMAL_QUANTILE = 1.96;

/**
 * Estimates the median and its 95 % confidence interval, whatever the distribution of the values. The interval is taken from order
 * statistics: with nine values, the median is between the second lowest and the second highest with a probability of 96 % (binomial
 * distribution).
 */
export function estimateMedian(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const n = sorted.length;
  const valueAt = (index: number) => sorted[index]!;
  const lowRank = Math.max(0, Math.floor((n - NORMAL_QUANTILE * Math.sqrt(n)) / 2));
  const median = n % 2 === 1 ? valueAt((n - 1) / 2) : (valueAt(n / 2 - 1) + valueAt(n / 2)) / 2;
  return { median, low: valueAt(lowRank), high: valueAt(n - 1 - lowRank) };
}

/** Adds the results of a bench to the file that --json names, if it was given. */
export function storeResults(bench: string, results: readonly ScenarioResult[]): void {
  if (!options.resultsPath) return;
  const benches = existsSync(options.resultsPath)
    ? (JSON.parse(readFileSync(options.resultsPath, 'utf8')) as StoredResults).benches
    : {};
  const storedResults: StoredResults = {
    machine: describeMachine(),
    benches: { ...benches, [bench]: [...results] },
  };
  writeFileSync(options.resultsPath, `${JSON.stringify(storedResults, null, 2)}\n`);
}

export type StoredResults = { machine: string; benches: Record<string, ScenarioResult[]> };

function describeMachine(): string {
  const [loadLastMinute] = loadavg();
  return `${cpus().length} cores (${process.arch}) with a load average of ${loadLastMinute!.toFixed(0)} after the bench, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}, ${options.operations} operations per scenario`;
}

export function printResults(bench: string, results: readonly ScenarioResult[]): void {
  for (const { headings, rows } of tabulateResults(bench, results))
    process.stdout.write(`${layOutTable(headings, rows)}\n\n`);
}

type Table = { headings: string[]; rows: string[][] };

/** Returns the tables of the results. Leaves out tables without rows. `title` is the heading of the column of scenario names. */
export function tabulateResults(title: string, results: readonly ScenarioResult[]): Table[] {
  const closedLoopResults = results.filter((result) => result.openLoop === undefined);
  return [
    tabulateRates(title, closedLoopResults),
    tabulateWork(closedLoopResults),
    tabulateWrites(closedLoopResults),
    tabulateOpenLoop(title, results),
  ].filter(({ rows }) => rows.length > 0);
}

/** Returns the CPU time of an operation in all processes relative to that of a plain insert. */
export const computeCpuRelativeToInsert = ({ cpuMs, insertMs }: ClosedLoopResult): number =>
  Object.values(cpuMs).reduce((sum, { median }) => sum + median, 0) / insertMs;

function tabulateRates(title: string, results: readonly ClosedLoopResult[]): Table {
  const processes = Object.keys(results[0]?.cpuMs ?? {});
  return {
    headings: [
      title,
      'per second',
      'ratio to inserts',
      '95 % interval',
      ...processes.map((processName) => `CPU, ${processName}`),
      'CPU relative to an insert',
    ],
    rows: results.map((result) => [
      result.name,
      result.rate.median.toFixed(0),
      result.ratio.median.toFixed(3),
      `${result.ratio.low.toFixed(3)} to ${result.ratio.high.toFixed(3)}`,
      ...processes.map((processName) => `${result.cpuMs[processName]!.median.toFixed(2)} ms`),
      computeCpuRelativeToInsert(result).toFixed(1),
    ]),
  };
}

/** Tabulates the work of the database for one operation, including the jobs that follow. */
function tabulateWork(results: readonly ClosedLoopResult[]): Table {
  return {
    headings: [
      'database work per operation',
      'round trips',
      'statements',
      'transactions',
      'rows written',
      'WAL',
      'disk',
    ],
    rows: results.map((result) => [
      result.name,
      ...[result.roundTrips, result.statements, result.transactions, result.rowsWritten].map((count) =>
        count.toFixed(1),
      ),
      ...[result.walBytes, result.diskBytes].map((bytes) => `${(bytes / 1024).toFixed(1)} KB`),
    ]),
  };
}

/** The maximum number of database tables in a row of `tabulateWrites`. */
const MAX_TABLES = 8;

/** Tabulates how much an operation and its jobs write, and to which tables. This explains most of the CPU time of PostgreSQL. */
function tabulateWrites(results: readonly ClosedLoopResult[]): Table {
  return {
    headings: [
      'writes per operation (rows, and entries of indexes that are not partial)',
      'total',
      'most written tables',
    ],
    rows: results.map(({ name, writesByTable }) => {
      const tables = Object.entries(writesByTable).toSorted(([, a], [, b]) => b - a);
      return [
        name,
        tables.reduce((sum, [, writes]) => sum + writes, 0).toFixed(0),
        tables
          .slice(0, MAX_TABLES)
          .map(([table, writes]) => `${table} ${writes.toFixed(0)}`)
          .join(', '),
      ];
    }),
  };
}

function tabulateOpenLoop(title: string, results: readonly ScenarioResult[]): Table {
  return {
    headings: [
      `${title}, open loop`,
      'sent',
      'successful',
      'failed',
      'later than 1 s',
      'p50',
      'p99',
      'jobs finished after',
    ],
    rows: results
      .filter((result) => result.openLoop !== undefined)
      .map(({ name, openLoop }) => [
        name,
        `${openLoop.sentRate}/s`,
        `${openLoop.successRate.toFixed(0)}/s`,
        String(openLoop.failedCount),
        String(openLoop.lateCount),
        `${openLoop.p50Ms.toFixed(0)} ms`,
        `${openLoop.p99Ms.toFixed(0)} ms`,
        `${openLoop.drainedSeconds.toFixed(1)} s`,
      ]),
  };
}

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
  offered: number;
  /** Successful responses per second. */
  accepted: number;
  failed: number;
  late: number;
  p50Ms: number;
  p99Ms: number;
  /** Seconds from the last response until no job was due. */
  drainedSeconds: number;
};

type ClosedLoopFigures = {
  rate: Estimate;
  /** Plain inserts per second in the same rounds. */
  inserts: Estimate;
  /** The rate relative to the rate of plain inserts. */
  ratio: Estimate;
  /** CPU time of one plain insert. */
  insertMs: number;
  /** CPU time of one operation, by process. */
  cpuMs: Record<string, Estimate>;
  walBytes: number;
  diskBytes: number;
  roundTrips: number;
  statements: number;
  transactions: number;
  rowsWritten: number;
  writesByTable: WritesByTable;
};

/** A scenario is measured either in rounds (closed loop) or in the open loop. `acts` is its number of operations. */
export type ScenarioResult = { name: string; acts: number } & (
  | (ClosedLoopFigures & { openLoop?: undefined })
  | { openLoop: OpenLoopResult }
);

/** A result of a scenario that was measured in rounds. */
export type ClosedLoopResult = Extract<ScenarioResult, { rate: Estimate }>;

/**
 * The interval is taken from order statistics: with nine rounds, the median is between the second lowest and the second highest value with
 * a probability of 96 % (binomial distribution), whatever the distribution of the values.
 */
export function estimateMedian(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const valueAt = (index: number) => sorted[Math.min(sorted.length - 1, Math.max(0, index))]!;
  const n = sorted.length;
  const rank = Math.max(0, Math.floor((n - 1.96 * Math.sqrt(n)) / 2));
  const middle = n % 2 === 1 ? valueAt((n - 1) / 2) : (valueAt(n / 2 - 1) + valueAt(n / 2)) / 2;
  return { median: middle, low: valueAt(rank), high: valueAt(n - 1 - rank) };
}

/** Adds the results of a bench to the file given by --json. */
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

const describeMachine = () =>
  `${cpus().length} cores (${process.arch}) with a load average of ${loadavg()[0]!.toFixed(0)} after it, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}, ${options.operations} operations per scenario`;

export function printResults(bench: string, results: readonly ScenarioResult[]): void {
  for (const { headings, rows } of tabulateResults(bench, results))
    process.stdout.write(`${layOutTable(headings, rows)}\n\n`);
}

type Table = { headings: string[]; rows: string[][] };

/** Returns the tables of the results that have rows. `title` is the heading of the names of scenarios. */
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

/** The work of the database for one operation, including the jobs that follow. */
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

const MAX_TABLES = 8;

/** The tables to which an operation and its jobs write most. Their sum explains most of the CPU time of PostgreSQL. */
function tabulateWrites(results: readonly ClosedLoopResult[]): Table {
  return {
    headings: ['rows and entries of indexes without a condition', 'in all', 'most in'],
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
    headings: [`${title}, open loop`, 'offered', 'accepted', 'failed', 'late', 'p50', 'p99', 'drained after'],
    rows: results.flatMap(({ name, openLoop }) =>
      openLoop
        ? [
            [
              name,
              `${openLoop.offered}/s`,
              `${openLoop.accepted.toFixed(0)}/s`,
              String(openLoop.failed),
              String(openLoop.late),
              `${openLoop.p50Ms.toFixed(0)} ms`,
              `${openLoop.p99Ms.toFixed(0)} ms`,
              `${openLoop.drainedSeconds.toFixed(1)} s`,
            ],
          ]
        : [],
    ),
  };
}

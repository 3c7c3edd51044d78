import { layOutTable } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { measureRequestsPerSecond } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** Rounds that are not counted, in which connections are opened, statements prepared, tokens verified and code compiled. */
const WARM_UP_ROUNDS = 2;
/** The minimum ratio of the rate of the service to the rate of a bare route that runs the same statement. */
const DEFAULT_MIN_RATIO = 0.8;

/** The same read sent to the service and to a bare server. */
export type Pair = {
  read: string;
  /** The amount of data, such as the number of installments in the database. */
  size: number;
  /** Path of the wrk script. */
  script: string;
  serviceUrl: string;
  bareUrl: string;
  minRatio?: number;
};
export type MeasuredPair = Pair & { rounds: Array<{ serviceRate: number; bareRate: number }> };

/** Measures every pair once in each round, so that other load on the machine affects all pairs. */
export async function measurePairs(pairs: Pair[]): Promise<MeasuredPair[]> {
  const measuredPairs: MeasuredPair[] = pairs.map((pair) => ({ ...pair, rounds: [] }));
  const bar = new ProgressBar('Reads');
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const { read, size, script, serviceUrl, bareUrl, rounds } of measuredPairs) {
      bar.show(Math.max(0, round) / ROUNDS, `${read} of ${size.toLocaleString('en')}`);
      const target = { seconds: SECONDS, script };
      const bareRate = await measureRequestsPerSecond({ ...target, url: bareUrl });
      const serviceRate = await measureRequestsPerSecond({ ...target, url: serviceUrl });
      if (round >= 0) rounds.push({ serviceRate, bareRate });
    }
  }
  bar.clear();
  return measuredPairs;
}

/** Prints the median rates and ratios. `sizeHeading` is the heading of the sizes. Returns whether every ratio reaches its minimum. */
export function reportPairs(sizeHeading: string, measuredPairs: MeasuredPair[]): boolean {
  const ratios = measuredPairs.map(({ rounds }) =>
    median(rounds.map(({ serviceRate, bareRate }) => serviceRate / bareRate)),
  );
  const minRatios = measuredPairs.map(({ minRatio = DEFAULT_MIN_RATIO }) => minRatio);
  const rows = measuredPairs.map(({ read, size, rounds }, i) => [
    read,
    size.toLocaleString('en'),
    Math.round(median(rounds.map(({ serviceRate }) => serviceRate))).toLocaleString('en'),
    Math.round(median(rounds.map(({ bareRate }) => bareRate))).toLocaleString('en'),
    ratios[i]!.toFixed(3),
    minRatios[i]!.toFixed(2),
    ratios[i]! >= minRatios[i]! ? 'yes' : 'NO',
  ]);
  const headings = ['READ', sizeHeading, 'PER SECOND', 'BARE', 'RATIO', 'AT LEAST', 'REACHED'];
  process.stdout.write(`${layOutTable(headings, rows)}\n\n`);
  return ratios.every((ratio, i) => ratio >= minRatios[i]!);
}

/** Returns how many times as much a read costs the service in the larger pair as in the smaller one: the median over the rounds. */
export function computeMedianCostRatio(smallPair: MeasuredPair, largePair: MeasuredPair): number {
  return median(
    smallPair.rounds.map(({ serviceRate }, round) => serviceRate / largePair.rounds[round]!.serviceRate),
  );
}

/** Calls `run` several times, one after the other, with the number of the call (from 0). Returns the median duration. */
export async function measureMedianMs(
  callCount: number,
  run: (i: number) => Promise<unknown>,
): Promise<number> {
  const durationsMs: number[] = [];
  for (let i = 0; i < callCount; i++) {
    const startedAtMs = performance.now();
    await run(i);
    durationsMs.push(performance.now() - startedAtMs);
  }
  return median(durationsMs);
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

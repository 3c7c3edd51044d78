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
  /** The first cells of the table row. */
  labels: string[];
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
    for (const { labels, script, serviceUrl, bareUrl, rounds } of measuredPairs) {
      bar.show(Math.max(0, round) / ROUNDS, labels.join(' of '));
      const target = { seconds: SECONDS, script };
      const bareRate = await measureRequestsPerSecond({ ...target, url: bareUrl });
      const serviceRate = await measureRequestsPerSecond({ ...target, url: serviceUrl });
      if (round >= 0) rounds.push({ serviceRate, bareRate });
    }
  }
  bar.clear();
  return measuredPairs;
}

/** Prints the median rates and ratios. Returns whether every ratio reaches its minimum. */
export function reportPairs(headings: string[], measuredPairs: MeasuredPair[]): boolean {
  const ratios = measuredPairs.map(({ rounds }) =>
    median(rounds.map(({ serviceRate, bareRate }) => serviceRate / bareRate)),
  );
  const minRatios = measuredPairs.map(({ minRatio = DEFAULT_MIN_RATIO }) => minRatio);
  const rows = measuredPairs.map(({ labels, rounds }, i) => [
    ...labels,
    Math.round(median(rounds.map(({ serviceRate }) => serviceRate))).toLocaleString('en'),
    Math.round(median(rounds.map(({ bareRate }) => bareRate))).toLocaleString('en'),
    ratios[i]!.toFixed(3),
    minRatios[i]!.toFixed(2),
    ratios[i]! >= minRatios[i]! ? 'yes' : 'NO',
  ]);
  const allHeadings = [...headings, 'PER SECOND', 'BARE', 'RATIO', 'AT LEAST', 'REACHED'];
  process.stdout.write(`${layOutTable(allHeadings, rows)}\n\n`);
  return ratios.every((ratio, i) => ratio >= minRatios[i]!);
}

/** Returns how many times as much a read costs as the baseline read: the median over the rounds. */
export function computeMedianCostRatio(measured: MeasuredPair, baseline: MeasuredPair): number {
  return median(
    baseline.rounds.map(({ serviceRate }, round) => serviceRate / measured.rounds[round]!.serviceRate),
  );
}

/** Returns the median duration of calls one after the other. `run` gets the number of the call, from 0. */
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

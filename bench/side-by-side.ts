import { table } from '#platform/command-line/command.ts';
import { ProgressBar } from '#platform/command-line/progress-bar.ts';
import { requestsPerSecond } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** Warm-up rounds: connections are opened, statements prepared, tokens read and code compiled. */
const WARM_UP = 2;
/** The default least ratio of a read of the wallet to a bare route that runs the same statement. */
const LEAST = 0.8;

/** The same read of the service and of a bare server; `about`: the first cells of its row in the table. */
export type Pair = { about: string[]; script: string; service: string; bare: string; least?: number };
export type Measured = Pair & { rounds: Array<{ ours: number; bare: number }> };

/** All alternate in every round, so that other load affects all. */
export async function measurePairs(pairs: Pair[]): Promise<Measured[]> {
  const measured: Measured[] = pairs.map((pair) => ({ ...pair, rounds: [] }));
  const bar = new ProgressBar('Reads');
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (const { about, script, service, bare, rounds } of measured) {
      bar.show(Math.max(0, round) / ROUNDS, about.join(' of '));
      const target = { seconds: SECONDS, script };
      const bareRate = await requestsPerSecond({ ...target, url: bare });
      const ours = await requestsPerSecond({ ...target, url: service });
      if (round >= 0) rounds.push({ ours, bare: bareRate });
    }
  }
  bar.clear();
  return measured;
}

/** Prints the medians, and returns whether every ratio is high enough. */
export function reportPairs(headings: string[], measured: Measured[]): boolean {
  const ratios = measured.map(({ rounds }) => median(rounds.map(({ ours, bare }) => ours / bare)));
  const leasts = measured.map(({ least = LEAST }) => least);
  const rows = measured.map(({ about, rounds }, i) => [
    ...about,
    Math.round(median(rounds.map(({ ours }) => ours))).toLocaleString('en'),
    Math.round(median(rounds.map(({ bare }) => bare))).toLocaleString('en'),
    ratios[i]!.toFixed(3),
    leasts[i]!.toFixed(2),
    ratios[i]! >= leasts[i]! ? 'yes' : 'NO',
  ]);
  const all = [...headings, 'A SECOND', 'BARE', 'RATIO', 'AT LEAST', 'REACHED'];
  process.stdout.write(`${table(all, rows)}\n\n`);
  return ratios.every((ratio, i) => ratio >= leasts[i]!);
}

/** The median of the rounds' cost ratios. */
export function costOf(other: Measured, one: Measured): number {
  return median(one.rounds.map(({ ours }, round) => ours / other.rounds[round]!.ours));
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

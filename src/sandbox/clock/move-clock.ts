import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/values/duration.ts';
import type { Log } from '#platform/observability/log.ts';
import type { SandboxClock } from './sandbox-clock.ts';

/** After this time the clock jumps to its target without further stops, so that the caller does not wait longer. */
const TIMEOUT_MS = 25_000;

export type MoveClock = (move: { ms: number } | { to: Date }) => Promise<void>;

/**
 * Moves the clock, and stops on the way whenever autopay has work: debits are requested days before their due day, attempted at
 * fixed hours, and retried days later. A single jump would skip these steps. Without such work the clock moves in one step.
 */
export const createClockMover =
  (deps: {
    clock: SandboxClock;
    debits: { findNextMoment(now: Date): Promise<Date | null>; run(): Promise<void> };
    /** Lets the simulated bank of the payer make the debits that are due. */
    attemptDebits(): Promise<number>;
    log: Log;
  }): MoveClock =>
  async (move) => {
    const { clock, debits, attemptDebits, log } = deps;
    const runDueWork = async () => {
      await attemptDebits();
      await debits.run();
    };
    let remainingMs = 'ms' in move ? move.ms : move.to.getTime() - clock.now().getTime();
    const advance = async (ms: number) => {
      remainingMs -= ms;
      await clock.advance(ms);
    };
    const finish = () => ('ms' in move ? advance(remainingMs) : clock.moveTo(move.to));
    const deadlineMs = performance.now() + TIMEOUT_MS;
    try {
      // Work that is due already determines when the next work is due.
      await runDueWork();
      for (;;) {
        const now = clock.now();
        const next = await debits.findNextMoment(now);
        if (!next || performance.now() > deadlineMs) break;
        const stepMs = next.getTime() - now.getTime();
        if (stepMs >= remainingMs) break;
        await advance(stepMs);
        await runDueWork();
      }
      await finish();
      await runDueWork();
    } catch (error) {
      // The simulator may be set to fail. Jobs do the rest later.
      log.warn({ err: error }, 'debits are postponed');
      await finish();
    }
  };

const UNIT_MS = { W: 7 * DAY_MS, D: DAY_MS, H: HOUR_MS, M: MINUTE_MS, S: SECOND_MS };

const DURATION_PATTERN =
  /^(-?)P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/;

/**
 * An ISO 8601 duration in milliseconds (P7D, PT12H, P1W, P1DT6H, -P3D), or null. Months and years are refused: their length
 * varies.
 */
export function parseDuration(text: string): number | null {
  const match = DURATION_PATTERN.exec(text);
  if (!match || /[PT]$/.test(text)) return null;
  const [, sign, weeks, days, hours, minutes, seconds] = match;
  const ms =
    Number(weeks ?? 0) * UNIT_MS.W +
    Number(days ?? 0) * UNIT_MS.D +
    Number(hours ?? 0) * UNIT_MS.H +
    Number(minutes ?? 0) * UNIT_MS.M +
    Number(seconds ?? 0) * UNIT_MS.S;
  return sign === '-' ? -ms : ms;
}

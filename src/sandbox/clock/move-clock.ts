import type { Log } from '#platform/observability/log.ts';
import type { SandboxClock } from './sandbox-clock.ts';

/** After this time the clock jumps to its target without further stops, so that the caller does not wait longer. */
const TIMEOUT_MS = 25_000;

/** Moves the clock by a duration, or to an instant. Concurrent moves by a duration add up. */
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

import type { Log } from '#platform/observability/log.ts';
import type { SandboxClock } from './sandbox-clock.ts';

/** One move is not to keep its caller waiting for longer. */
const LONGEST_MS = 25_000;

export type MoveClock = (target: Date) => Promise<void>;

/**
 * Moves the clock, and on the way stops wherever a debit needs something: it is asked for days before, tried at its hours, and tried
 * again days later. A jump over all of that would leave nothing of it. Without such a thing on the way it is one move.
 */
export const clockMover =
  (parts: {
    clock: SandboxClock;
    debits: { nextMoment(now: Date): Promise<Date | null>; run(): Promise<void> };
    /** The payer's bank does what is due by then. */
    tryDebits(): Promise<number>;
    log: Log;
  }): MoveClock =>
  async (target) => {
    const { clock, debits, tryDebits, log } = parts;
    const act = async () => {
      await tryDebits();
      await debits.run();
    };
    const untilMs = performance.now() + LONGEST_MS;
    try {
      // What is due already says when the next thing is.
      await act();
      for (;;) {
        const next = await debits.nextMoment(clock.now());
        if (!next || next >= target || performance.now() > untilMs) break;
        await clock.moveTo(next);
        await act();
      }
      await clock.moveTo(target);
      await act();
    } catch (error) {
      // The simulator may be told to fail: jobs do the rest.
      log.warn({ err: error }, 'debits are put off');
      await clock.moveTo(target);
    }
  };

import { type Static, Type } from 'typebox';
import type { Chance } from './chance.ts';

const Rate = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: `${description} From 0 (never) to 1 (always).`,
  });

/** How the simulator misbehaves. All of it at rest is a PSP that follows the standard. */
export const Faults = Type.Object(
  {
    latency_ms: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      default: 0,
      description: 'Every answer takes this much longer.',
    }),
    error_rate: Rate('Share of calls answered with a 5xx; of writes, half are carried out all the same.'),
    timeout_rate: Rate('Share of calls that are carried out and never answered.'),
    drop_after_write: Rate('Share of writes that are carried out, after which the connection is cut.'),
    token_errors: Rate('Share of token requests that fail, and of calls answered with 401 to a good token.'),
    notify: Type.Enum(['normal', 'twice', 'late', 'never', 'shuffled'], {
      default: 'normal',
      description:
        'Notices: at once; each twice; after a delay; not at all; in any order, spread over the delay.',
    }),
    notify_delay_ms: Type.Integer({
      minimum: 0,
      maximum: 3_600_000,
      default: 0,
      description: 'How long notices wait. 0 means 5 seconds with `late` and one second with `shuffled`.',
    }),
    wrong_amount: Type.Number({
      minimum: -1_000_000,
      maximum: 1_000_000,
      default: 0,
      description: 'Reais that payers pay too much, or too little when negative.',
    }),
    refund: Type.Enum(['normal', 'stuck', 'fails'], {
      default: 'normal',
      description: 'Refunds we ask for: returned; in process until this is changed; not carried out.',
    }),
  },
  { $id: 'PspFaults', additionalProperties: false },
);

export type Faults = Static<typeof Faults>;

export const CALM: Faults = {
  latency_ms: 0,
  error_rate: 0,
  timeout_rate: 0,
  drop_after_write: 0,
  token_errors: 0,
  notify: 'normal',
  notify_delay_ms: 0,
  wrong_amount: 0,
  refund: 'normal',
};

/** What becomes of one call. `error_late` and what follows it are carried out first. */
export type Fate = 'normal' | 'error_early' | 'error_late' | 'silence' | 'cut';

export function drawFate(faults: Faults, isWrite: boolean, chance: Chance): Fate {
  if (chance() < faults.timeout_rate) return 'silence';
  if (isWrite && chance() < faults.drop_after_write) return 'cut';
  if (chance() >= faults.error_rate) return 'normal';
  return isWrite && chance() < 0.5 ? 'error_late' : 'error_early';
}

const LATE_MS = 5_000;
const SHUFFLE_MS = 1_000;
const SECOND_COPY_MS = 50;

/** How long each copy of a notice waits; none when it is held back. */
export function noticeDelaysMs({ notify, notify_delay_ms }: Faults, chance: Chance): number[] {
  switch (notify) {
    case 'never':
      return [];
    case 'twice':
      return [notify_delay_ms, notify_delay_ms + SECOND_COPY_MS];
    case 'late':
      return [notify_delay_ms || LATE_MS];
    case 'shuffled':
      return [Math.round(chance() * (notify_delay_ms || SHUFFLE_MS))];
    default:
      return [notify_delay_ms];
  }
}

import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { HOUR_MS } from '#core/duration.ts';
import { Form } from '#platform/http/schemas.ts';
import type { Chance } from './chance.ts';

const Rate = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: `${description} From 0 (never) to 1 (always).`,
  });

/** How the simulator misbehaves. By default it follows the standard. */
export const Faults = Form(
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
      maximum: HOUR_MS,
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
    debits: Type.Enum(['paid', 'no_money', 'cap', 'silent'], {
      default: 'paid',
      description:
        "What becomes of debits: paid; the payer's account is empty; the payer's own limit is too low; the payer's bank says nothing.",
    }),
    debits_moved_days: Type.Integer({
      minimum: 0,
      maximum: 5,
      default: 0,
      description:
        "Days by which a local holiday of the payer moves a debit, beyond the banks' own holidays.",
    }),
    payments: Type.Enum(['normal', 'missing', 'object', 'zero_beside', 'unreadable_beside'], {
      default: 'normal',
      description:
        'What a paid charge shows of its payments: all; none; one as an object; a payment of 0.00 beside it, or one that ' +
        'cannot be read.',
    }),
    txid: Type.Enum(['normal', 'missing', 'capitals'], {
      default: 'normal',
      description:
        'The txid of payments: as it is; left out, but for notices; in capitals, as the Pix key and the txid of charges then are.',
    }),
    pix_list: Type.Enum(['normal', 'empty', 'unfiltered', 'short_pages'], {
      default: 'normal',
      description:
        'GET /pix: as asked; shows nothing; whatever the txid; pages of at most two that say nothing of how many there are.',
    }),
    pix_lookup: Type.Enum(['normal', 'refused'], {
      default: 'normal',
      description: 'GET /pix/{e2eid}: as asked; refused.',
    }),
    amounts: Type.Enum(['normal', 'short'], {
      default: 'normal',
      description: "Amounts of payments: '10.50'; '10.5'.",
    }),
    timestamps: Type.Enum(['normal', 'no_fraction', 'no_zone', 'spaced'], {
      default: 'normal',
      description:
        'The time of payments: with fraction, zone and T; without the one; without the other; without any.',
    }),
    end_to_end_id: Type.Enum(['normal', 'reused'], {
      default: 'normal',
      description:
        'The end-to-end id of new payments: of its own; that of the last payment of another charge.',
    }),
    notice_format: Type.Enum(['normal', 'gzip', 'array', 'object', 'no_content_type', 'trailing_slash'], {
      default: 'normal',
      description: 'How notices are sent.',
    }),
  },
  { $id: 'PspFaults' },
);

export type Faults = Static<typeof Faults>;

export const CALM: Faults = Value.Create(Faults);

/** The outcome of one call. With `error_late`, `silence` and `cut` the call is carried out first. */
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

/** The delay of each copy of a notice; empty when none is sent. */
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

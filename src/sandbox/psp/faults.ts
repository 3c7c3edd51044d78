import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { HOUR_MS } from '#core/values/duration.ts';
import { StrictObject } from '#platform/http/schemas.ts';

const Rate = (description: string) =>
  Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: `${description} From 0 (never) to 1 (always).`,
  });

/** The first value is the default. */
const Choice = <const V extends string>(values: [V, ...V[]], description: string) =>
  Type.Enum(values, { default: values[0], description });

/** The faults that the simulator injects. Without faults the simulator follows the standard. */
export const Faults = StrictObject(
  {
    latency_ms: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      default: 0,
      description: 'Delay of every response, in milliseconds.',
    }),
    error_rate: Rate('Share of calls with a 5xx response; half of the writes among them are carried out.'),
    timeout_rate: Rate('Share of calls that are carried out without a response.'),
    drop_after_write: Rate(
      'Share of writes that are carried out, after which the connection is closed without a response.',
    ),
    token_errors: Rate('Share of token requests that fail, and of calls with a valid token that get a 401.'),
    notify: Choice(
      ['normal', 'twice', 'late', 'never', 'shuffled'],
      'When callbacks are sent: `normal` immediately, `twice` each two times, `late` after the delay, `never`, `shuffled` in random order within the delay.',
    ),
    notify_delay_ms: Type.Integer({
      minimum: 0,
      maximum: HOUR_MS,
      default: 0,
      description:
        'The delay of callbacks, in milliseconds. 0 means 5 seconds for `late` and one second for `shuffled`.',
    }),
    wrong_amount: Type.Number({
      minimum: -1_000_000,
      maximum: 1_000_000,
      default: 0,
      description: 'Amount in reais that payers pay too much, or if negative too little.',
    }),
    refund: Choice(
      ['normal', 'stuck', 'fails'],
      'What happens to requested refunds: `normal` returned, `stuck` in progress until this fault is removed, `fails` not carried out.',
    ),
    debits: Choice(
      ['paid', 'no_money', 'cap', 'silent'],
      "What happens to debits: `paid`, `no_money` the payer's account is empty, `cap` the limit set by the payer is too low, `silent` the payer's bank does not respond.",
    ),
    debits_moved_days: Type.Integer({
      minimum: 0,
      maximum: 5,
      default: 0,
      description:
        'Days by which local holidays of the payer postpone a debit, in addition to bank holidays.',
    }),
    payments: Choice(
      ['normal', 'missing', 'object', 'zero_beside', 'unreadable_beside'],
      'The payments in a paid charge: `normal` all, `missing` none, `object` a single payment instead of a list, `zero_beside` all ' +
        'and a payment of 0.00, `unreadable_beside` all and a payment that cannot be parsed.',
    ),
    txid: Choice(
      ['normal', 'missing', 'capitals'],
      'The txid of payments: `normal`, `missing` except in callbacks, `capitals` in upper case, as are then also the Pix key and the txid of charges.',
    ),
    pix_list: Choice(
      ['normal', 'empty', 'unfiltered', 'short_pages'],
      'GET /pix: `normal`, `empty` returns nothing, `unfiltered` ignores the txid, `short_pages` returns pages of at most two payments without counts.',
    ),
    pix_lookup: Choice(['normal', 'refused'], 'GET /pix/{e2eid}: `normal`, `refused` with 403.'),
    amounts: Choice(['normal', 'short'], "Amounts of payments: `normal` '10.50', `short` '10.5'."),
    timestamps: Choice(
      ['normal', 'no_fraction', 'no_zone', 'spaced'],
      'The time of payments: `normal`, `no_fraction` without fraction, `no_zone` without zone, `spaced` without fraction, zone and T.',
    ),
    end_to_end_id: Choice(
      ['normal', 'reused'],
      'The end-to-end id of new payments: `normal` unique, `reused` that of the last payment of another charge.',
    ),
    notice_format: Choice(
      ['normal', 'gzip', 'array', 'object', 'no_content_type', 'trailing_slash'],
      'The format of callbacks: `normal`, `gzip` compressed, `array` without the object around the list, `object` a single entry instead of a ' +
        'list, `no_content_type` without Content-Type, `trailing_slash` to the URL with a slash at its end.',
    ),
  },
  { $id: 'PspFaults' },
);

export type Faults = Static<typeof Faults>;

export const NO_FAULTS: Faults = Value.Create(Faults);

export type Random = () => number;

/** Creates a random number generator. With a seed, its sequence is reproducible (mulberry32). */
export function createRandom(seed: number | undefined): Random {
  if (seed === undefined) return Math.random;
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixedBits = Math.imul(state ^ (state >>> 15), state | 1);
    mixedBits ^= mixedBits + Math.imul(mixedBits ^ (mixedBits >>> 7), mixedBits | 61);
    return ((mixedBits ^ (mixedBits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The fault of one call. Except with `error_early`, the call is carried out before it fails. */
export type CallFault = 'normal' | 'error_early' | 'error_late' | 'no_response' | 'connection_closed';

export function drawCallFault(faults: Faults, { isWrite }: { isWrite: boolean }, random: Random): CallFault {
  if (random() < faults.timeout_rate) return 'no_response';
  if (isWrite && random() < faults.drop_after_write) return 'connection_closed';
  if (random() >= faults.error_rate) return 'normal';
  return isWrite && random() < 0.5 ? 'error_late' : 'error_early';
}

const LATE_DELAY_MS = 5_000;
const SHUFFLE_DELAY_MS = 1_000;
const SECOND_COPY_DELAY_MS = 50;

/** Returns the delay of each copy of a callback, and an empty list if the callback is not sent. */
export function drawCallbackDelaysMs({ notify, notify_delay_ms }: Faults, random: Random): number[] {
  switch (notify) {
    case 'never':
      return [];
    case 'twice':
      return [notify_delay_ms, notify_delay_ms + SECOND_COPY_DELAY_MS];
    case 'late':
      return [notify_delay_ms || LATE_DELAY_MS];
    case 'shuffled':
      return [Math.round(random() * (notify_delay_ms || SHUFFLE_DELAY_MS))];
    default:
      return [notify_delay_ms];
  }
}

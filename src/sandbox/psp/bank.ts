import { randomBytes } from 'node:crypto';
import { cents } from '#core/money.ts';
import type { Clock } from '#platform/clock.ts';
import type { Batches } from '#platform/database/batches.ts';
import type { Db } from '#platform/database/db.ts';
import { randomBase62 } from '#platform/ids.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Chance } from './chance.ts';
import type { FaultSettings } from './fault-settings.ts';
import type { BankKeys } from './keys.ts';
import type { ChargeRow, NewCharge, Place } from './store/charges.ts';

/** Who gets the money, as payers see it. */
export type Receiver = { name: string; city: string };

/** Dependencies that the parts of the simulated bank share. */
export type Bank = {
  db: Db;
  /** Batches concurrent new charges into one statement. Undefined when the txid is in use. */
  newCharges: Batches<NewCharge & Place, ChargeRow | undefined>;
  /** The sandbox's time: charges are made, expire and are paid by it. */
  clock: Clock;
  log: Log;
  chance: Chance;
  faultSettings: FaultSettings;
  keys: BankKeys;
  client: { id: string; secret: string };
  tokenSeconds: number;
  receiver: Receiver;
  /** Whether that Pix key is the receiver's. */
  ownsKey: (key: string) => boolean;
  refundDelayMs: number;
  /** Its address, such as http://localhost:3002. */
  url: () => string;
  /** Tells the dispatcher to look for notices to send. */
  wake: () => void;
};

/** The largest amount of the standard's format (`\d{1,10}\.\d{2}`). */
export const MOST_CENTS = cents(999_999_999_999);

/** Path under which payers' apps read charges; a token follows. */
export const PLACE_PATH = '/qr/v2/';

/** The same for authorisations. */
export const REC_PLACE_PATH = `${PLACE_PATH}rec/`;

/** ISPB codes of two banks that do not exist: the payer's and the receiver's. */
const PAYER_ISPB = '99900001';
const RECEIVER_ISPB = '99900002';

/** An unguessable address under which a payer's app reads the charge. Without a scheme, as in a BR Code. */
export function newPlace(bank: Bank, path = PLACE_PATH): Place {
  const token = randomBytes(16).toString('hex');
  const host = bank.url().replace(/^https?:\/\//, '');
  return { token, location: `${host}${path}${token}` };
}

/** RR, as it allows retries; the receiver's bank, the day, and eleven random characters. */
export function newRecId(at: Date): string {
  return `RR${RECEIVER_ISPB}${minute(at).slice(0, 8)}${randomBase62(11)}`;
}

/** E, the payer's bank, the minute in UTC, and eleven random characters. */
export function newEndToEndId(at: Date): string {
  return `E${PAYER_ISPB}${minute(at)}${randomBase62(11)}`;
}

/** The same for a refund: D, and the bank that sends it. */
export function newReturnId(at: Date): string {
  return `D${RECEIVER_ISPB}${minute(at)}${randomBase62(11)}`;
}

export function newTxid(): string {
  return randomBytes(16).toString('hex');
}

function minute(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(0, 12);
}

import { randomBytes } from 'node:crypto';
import { cents } from '#core/values/money.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db, Tx } from '#platform/database/db.ts';
import { randomBase62 } from '#platform/ids.ts';
import type { Log } from '#platform/observability/log.ts';
import type { Faults, Random } from './faults.ts';
import type { FaultSettings, SimulatorIdentity } from './settings.ts';
import type { LocationAddress } from './store/charges.ts';

export type Receiver = { name: string; city: string };

export type Bank = {
  db: Db;
  /** The sandbox clock, by which charges are created, expire and are paid. */
  clock: Clock;
  log: Log;
  random: Random;
  faultSettings: FaultSettings;
  identity: SimulatorIdentity;
  client: { id: string; secret: string };
  tokenSeconds: number;
  receiver: Receiver;
  ownsKey: (key: string) => boolean;
  refundDelayMs: number;
  url: () => string;
  wakeDispatcher: () => void;
};

/** A transaction of the bank. The faults are read before it begins: a read during it would take a second connection, and could deadlock the pool. */
export type BankContext = { tx: Tx; bank: Bank; faults: Faults };

/** Runs `work` in a transaction. The callbacks that it enqueues are sent after the commit. */
export async function withBankTransaction<T>(bank: Bank, work: (context: BankContext) => Promise<T>) {
  const faults = await bank.faultSettings.getCurrent();
  const result = await bank.db.transaction((tx) => work({ tx, bank, faults }));
  bank.wakeDispatcher();
  return result;
}

export const MAX_PAYMENT_CENTS = cents(999_999_999_999);

export const LOCATION_PATH = '/qr/v2/';

export const REC_LOCATION_PATH = `${LOCATION_PATH}rec/`;

/** The ISPB codes of two banks that do not exist. */
const PAYER_ISPB = '99900001';
const RECEIVER_ISPB = '99900002';

/** Creates the unguessable location, without a scheme, that a BR Code contains. */
export function createLocationAddress(bank: Bank, path = LOCATION_PATH): LocationAddress {
  const token = randomBytes(16).toString('hex');
  const host = bank.url().replace(/^https?:\/\//, '');
  return { token, location: `${host}${path}${token}` };
}

/** The id consists of RR (retries are allowed), the receiver's bank, the day, and eleven random characters. */
export const newRecId = (instant: Date): string =>
  `RR${RECEIVER_ISPB}${formatMinute(instant).slice(0, 8)}${randomBase62(11)}`;

/** The id consists of E, the payer's bank, the minute in UTC, and eleven random characters. */
export const newEndToEndId = (instant: Date): string =>
  `E${PAYER_ISPB}${formatMinute(instant)}${randomBase62(11)}`;

/** The id consists of D, the receiver's bank (it sends the refund), the minute in UTC, and eleven random characters. */
export const newReturnId = (instant: Date): string =>
  `D${RECEIVER_ISPB}${formatMinute(instant)}${randomBase62(11)}`;

export const newTxid = (): string => randomBytes(16).toString('hex');

const formatMinute = (instant: Date): string => instant.toISOString().replace(/\D/g, '').slice(0, 12);

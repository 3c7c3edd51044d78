import type { Bilingual } from '#core/values/bilingual.ts';
import { DAY_MS, MINUTE_MS } from '#core/values/duration.ts';
import type { Tx } from '#platform/database/db.ts';
import { type AttemptCounter, attachProblem, enforceLimits } from '#platform/http/attempt-limits.ts';
import { toNetwork } from '#platform/http/ip-addresses.ts';
import { waitForAllOrThrow } from '#platform/jobs/concurrency.ts';
import type { MessageCap } from '#platform/messages/message-caps.ts';
import { withRetryAfter } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { tooManyAttempts, tooManyOffers } from '../problems.ts';
import { countPendingOffersToPhone, hasSentOffer } from './store.ts';

/** The daily limit of all merchants together, as a multiple of the limit of one merchant. */
const ALL_MERCHANTS_FACTOR = 4;
/** The limit of pending offers to a phone, as a multiple of the daily limit of one merchant. */
const PENDING_FACTOR = 2;
/** Pending offers may be answered at any time, so clients should try again after an hour. */
const RETRY_PENDING_AFTER_S = '3600';
const MAX_WRONG_CODES = { perCustomer: 10, perIpAddress: 30 } as const;

const buildDailyOfferLimit = (kind: string, maxAttempts: number, text: Bilingual) =>
  attachProblem({ kind, maxAttempts, windowMs: DAY_MS }, tooManyOffers, text);

const buildWrongCodeLimit = (kind: string, maxAttempts: number, text: Bilingual) =>
  attachProblem({ kind, maxAttempts, windowMs: 15 * MINUTE_MS }, tooManyAttempts, text);

/** Builds the counters that limit offers to a phone. Each offer sends a message to a phone whose owner may not want it. */
export const buildOfferCounters = (
  vault: Vault,
  { merchantId, phone, offersPerPhone }: { merchantId: number; phone: string; offersPerPhone: number },
): AttemptCounter[] => [
  {
    ...buildDailyOfferLimit('offer_merchant', offersPerPhone, {
      en: 'You have sent too many offers to this phone today.',
      pt: 'Você já fez ofertas demais para este telefone hoje.',
    }),
    subject: vault.hash('merchant and phone', `${merchantId} ${phone}`),
  },
  {
    ...buildDailyOfferLimit('offer_phone', ALL_MERCHANTS_FACTOR * offersPerPhone, {
      en: 'This phone has received too many offers today.',
      pt: 'Este telefone já recebeu ofertas demais hoje.',
    }),
    subject: vault.hash('phone', phone),
  },
];

/** Builds the counters that limit wrong codes, against brute force. */
export const buildWrongCodeCounters = (
  vault: Vault,
  { customerId, ipAddress }: { customerId: string; ipAddress: string },
): AttemptCounter[] => [
  {
    ...buildWrongCodeLimit('offer_code', MAX_WRONG_CODES.perCustomer, {
      en: 'You have sent too many wrong codes.',
      pt: 'Você errou códigos demais.',
    }),
    subject: vault.hash('codes of customer', customerId),
  },
  {
    ...buildWrongCodeLimit('offer_code_address', MAX_WRONG_CODES.perIpAddress, {
      en: 'Too many wrong codes were sent from this IP address.',
      pt: 'Este endereço errou códigos demais.',
    }),
    subject: vault.hash('address', toNetwork(ipAddress)),
  },
];

type NewPhoneOffer = { merchantId: number; phone: string; newPhonesPerMerchant: number };

const TOO_MANY_NEW_PHONES: Bilingual = {
  en: 'You have sent offers to too many new phones today.',
  pt: 'Você já fez ofertas a telefones novos demais hoje.',
};

/** Builds the cap on new phones of a merchant. Returns an empty list if the merchant has sent an offer to this phone before. */
export async function buildNewPhoneCaps(
  tx: Tx,
  { merchantId, phone, newPhonesPerMerchant }: NewPhoneOffer,
): Promise<MessageCap[]> {
  if (await hasSentOffer(tx, merchantId, phone)) return [];
  return [
    {
      name: 'merchant_phones',
      maxMessages: newPhonesPerMerchant,
      windowMs: DAY_MS,
      subject: tx.vault.hash('new phones of merchant', String(merchantId)),
      label: String(merchantId),
      toProblem: (seconds) => tooManyOffers(withRetryAfter(seconds, TOO_MANY_NEW_PHONES)),
    },
  ];
}

/**
 * Records the attempt to send an offer. Throws a problem if a limit of `counters` is reached, or too many offers to the phone are pending.
 * Locks the row of the phone's counter, which serializes concurrent offers to the phone.
 */
export async function recordOfferAttempt(
  tx: Tx,
  counters: AttemptCounter[],
  { phone, offersPerPhone }: { phone: string; offersPerPhone: number },
  now: Date,
): Promise<void> {
  const recordingAttempts = enforceLimits(tx, counters, now);
  const countingPending = countPendingOffersToPhone(tx, phone, now);
  await waitForAllOrThrow([recordingAttempts, countingPending]);
  const maxPending = PENDING_FACTOR * offersPerPhone;
  if ((await countingPending) < maxPending) return;
  throw tooManyOffers({
    en: `${maxPending} offers to this phone are pending.`,
    pt: `Este telefone tem ${maxPending} ofertas aguardando resposta.`,
    headers: { 'retry-after': RETRY_PENDING_AFTER_S },
  });
}

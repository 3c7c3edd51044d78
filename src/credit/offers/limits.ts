import type { Bilingual } from '#core/bilingual.ts';
import { DAY_MS, MINUTE_MS } from '#core/duration.ts';
import type { Tx } from '#platform/database/db.ts';
import { type Counter, type Limit, takeAttempts } from '#platform/http/attempt-limits.ts';
import { networkOf } from '#platform/http/network.ts';
import type { MessageCap } from '#platform/messages/message-caps.ts';
import { retryIn } from '#platform/problem.ts';
import type { Vault } from '#platform/vault.ts';
import { tooManyAttempts, tooManyOffers } from '../problems.ts';
import { countPending, hasOffered } from './store.ts';

const refusal = (text: Bilingual) => (seconds: string) => tooManyOffers(retryIn(seconds, text));

/** Limits of offers, because each sends a message to a phone whose owner may not want one. */
export function offersTo(
  vault: Vault,
  { merchantId, phone, most }: { merchantId: number; phone: string; most: number },
): Counter[] {
  return [
    {
      limit: { kind: 'offer_merchant', most, windowMs: DAY_MS },
      subject: vault.hash('merchant and phone', `${merchantId} ${phone}`),
      refusal: refusal({
        en: 'You have made too many offers to this phone today.',
        pt: 'Você já fez ofertas demais para este telefone hoje.',
      }),
    },
    {
      limit: { kind: 'offer_phone', most: 4 * most, windowMs: DAY_MS },
      subject: vault.hash('phone', phone),
      refusal: refusal({
        en: 'This phone was made too many offers today.',
        pt: 'Este telefone já recebeu ofertas demais hoje.',
      }),
    },
  ];
}

const QUARTER_MS = 15 * MINUTE_MS;
const CODES_OF_CUSTOMER: Limit = { kind: 'offer_code', most: 10, windowMs: QUARTER_MS };
const CODES_FROM_ADDRESS: Limit = { kind: 'offer_code_address', most: 30, windowMs: QUARTER_MS };

/** Wrong codes: a short code must not be found by brute force. */
export function wrongCodes(vault: Vault, customerId: string, address: string): Counter[] {
  const refuse = (text: Bilingual) => (seconds: string) => tooManyAttempts(retryIn(seconds, text));
  return [
    {
      limit: CODES_OF_CUSTOMER,
      subject: vault.hash('codes of customer', customerId),
      refusal: refuse({ en: 'You have sent too many wrong codes.', pt: 'Você errou códigos demais.' }),
    },
    {
      limit: CODES_FROM_ADDRESS,
      subject: vault.hash('address', networkOf(address)),
      refusal: refuse({
        en: 'Too many wrong codes came from this address.',
        pt: 'Este endereço errou códigos demais.',
      }),
    },
  ];
}

/** The limit of new phones to which a merchant may make offers. Empty if it made an offer to the phone before. */
export async function newPhoneCaps(
  tx: Tx,
  { merchantId, phone, most }: { merchantId: number; phone: string; most: number },
): Promise<MessageCap[]> {
  if (await hasOffered(tx, merchantId, phone)) return [];
  return [
    {
      name: 'merchant_phones',
      most,
      windowMs: DAY_MS,
      subject: tx.vault.hash('new phones of merchant', String(merchantId)),
      label: String(merchantId),
      refusal: refusal({
        en: 'You have made offers to too many new phones today.',
        pt: 'Você já fez ofertas a telefones novos demais hoje.',
      }),
    },
  ];
}

/** Counts the offer. This locks the row of the phone's counter, which serializes concurrent offers to the phone. */
export async function takeOfferAttempts(
  tx: Tx,
  counted: Counter[],
  { phone, most }: { phone: string; most: number },
  now: Date,
): Promise<void> {
  await takeAttempts(tx, counted, now);
  const mostPending = 2 * most;
  if ((await countPending(tx, phone, now)) < mostPending) return;
  throw tooManyOffers({
    en: `${mostPending} offers to this phone wait for an answer.`,
    pt: `Este telefone tem ${mostPending} ofertas aguardando resposta.`,
    headers: { 'retry-after': '3600' },
  });
}

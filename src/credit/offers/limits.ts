import type { Bilingual } from '#core/bilingual.ts';
import type { Tx } from '#platform/database/db.ts';
import { type Counted, type Limit, takeAttempts } from '#platform/http/attempt-limits.ts';
import type { MessageCap } from '#platform/messages/message-caps.ts';
import type { Vault } from '#platform/privacy/vault.ts';
import { retryIn } from '#platform/problem.ts';
import { tooManyOffers } from '../problems.ts';
import { countPending, hasOffered } from './store.ts';

const DAY_MS = 86_400_000;
const OF_MERCHANT: Limit = { kind: 'offer_merchant', most: 5, windowMs: DAY_MS };
const TO_PHONE: Limit = { kind: 'offer_phone', most: 20, windowMs: DAY_MS };
const MOST_PENDING = 10;

const refusal = (text: Bilingual) => (seconds: string) => tooManyOffers(retryIn(seconds, text));

/** Limits of offers, because each sends a message to a phone whose owner may not want one. */
export function offersTo(vault: Vault, merchantId: number, phone: string): Counted[] {
  return [
    {
      limit: OF_MERCHANT,
      subject: vault.hash('merchant and phone', `${merchantId} ${phone}`),
      refusal: refusal({
        en: 'You have made too many offers to this phone today.',
        pt: 'Você já fez ofertas demais para este telefone hoje.',
      }),
    },
    {
      limit: TO_PHONE,
      subject: vault.hash('phone', phone),
      refusal: refusal({
        en: 'This phone was made too many offers today.',
        pt: 'Este telefone já recebeu ofertas demais hoje.',
      }),
    },
  ];
}

/** The cap on new phones of a merchant; none if the merchant has made an offer to the phone before. */
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
export async function takeOfferAttempts(tx: Tx, counted: Counted[], phone: string, now: Date): Promise<void> {
  await takeAttempts(tx, counted, now);
  if ((await countPending(tx, phone, now)) < MOST_PENDING) return;
  throw tooManyOffers({
    en: `${MOST_PENDING} offers to this phone wait for an answer.`,
    pt: `Este telefone tem ${MOST_PENDING} ofertas aguardando resposta.`,
    headers: { 'retry-after': '3600' },
  });
}

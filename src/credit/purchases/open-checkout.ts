import { effectiveDueDay } from '#core/values/calendar.ts';
import { toReais, ZERO } from '#core/values/money.ts';
import type { EventContext } from '#events';
import { post } from '#ledger';
import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { newId } from '#platform/ids.ts';
import { newHash } from '../hash.ts';
import type { CheckoutRecord } from './checkout-record.ts';
import { insertContract } from './contract-store.ts';
import { buildAgreedEntries } from './entries.ts';
import type { ApprovedPurchase } from './plan-purchase.ts';
import { insertCheckout } from './store.ts';

/** Builds the record of an approved purchase. Without `ids`, which it gets when it is opened, its ids are null. */
export function buildCheckoutRecord(
  purchase: ApprovedPurchase,
  ids?: { hash: string; installmentIds: string[] },
): CheckoutRecord {
  const { merchant, terms, schedule } = purchase;
  return {
    customer_id: purchase.customerId,
    hash: ids?.hash ?? null,
    offer_id: purchase.offerId ?? null,
    merchant_slug: merchant.slug,
    merchant_name: merchant.name,
    merchant_logo_url: merchant.logo_url,
    description: purchase.description,
    purchased_at: purchase.purchasedAt,
    financed_cents: schedule.financed,
    returned_at: null,
    written_off_at: null,
    terms,
    cet: purchase.cet,
    contract_sha256: purchase.contract?.sha256 ?? null,
    installments: schedule.installments.map(({ number, amount, dueOn }, i) => ({
      id: ids?.installmentIds[i] ?? null,
      number,
      redeemed: ZERO,
      debt: { amount, dueOn, terms, events: [] },
    })),
  };
}

/** Opens an approved purchase, in the transaction of the approval: stores it, posts it to the ledger and emits its event. */
export async function openCheckout(
  tx: CustomerTx,
  purchase: ApprovedPurchase,
  { events, now, writtenAt = now }: EventContext & { writtenAt?: Date },
): Promise<CheckoutRecord> {
  const { customerId, schedule, merchant, purchasedAt, contract } = purchase;
  const { installments } = schedule;
  const hash = contract?.hash ?? newHash();
  const installmentIds = installments.map(() => newId('ins', now));
  const effectiveDueDays = installments.map(({ dueOn }) => effectiveDueDay(dueOn));
  insertCheckout(tx, { ...purchase, hash, installmentIds, effectiveDueDays, writtenAt });
  if (contract) tx.write(insertContract(tx.vault, customerId, contract, writtenAt));
  const reference = `checkout ${hash}`;
  const entries = installments.flatMap((agreed, i) => buildAgreedEntries(installmentIds[i]!, agreed));
  const posting = {
    customerId,
    kind: 'checkout',
    reference,
    occurredAt: purchasedAt,
    merchantId: merchant.id,
  };
  post(tx, { ...posting, entries }, now);
  const data = {
    checkout_hash: hash,
    merchant: merchant.slug,
    purchased_at: purchasedAt.toISOString(),
    financed: toReais(schedule.financed),
    total: toReais(schedule.total),
    installments: installments.length,
    first_due_on: installments[0]!.dueOn,
  };
  const purchaseContext = {
    merchant: merchant.slug,
    offer_id: purchase.offerId ?? null,
    reference: purchase.reference ?? null,
  };
  await events.emit(
    tx,
    { type: 'checkout.created', customerId, merchantId: merchant.id, purchase: purchaseContext, data },
    now,
  );
  return buildCheckoutRecord(purchase, { hash, installmentIds });
}

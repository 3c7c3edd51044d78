import { businessDaysAfter } from '#core/calendar.ts';
import { saoPauloDay } from '#core/day.ts';
import { feeOn } from '#core/merchant-fee.ts';
import { cents } from '#core/money.ts';
import { ppm } from '#core/percent.ts';
import { listSales, listUnknownHashes, type Sale } from '#credit';
import { compare, listMerchantAccounts, listMerchantBalances, listMerchantPostings } from '#ledger';
import type { Auditor } from '#module';
import type { Tx } from '#platform/database/db.ts';
import { pluck } from '#platform/database/pluck.ts';
import {
  type AuditedLine,
  type AuditedPayout,
  listAuditedPayouts,
  listOwed,
  listSaleLines,
  listSoldHashes,
} from './audit-store.ts';
import { PAYOUT_POSTING, payoutReference } from './close-payout.ts';
import { FEE_POSTING } from './on-sale.ts';

const AUDIT_BATCH_SIZE = 1_000;

/**
 * By sale: the merchant's lines equal what the ledger owes the merchant for the sale, with the right fee. By payout: its lines
 * add up to its amount, and its outcome is in the lines and the ledger. By merchant: the merchants' side of the ledger equals the
 * lines.
 */
export const payoutsAuditor: Auditor = {
  kinds: [FEE_POSTING, PAYOUT_POSTING],
  async check(tx, range) {
    const sales = await listSales(tx, range);
    const made = await listSaleLines(tx, pluck(sales, 'hash'));
    const lines = Map.groupBy(made, (line) => line.checkout_hash);
    const booked = new Map(
      (await listMerchantBalances(tx, range)).map((row) => [
        `${row.customer_id} ${row.merchant_id} ${row.installment_id}`,
        row.amount_cents,
      ]),
    );
    const found = sales.flatMap((sale) => {
      let keptCents = 0;
      for (const id of sale.installment_ids ?? []) {
        const key = `${sale.customer_id} ${sale.merchant_id} ${id}`;
        keptCents -= booked.get(key) ?? 0;
        booked.delete(key);
      }
      return checkSale(sale, keptCents, lines.get(sale.hash) ?? []);
    });
    for (const [key, amount] of booked)
      found.push(`merchant_payable of '${key}' is ${amount}, and there is no such sale`);
    return found;
  },
  async checkRest(tx) {
    return [...(await checkHashes(tx)), ...(await checkPayouts(tx)), ...(await checkMerchants(tx))];
  },
};

function checkSale(sale: Sale, keptCents: number, lines: readonly AuditedLine[]): string[] {
  const sumOf = (...kinds: string[]) =>
    lines.filter(({ kind }) => kinds.includes(kind)).reduce((total, line) => total + line.amount_cents, 0);
  const fee = ppm(sale.merchant_fee_ppm);
  const dueOn = businessDaysAfter(saoPauloDay(sale.purchased_at.getTime()), sale.payout_days);
  const first = lines.filter(({ kind }) => kind === 'sale' || kind === 'fee');
  const kept = {
    'its sale': sumOf('sale'),
    'its fee': sumOf('fee'),
    'sale and returns': sumOf('sale', 'return'),
    'fees of sale and returns': sumOf('fee', 'return_fee'),
    'lines of other merchants': lines.filter((line) => line.merchant_id !== sale.merchant_id).length,
    'lines with another due day': first.filter((line) => line.due_on !== dueOn).length,
  };
  return compare(`sale ${sale.hash}`, kept, {
    'its sale': sale.financed_cents,
    'its fee': -feeOn(cents(sale.financed_cents), fee) + 0,
    'sale and returns': keptCents,
    'fees of sale and returns': -feeOn(cents(Math.max(0, keptCents)), fee) + 0,
    'lines of other merchants': 0,
    'lines with another due day': 0,
  });
}

/** Every line belongs to a real sale. */
async function checkHashes(tx: Tx): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const hashes = await listSoldHashes(tx, after, AUDIT_BATCH_SIZE);
    for (const hash of await listUnknownHashes(tx, hashes))
      found.push(`sale ${hash}: is in the lines of a merchant, and was not made`);
    const last = hashes.at(-1);
    if (last === undefined) return found;
    after = last;
  }
}

async function checkPayouts(tx: Tx): Promise<string[]> {
  const found: string[] = [];
  for (let after = ''; ; ) {
    const payouts = await listAuditedPayouts(tx, after, AUDIT_BATCH_SIZE);
    const references = payouts.map(({ id }) => payoutReference(id));
    const postings = new Map((await listMerchantPostings(tx, references)).map((row) => [row.reference, row]));
    for (const payout of payouts)
      found.push(...checkPayout(payout, postings.get(payoutReference(payout.id))?.payable_cents ?? 0));
    const last = payouts.at(-1);
    if (!last) return found;
    after = last.id;
  }
}

function checkPayout(payout: AuditedPayout, postedCents: number): string[] {
  const { amount_cents, status } = payout;
  return compare(
    `payout ${payout.id}`,
    { ...payout, 'merchant_payable of its entries': postedCents },
    {
      settled_cents: amount_cents,
      settled_due_on: payout.due_on,
      foreign_lines: 0,
      told_cents: -amount_cents,
      failed_cents: status === 'failed' ? amount_cents : null,
      'merchant_payable of its entries': status === 'paid' ? amount_cents : 0,
    },
  );
}

async function checkMerchants(tx: Tx): Promise<string[]> {
  const booked = Map.groupBy(await listMerchantAccounts(tx), ({ merchant_id }) => merchant_id);
  const balancesOf = (merchantId: number) => {
    const accounts = booked.get(merchantId) ?? [];
    booked.delete(merchantId);
    return { ...NO_BALANCES, ...Object.fromEntries(accounts.map((row) => [row.account, row.amount_cents])) };
  };
  const found = (await listOwed(tx)).flatMap(({ merchant_id, fee_cents, paid_cents }) =>
    compare(`merchant ${merchant_id}`, balancesOf(merchant_id), {
      merchant_payable: paid_cents - fee_cents,
      fee_income: fee_cents,
      payout_clearing: -paid_cents + 0,
    }),
  );
  for (const merchantId of booked.keys())
    found.push(`merchant ${merchantId}: has entries, and no line tells of them`);
  return found;
}

const NO_BALANCES = { merchant_payable: 0, fee_income: 0, payout_clearing: 0 };

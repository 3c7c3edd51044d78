import { computeMerchantFee } from '#core/finance/merchant-fee.ts';
import { addBusinessDays } from '#core/values/calendar.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import { ppm } from '#core/values/percent.ts';
import { listSalesInRange, listUnknownHashes, type Sale } from '#credit';
import {
  compareFigures,
  listMerchantAccountBalances,
  listMerchantPayables,
  listMerchantPostings,
} from '#ledger';
import type { Auditor } from '#module';
import { pluck, sql, type Tx } from '#platform/database/db.ts';
import { buildPayoutReference, FEE_POSTING, PAYOUT_POSTING } from './payouts.ts';
import type { NewLine, PayoutRow } from './store.ts';

const AUDIT_BATCH_SIZE = 1_000;

/**
 * Compares the lines of the merchants' statements with the ledger. Checks each sale: its lines equal the merchant's claim, and the fee is
 * correct. Checks each payout: its lines add up to its amount, and its outcome is in the lines and in the ledger. Checks each merchant: the
 * postings of fees and payouts equal the lines.
 */
export const payoutsAuditor: Auditor = {
  postingKinds: [FEE_POSTING, PAYOUT_POSTING],
  async check(tx, range) {
    const sales = await listSalesInRange(tx, range);
    const saleLines = await listSaleLines(tx, pluck(sales, 'hash'));
    const linesByHash = Map.groupBy(saleLines, (line) => line.checkout_hash);
    const balances = new Map(
      (await listMerchantPayables(tx, range)).map((row) => [
        `${row.customer_id} ${row.merchant_id} ${row.installment_id}`,
        row.amount_cents,
      ]),
    );
    const mismatches: string[] = [];
    for (const sale of sales) {
      const balanceKeys = (sale.installment_ids ?? []).map(
        (id) => `${sale.customer_id} ${sale.merchant_id} ${id}`,
      );
      // The ledger stores a debt to a merchant as a negative amount.
      const payableCents = balanceKeys.reduce((total, key) => total - (balances.get(key) ?? 0), 0);
      mismatches.push(...checkSale(sale, payableCents, linesByHash.get(sale.hash) ?? []));
      for (const key of balanceKeys) balances.delete(key);
    }
    // The remaining balances belong to no sale.
    for (const [key, amount] of balances)
      mismatches.push(`merchant_payable of '${key}' is ${amount}, and there is no such sale`);
    return mismatches;
  },
  async checkGlobal(tx) {
    return [...(await checkSalesExist(tx)), ...(await checkPayouts(tx)), ...(await checkMerchants(tx))];
  },
};

/** `payableCents` is the amount owed to the merchant for the sale, after returns and before the fee. */
function checkSale(sale: Sale, payableCents: number, lines: readonly AuditedLine[]): string[] {
  const sumLinesOfKinds = (...kinds: string[]) =>
    lines.filter(({ kind }) => kinds.includes(kind)).reduce((total, line) => total + line.amount_cents, 0);
  const feeRate = ppm(sale.merchant_fee_ppm);
  const dueOn = addBusinessDays(saoPauloDay(sale.purchased_at.getTime()), sale.payout_days);
  const saleAndFeeLines = lines.filter(({ kind }) => kind === 'sale' || kind === 'fee');
  // The names appear in the mismatches.
  const storedFigures = {
    'its sale': sumLinesOfKinds('sale'),
    'its fee': sumLinesOfKinds('fee'),
    'sale and returns': sumLinesOfKinds('sale', 'return'),
    'fees of sale and returns': sumLinesOfKinds('fee', 'return_fee'),
    'lines of other merchants': lines.filter((line) => line.merchant_id !== sale.merchant_id).length,
    'lines with another due day': saleAndFeeLines.filter((line) => line.due_on !== dueOn).length,
  };
  return compareFigures(`sale ${sale.hash}`, storedFigures, {
    'its sale': sale.financed_cents,
    'its fee': -computeMerchantFee(cents(sale.financed_cents), feeRate),
    'sale and returns': payableCents,
    'fees of sale and returns': -computeMerchantFee(cents(Math.max(0, payableCents)), feeRate),
    'lines of other merchants': 0,
    'lines with another due day': 0,
  });
}

/** Checks that every line about a sale belongs to an existing sale. */
async function checkSalesExist(tx: Tx): Promise<string[]> {
  const mismatches: string[] = [];
  let hashes = await listHashesWithLines(tx, '', AUDIT_BATCH_SIZE); // from the first hash
  while (hashes.length > 0) {
    for (const hash of await listUnknownHashes(tx, hashes))
      mismatches.push(`sale ${hash}: is in the lines of a merchant, but does not exist`);
    hashes = await listHashesWithLines(tx, hashes.at(-1)!, AUDIT_BATCH_SIZE);
  }
  return mismatches;
}

async function checkPayouts(tx: Tx): Promise<string[]> {
  const mismatches: string[] = [];
  let payouts = await listAuditedPayouts(tx, '', AUDIT_BATCH_SIZE); // from the first id
  while (payouts.length > 0) {
    const references = payouts.map(({ id }) => buildPayoutReference(id));
    const postings = new Map((await listMerchantPostings(tx, references)).map((row) => [row.reference, row]));
    for (const payout of payouts)
      mismatches.push(
        ...checkPayout(payout, postings.get(buildPayoutReference(payout.id))?.payable_cents ?? 0),
      );
    payouts = await listAuditedPayouts(tx, payouts.at(-1)!.id, AUDIT_BATCH_SIZE);
  }
  return mismatches;
}

function checkPayout(payout: AuditedPayout, postedCents: number): string[] {
  const { amount_cents, status } = payout;
  const storedFigures = { ...payout, 'merchant_payable of its entries': postedCents };
  // Only the figures listed here are compared.
  return compareFigures(`payout ${payout.id}`, storedFigures, {
    settled_cents: amount_cents,
    settled_due_on: payout.due_on,
    other_merchant_lines: 0,
    payout_line_cents: -amount_cents,
    failed_cents: status === 'failed' ? amount_cents : null,
    'merchant_payable of its entries': status === 'paid' ? amount_cents : 0,
  });
}

/** Checks the balances of each merchant in the ledger, where a debt to the merchant and income are negative. */
async function checkMerchants(tx: Tx): Promise<string[]> {
  const accountsByMerchant = Map.groupBy(
    await listMerchantAccountBalances(tx),
    ({ merchant_id }) => merchant_id,
  );
  const lineSums = await sumMerchantLines(tx);
  const mismatches = lineSums.flatMap(({ merchant_id, fee_cents, paid_cents }) => {
    const accounts = accountsByMerchant.get(merchant_id) ?? [];
    const balances = Object.fromEntries(accounts.map((row) => [row.account, row.amount_cents]));
    return compareFigures(
      `merchant ${merchant_id}`,
      { ...NO_BALANCES, ...balances },
      { merchant_payable: paid_cents - fee_cents, fee_income: fee_cents, payout_clearing: -paid_cents },
    );
  });
  const merchantsWithLines = new Set(pluck(lineSums, 'merchant_id'));
  for (const merchantId of accountsByMerchant.keys())
    if (!merchantsWithLines.has(merchantId))
      mismatches.push(`merchant ${merchantId}: has entries, but no lines`);
  return mismatches;
}

const NO_BALANCES = { merchant_payable: 0, fee_income: 0, payout_clearing: 0 };

type AuditedLine = Pick<NewLine, 'merchant_id' | 'kind' | 'amount_cents' | 'due_on' | 'checkout_hash'>;

/** Lists the statement lines of these sales. */
const listSaleLines = (tx: Tx, hashes: readonly string[]) =>
  tx.rows<AuditedLine>(sql`
    select merchant_id, kind, amount_cents, due_on, checkout_hash from merchant_lines
    where checkout_hash = any(${hashes})`);

/** Lists the hashes of sales that have lines, in order, after `afterHash`. */
const listHashesWithLines = (tx: Tx, afterHash: string, limit: number) =>
  tx.values<string>(sql`
    select distinct checkout_hash from merchant_lines where checkout_hash > ${afterHash}
    order by checkout_hash limit ${limit}`);

type AuditedPayout = Pick<PayoutRow, 'id' | 'merchant_id' | 'amount_cents' | 'due_on' | 'status'> & {
  /** The sum of the lines that the payout settles, without its own line. */
  settled_cents: number;
  /** The latest due day of these lines. */
  settled_due_on: string | null;
  /** Count of settled lines that belong to other merchants. */
  other_merchant_lines: number;
  /** The amounts of the lines that record the payout and its failure. Null if there is no such line. */
  payout_line_cents: number | null;
  failed_cents: number | null;
};

/** Lists payouts in order, after `afterId`, with the sums of their lines. `of_payout_id` is the payout that a line records. */
const listAuditedPayouts = (tx: Tx, afterId: string, limit: number) =>
  tx.rows<AuditedPayout>(sql`
    select payout.id, payout.merchant_id, payout.amount_cents, payout.due_on, payout.status,
           coalesce(settled.settled_cents, 0)::bigint as settled_cents, settled.settled_due_on,
           coalesce(settled.other_merchant_lines, 0) as other_merchant_lines,
           (select amount_cents from merchant_lines where of_payout_id = payout.id and kind = 'payout') as payout_line_cents,
           (select amount_cents from merchant_lines where of_payout_id = payout.id and kind = 'payout_failed') as failed_cents
    from (select * from payouts where id > ${afterId} order by id limit ${limit}) as payout
    left join lateral (
      select sum(line.amount_cents) as settled_cents, max(line.due_on) as settled_due_on,
             count(*) filter (where line.merchant_id <> payout.merchant_id) as other_merchant_lines
      from merchant_lines line where line.payout_id = payout.id and line.kind <> 'payout') as settled on true
    order by payout.id`);

/** Sums the fees, which are negative, and the paid payouts in each merchant's lines. */
const sumMerchantLines = (tx: Tx) =>
  tx.rows<{ merchant_id: number; fee_cents: number; paid_cents: number }>(sql`
    select line.merchant_id,
           coalesce(sum(line.amount_cents) filter (where line.kind in ('fee', 'return_fee')), 0)::bigint as fee_cents,
           coalesce(sum(-line.amount_cents) filter (where line.kind = 'payout' and payout.status = 'paid'), 0)::bigint as paid_cents
    from merchant_lines line left join payouts payout on payout.id = line.of_payout_id
    group by line.merchant_id order by line.merchant_id`);

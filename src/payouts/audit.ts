import { computeMerchantFee } from '#core/finance/merchant-fee.ts';
import { addBusinessDays } from '#core/values/calendar.ts';
import { saoPauloDay } from '#core/values/day.ts';
import { cents } from '#core/values/money.ts';
import { ppm } from '#core/values/percent.ts';
import { listSalesInRange, listUnknownHashes, type Sale } from '#credit';
import { compareFigures, listMerchantAccounts, listMerchantBalances, listMerchantPostings } from '#ledger';
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
      (await listMerchantBalances(tx, range)).map((row) => [
        `${row.customer_id} ${row.merchant_id} ${row.installment_id}`,
        row.amount_cents,
      ]),
    );
    const mismatches = sales.flatMap((sale) => {
      let payableCents = 0;
      for (const id of sale.installment_ids ?? []) {
        const key = `${sale.customer_id} ${sale.merchant_id} ${id}`;
        // The ledger stores a debt to a merchant as a negative amount.
        payableCents -= balances.get(key) ?? 0;
        balances.delete(key);
      }
      return checkSale(sale, payableCents, linesByHash.get(sale.hash) ?? []);
    });
    for (const [key, amount] of balances)
      mismatches.push(`merchant_payable of '${key}' is ${amount}, and there is no such sale`);
    return mismatches;
  },
  async checkGlobal(tx) {
    return [...(await checkSalesExist(tx)), ...(await checkPayouts(tx)), ...(await checkMerchants(tx))];
  },
};

function checkSale(sale: Sale, payableCents: number, lines: readonly AuditedLine[]): string[] {
  const sumLinesOfKinds = (...kinds: string[]) =>
    lines.filter(({ kind }) => kinds.includes(kind)).reduce((total, line) => total + line.amount_cents, 0);
  const fee = ppm(sale.merchant_fee_ppm);
  const dueOn = addBusinessDays(saoPauloDay(sale.purchased_at.getTime()), sale.payout_days);
  const saleAndFeeLines = lines.filter(({ kind }) => kind === 'sale' || kind === 'fee');
  const storedFigures = {
    'its sale': sumLinesOfKinds('sale'),
    'its fee': sumLinesOfKinds('fee'),
    'sale and returns': sumLinesOfKinds('sale', 'return'),
    'fees of sale and returns': sumLinesOfKinds('fee', 'return_fee'),
    'lines of other merchants': lines.filter((line) => line.merchant_id !== sale.merchant_id).length,
    'lines with another due day': saleAndFeeLines.filter((line) => line.due_on !== dueOn).length,
  };
  // `+ 0` turns -0 into 0.
  return compareFigures(`sale ${sale.hash}`, storedFigures, {
    'its sale': sale.financed_cents,
    'its fee': -computeMerchantFee(cents(sale.financed_cents), fee) + 0,
    'sale and returns': payableCents,
    'fees of sale and returns': -computeMerchantFee(cents(Math.max(0, payableCents)), fee) + 0,
    'lines of other merchants': 0,
    'lines with another due day': 0,
  });
}

/** Checks that every line belongs to an existing sale. */
async function checkSalesExist(tx: Tx): Promise<string[]> {
  const mismatches: string[] = [];
  for (let afterHash = ''; ; ) {
    const hashes = await listHashesWithLines(tx, afterHash, AUDIT_BATCH_SIZE);
    for (const hash of await listUnknownHashes(tx, hashes))
      mismatches.push(`sale ${hash}: is in the lines of a merchant, but does not exist`);
    const lastHash = hashes.at(-1);
    if (lastHash === undefined) return mismatches;
    afterHash = lastHash;
  }
}

async function checkPayouts(tx: Tx): Promise<string[]> {
  const mismatches: string[] = [];
  for (let afterId = ''; ; ) {
    const payouts = await listAuditedPayouts(tx, afterId, AUDIT_BATCH_SIZE);
    const references = payouts.map(({ id }) => buildPayoutReference(id));
    const postings = new Map((await listMerchantPostings(tx, references)).map((row) => [row.reference, row]));
    for (const payout of payouts)
      mismatches.push(
        ...checkPayout(payout, postings.get(buildPayoutReference(payout.id))?.payable_cents ?? 0),
      );
    const lastPayout = payouts.at(-1);
    if (!lastPayout) return mismatches;
    afterId = lastPayout.id;
  }
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

/** In the ledger of merchants, a debt to the merchant and income are negative, like the fees in a statement. */
async function checkMerchants(tx: Tx): Promise<string[]> {
  const balances = Map.groupBy(await listMerchantAccounts(tx), ({ merchant_id }) => merchant_id);
  const takeBalances = (merchantId: number) => {
    const accounts = balances.get(merchantId) ?? [];
    balances.delete(merchantId);
    return { ...NO_BALANCES, ...Object.fromEntries(accounts.map((row) => [row.account, row.amount_cents])) };
  };
  const mismatches = (await sumMerchantLines(tx)).flatMap(({ merchant_id, fee_cents, paid_cents }) =>
    compareFigures(`merchant ${merchant_id}`, takeBalances(merchant_id), {
      merchant_payable: paid_cents - fee_cents,
      fee_income: fee_cents,
      payout_clearing: -paid_cents + 0,
    }),
  );
  for (const merchantId of balances.keys())
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
  payout_line_cents: number | null;
  failed_cents: number | null;
};

const listAuditedPayouts = (tx: Tx, afterId: string, limit: number) =>
  tx.rows<AuditedPayout>(sql`
    select p.id, p.merchant_id, p.amount_cents, p.due_on, p.status, coalesce(s.settled_cents, 0)::bigint as settled_cents,
           s.settled_due_on, coalesce(s.other_merchant_lines, 0) as other_merchant_lines,
           (select amount_cents from merchant_lines where of_payout_id = p.id and kind = 'payout') as payout_line_cents,
           (select amount_cents from merchant_lines where of_payout_id = p.id and kind = 'payout_failed') as failed_cents
    from (select * from payouts where id > ${afterId} order by id limit ${limit}) as p
    left join lateral (
      select sum(l.amount_cents) as settled_cents, max(l.due_on) as settled_due_on,
             count(*) filter (where l.merchant_id <> p.merchant_id) as other_merchant_lines
      from merchant_lines l where l.payout_id = p.id and l.kind <> 'payout') as s on true
    order by p.id`);

/** Sums the fees and the paid payouts in each merchant's lines. */
const sumMerchantLines = (tx: Tx) =>
  tx.rows<{ merchant_id: number; fee_cents: number; paid_cents: number }>(sql`
    select l.merchant_id,
           coalesce(sum(l.amount_cents) filter (where l.kind in ('fee', 'return_fee')), 0)::bigint as fee_cents,
           coalesce(sum(-l.amount_cents) filter (where l.kind = 'payout' and p.status = 'paid'), 0)::bigint as paid_cents
    from merchant_lines l left join payouts p on p.id = l.of_payout_id
    group by l.merchant_id order by l.merchant_id`);

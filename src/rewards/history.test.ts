/** Balance, statement and ledger of an invited customer match, before and after the expiry job. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '#core/values/duration.ts';
import { cents as toCents } from '#core/values/money.ts';
import { customerTransaction } from '#platform/database/customer-transaction.ts';
import { sql } from '#platform/database/db.ts';
import { openService } from '../../test/harness.ts';
import { openOfferDesk } from '../../test/offer-desk.ts';
import { openCashbackShop, summarizeLines } from '../../test/support/cashback-shop.ts';
import { openSessionFor } from '../../test/support/customers.ts';
import { createModuleEvents, readConfiguration } from '../modules.ts';
import { adjustCashback, redeemCashback } from './cashback-account.ts';

const service = await openService();
const cashbackShop = openCashbackShop(service);
const offerDesk = await openOfferDesk(service);
const START_MS = Date.parse('2027-02-26T15:00:00.000Z');

const OFFER_ERRORS = /^(too_many_offers)$/;
const ACCEPT_ERRORS = /^(offer_closed|offer_expired|credit_limit_exceeded|customer_overdue|cashback_owed)$/;
const REDEEM_ERRORS = /^(no_cashback|installment_paid|value_out_of_range)$/;

const anyStep = fc.record({
  kind: fc.constantFrom(
    ...([
      'pay',
      'pay',
      'pay',
      'pay part',
      'extend',
      'charge back',
      'charge back',
      'report late',
      'redeem',
      'redeem',
      'adjust',
      'adjust',
      'expire',
      'return',
      'return',
      'offer',
      'offer',
    ] as const),
  ),
  installment: fc.nat(5),
  /** How far the clock moves before the step. In the sandbox it can also go back. */
  days: fc.constantFrom(0, 1, 3, 7, 20, 95, 181, -30),
  /** How excess money is handled. */
  refund: fc.constantFrom('stranded', 'held', 'failed'),
  share: fc.integer({ min: 1, max: 120 }),
});

const toCentavos = (reais: number) => Math.round(reais * 100);

test('random histories of payments, extensions, refunds, chargebacks, expiries, adjustments, redemptions and offers: everything matches', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        amount: fc.integer({ min: 300, max: 90_000 }).map((n) => n / 100),
        installments: fc.integer({ min: 2, max: 6 }),
        terms: fc.record({ weekly_rate_percent: fc.constantFrom(0, 0, 2) }),
      }),
      fc.constantFrom(0, 0.37, 5, 33.3333),
      fc.constantFrom(10_000_000, 120_000),
      fc.array(anyStep, { minLength: 2, maxLength: 12 }),
      async (order, cashback, limit, steps) => {
        service.clock.set(new Date(START_MS).toISOString());
        const referrer = await cashbackShop.newShopper();
        const buyer = await cashbackShop.newShopper(await cashbackShop.getReferralCode(referrer));
        await service.db.run(sql`update customers set credit_limit_cents = ${limit} where id = ${buyer.id}`);
        const firstCheckout = await cashbackShop.sell(buyer, order, cashback);
        const installments = firstCheckout.installments.map(({ id }: { id: string }) => ({
          id,
          hash: firstCheckout.hash,
        }));
        const remainingCents = new Map<string, number>([[firstCheckout.hash, toCentavos(order.amount)]]);
        const received: Array<{ id: string; reference: string; isChargedBack?: true }> = [];
        for (const { kind, installment, days, share, refund } of steps) {
          const now = new Date(Math.max(START_MS, service.clock.now().getTime() + days * DAY_MS));
          service.clock.set(now.toISOString());
          const context = { events: createModuleEvents(readConfiguration({})), now };
          const { id, hash } = installments[installment % installments.length];
          const installmentView = (await cashbackShop.getCheckout(hash)).installments.find(
            (i: { id: string }) => i.id === id,
          );
          const findPrice = (type: string) =>
            installmentView.pix_options.find((option: { type: string }) => option.type === type)?.value;
          const pay = async (reais: number, overrides = {}) => {
            const source = refund === 'stranded' ? 'manual' : 'pix';
            const { reference, toRefund } = await cashbackShop.pay(buyer.id, id, reais, {
              source,
              ...overrides,
            });
            received.push({ id, reference });
            if (refund !== 'failed') return;
            // After a return the excess may come from the payment of another installment.
            for (const refundDue of toRefund) {
              const findPayer = received.find((money) => money.reference === refundDue.reference)!.id;
              await cashbackShop.failRefunds(buyer.id, findPayer, [refundDue]);
            }
          };
          switch (kind) {
            case 'pay':
              await pay(installmentView.total_due || 1);
              break;
            case 'pay part':
              await pay(Math.max(1, Math.round(installmentView.amount * share)) / 100);
              break;
            case 'extend':
              if (findPrice('extend')) await pay(findPrice('extend'), { purpose: 'extend' });
              break;
            case 'report late': {
              const at = Math.max(START_MS, now.getTime() - share * DAY_MS);
              await pay(installmentView.amount, { at: new Date(at).toISOString() });
              break;
            }
            case 'charge back': {
              const openPayments = received.filter(({ isChargedBack }) => !isChargedBack);
              const payment = openPayments[installment % (openPayments.length || 1)];
              if (payment) await cashbackShop.chargeBack(buyer.id, payment.id, payment.reference);
              if (payment) payment.isChargedBack = true;
              break;
            }
            case 'adjust': {
              const { available } = await cashbackShop.getBalance(buyer);
              const amountCents =
                share % 3 ? -Math.min(share * 50, Math.max(0, toCentavos(available))) : share;
              const adjustment = { customer: buyer.id, amountCents, reason: 'x', reference: null };
              if (amountCents !== 0)
                await customerTransaction(service.db, buyer.id, (tx) =>
                  adjustCashback(tx, adjustment, context),
                );
              break;
            }
            case 'redeem': {
              const value = share % 3 ? {} : { value: toCents(share * 10) };
              const redemption = { customerId: buyer.id, installmentId: id, ...value };
              await customerTransaction(service.db, buyer.id, (tx) =>
                redeemCashback(tx, redemption, context),
              ).catch((error) => assert.match(error.kind?.code ?? error.message, REDEEM_ERRORS));
              break;
            }
            case 'return': {
              const remaining = remainingCents.get(hash)!;
              const centavos = Math.max(1, Math.round((remaining * Math.min(100, share)) / 100));
              if (remaining === 0) break;
              const refunds = await cashbackShop.returnWithoutPsp(buyer.id, hash, centavos / 100);
              remainingCents.set(hash, remaining - centavos);
              const paidFor = (reference: string) =>
                received.find((money) => money.reference === reference)!.id;
              for (const money of refund === 'failed' ? refunds : [])
                await cashbackShop.failRefunds(buyer.id, paidFor(money.reference), [money]);
              break;
            }
            case 'offer': {
              const amount = (2000 + share * 251) / 100;
              const createResponse = await offerDesk.requestOffer(buyer.phone, {
                amount,
                installments: 1 + (share % 4),
              });
              if (createResponse.status !== 201) {
                assert.match(createResponse.body.code, OFFER_ERRORS);
                break;
              }
              const { token } = await openSessionFor(service, buyer);
              if (share % 5 === 0) await offerDesk.cancel(createResponse.body.id);
              if (share % 5 === 1) await offerDesk.decline(createResponse.body.id, token);
              const acceptResponses = await Promise.all(
                [1, 2].map(() => offerDesk.accept(createResponse.body.id, token)),
              );
              const buyResponses = acceptResponses.filter(({ status }) => status === 201);
              assert.ok(
                buyResponses.length <= (share % 5 > 1 ? 1 : 0),
                'accepted once, never after it was closed',
              );
              for (const { status, body } of acceptResponses)
                if (status !== 201) assert.match(body.code, ACCEPT_ERRORS);
              for (const { body } of buyResponses) {
                installments.push(
                  ...body.installments.map((row: { id: string }) => ({ id: row.id, hash: body.hash })),
                );
                remainingCents.set(body.hash, toCentavos(amount));
                const { credit } = (await service.get('/wallet/me', { token })).body;
                assert.ok(toCentavos(credit.used) <= limit, 'the limit is never exceeded');
              }
              break;
            }
            case 'expire':
              await cashbackShop.expireLots();
          }
          await assertConsistent(buyer);
        }
        await assertConsistent(referrer);
        assert.deepEqual(await cashbackShop.listMismatches(buyer.id), []);
        assert.deepEqual(await cashbackShop.listMismatches(referrer.id), []);
      },
    ),
    { numRuns: Number(process.env.RUNS ?? 8) },
  );
});

async function assertConsistent(buyer: { id: string; phone: string; password: string }): Promise<void> {
  const before = {
    balance: await cashbackShop.getBalance(buyer),
    statement: await cashbackShop.getStatement(buyer, '?limit=100'),
  };
  const { balance, statement } = before;
  const lines = summarizeLines(statement);
  const lineTotal = lines.reduce((total, [, amount]) => total + toCentavos(amount), 0);
  assert.equal(toCentavos(balance.available), lineTotal, 'the balance is the sum of the lines');
  let runningTotal = 0;
  for (const [, amount, balanceAfter] of lines.toReversed()) {
    runningTotal += toCentavos(amount);
    assert.equal(toCentavos(balanceAfter), runningTotal, 'the balance after every line');
  }
  const expiring = balance.expiring.reduce(
    (total: number, { amount }: { amount: number }) => total + toCentavos(amount),
    0,
  );
  assert.equal(expiring, Math.max(0, lineTotal), 'all available cashback expires');
  const days = balance.expiring.map(({ expires_on }: { expires_on: string }) => expires_on);
  assert.deepEqual(days, [...new Set(days)].sort(), 'each expiry day is listed once, the next first');
  if (statement.data[0]?.kind !== 'expired') return;
  await cashbackShop.expireLots();
  assert.deepEqual(
    {
      balance: await cashbackShop.getBalance(buyer),
      statement: await cashbackShop.getStatement(buyer, '?limit=100'),
    },
    before,
    'the expiry job changes nothing',
  );
  const owed = (await cashbackShop.readBalances(buyer.id)).cashback_owed ?? 0;
  assert.equal(owed + lineTotal, 0, 'the ledger has the same balance');
}

/** Whatever is heard of an installment, in whatever order: rows, book and answers stay what the facts say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openService } from '../../test/harness.ts';
import { openShop } from '../../test/shop.ts';
import { eventsOf, readConfiguration } from '../modules.ts';
import { holdRefund } from './hold-refund.ts';

const service = await openService();
const shop = openShop(service);
const DAY_MS = 86_400_000;
const BOUGHT = '2027-02-26T15:00:00.000Z';
const START_MS = Date.parse(BOUGHT);

const anyPurchase = fc.record({
  amount: fc.integer({ min: 300, max: 50_000 }).map((cents) => cents / 100),
  installments: fc.integer({ min: 1, max: 3 }),
  terms: fc.record({
    weekly_rate_percent: fc.constantFrom(0, 1.25),
    extension_limit: fc.constantFrom(0, 2),
  }),
});

const anyStep = fc.record({
  installment: fc.nat(2),
  /** When the money arrives, which need not be in the order of the steps. */
  hours: fc.integer({ min: 0, max: 40 * 24 }),
  share: fc.integer({ min: 1, max: 130 }),
  extend: fc.boolean(),
  after: fc.constantFrom('keep', 'keep', 'take back', 'refund'),
});

test('random histories: the audit agrees, and the list says what the detail says', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyPurchase,
      fc.array(anyStep, { minLength: 1, maxLength: 6 }),
      async (purchase, steps) => {
        service.clock.set(BOUGHT);
        const by = await shop.newShopper();
        const { hash, installments } = await shop.sell(by, purchase);
        service.clock.set(new Date(START_MS + 45 * DAY_MS).toISOString());
        for (const { installment, hours, share, extend, after } of steps) {
          const { id, amount } = installments[installment % installments.length];
          const at = new Date(START_MS + hours * 3_600_000);
          service.clock.set(at.toISOString());
          const shown = (await shop.look(hash)).installments.find((i: { id: string }) => i.id === id);
          const price = shown.pix_options.find(({ type }: { type: string }) => type === 'extend')?.value;
          const reais = extend && price ? price : Math.max(1, Math.round(amount * share)) / 100;
          const purpose = extend ? 'extend' : 'pay';
          const { reference, toRefund } = await shop.pay(by.id, id, reais, { at: at.toISOString(), purpose });
          if (after === 'take back')
            await shop.takeBack(by.id, id, reference, new Date(at.getTime() + DAY_MS).toISOString());
          if (after === 'refund') {
            for (const { reference: of, amountCents } of toRefund) {
              const refund = {
                customerId: by.id,
                installmentId: id,
                reference: of,
                refundId: of,
                amountCents,
              };
              const context = { events: eventsOf(readConfiguration({})), now: service.clock.now() };
              await service.db.transaction((tx) => holdRefund(tx, refund, context));
            }
          }
        }
        assert.deepEqual(await shop.disagreements(), []);
        service.clock.set(new Date(START_MS + 50 * DAY_MS).toISOString());
        const { customer_id: _, terms: __, installments: ___, cost: ____, ...detail } = await shop.look(hash);
        const { body } = await shop.ask(by, '/wallet/checkouts');
        assert.deepEqual(body.data, [detail]);
      },
    ),
    { numRuns: 25 },
  );
});

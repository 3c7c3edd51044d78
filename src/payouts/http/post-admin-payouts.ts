import { type Day, saoPauloDay } from '#core/day.ts';
import { cents, sum } from '#core/money.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { createOnce, idempotency } from '#platform/http/idempotency.ts';
import { ListOf } from '#platform/http/schemas.ts';
import { changeBy, recordCreation } from '#platform/privacy/trail.ts';
import { createPayouts } from '../create-payouts.ts';
import type { Payouts } from '../payouts.ts';
import { renderPayout } from '../render.ts';
import { Payout, PayoutBatch } from '../schemas.ts';

export const postAdminPayouts = ({ db, clock }: Payouts) =>
  endpoint('POST /admin/payouts', {
    access: { scope: 'operator', role: 'finance' },
    id: 'createPayouts',
    summary: 'Make payouts of all that is due',
    description:
      'One for each merchant to whom something is due and in no payout yet. Asked again, only what has come since. A merchant whose ' +
      'returns are more than what is due gets none: what is due next fills that up first.',
    headers: idempotency.header,
    body: PayoutBatch,
    bodyOptional: true,
    answers: {
      201: {
        description: 'The payouts that were made, by merchant; none when nothing is due.',
        schema: ListOf(Payout),
        headers: idempotency.replayed,
      },
    },
    approval: {
      kind: 'payout',
      async stake({ body }) {
        const now = clock.now();
        const until = (body.until as Day | undefined) ?? saoPauloDay(now.getTime());
        const made = await rehearse(db, (tx) => createPayouts(tx, until, now));
        return { amount: sum(made.map(({ amount_cents }) => cents(amount_cents))), subject: until };
      },
    },
    problems: idempotency.problems,
    handler(request, reply) {
      const now = clock.now();
      const until = (request.body.until as Day | undefined) ?? saoPauloDay(now.getTime());
      const change = changeBy(request, now);
      return createOnce(db, { request, reply, now }, async (tx) => {
        const data = (await createPayouts(tx, until, now)).map(renderPayout);
        for (const payout of data)
          await recordCreation(tx, change, { kind: 'payout', id: payout.id }, payout);
        await recordCreation(tx, change, { kind: 'payouts', id: until }, { until, payouts: data.length });
        return { data };
      });
    },
  });

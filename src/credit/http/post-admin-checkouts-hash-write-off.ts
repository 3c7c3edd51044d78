import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { nothingToWriteOff } from '../problems.ts';
import { recordWriteOff, tryWriteOff, writeOff } from '../purchases/write-off.ts';
import { ofPurchase, WriteOffOrder, WriteOffState } from '../schemas.ts';

export const postAdminCheckoutsHashWriteOff = ({ db, clock }: CreditDeps) =>
  endpoint('POST /admin/checkouts/:hash/write-off', {
    access: { scope: 'operator', role: 'finance' },
    id: 'writeOffCheckout',
    summary: 'Write off a purchase',
    description:
      'What is outstanding on it is a loss in the book from now on. The customer owes it all the same, sees no difference, and can ' +
      'pay: what is paid is no loss any more. Undone by `/reinstate`.',
    ...ofPurchase,
    body: WriteOffOrder,
    answers: { 200: { description: 'How it stands.', schema: WriteOffState } },
    approval: {
      kind: 'write_off',
      async stake(request) {
        const { hash } = request.params;
        const { reason } = request.body;
        const change = changeBy(request, clock.now(), reason);
        const outstanding = await tryWriteOff(db, { hash, reason }, change);
        return outstanding === undefined ? undefined : { amount: outstanding, subject: hash };
      },
    },
    problems: [nothingToWriteOff],
    handler(request) {
      const { hash } = request.params;
      const { reason } = request.body;
      return recordWriteOff(db, writeOff, { hash, reason }, changeBy(request, clock.now(), reason));
    },
  });

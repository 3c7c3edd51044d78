import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { notWrittenOff } from '../problems.ts';
import { recordWriteOff, reinstate } from '../purchases/write-off.ts';
import { ofPurchase, WriteOffOrder, WriteOffState } from '../schemas.ts';

export const postAdminCheckoutsHashReinstate = ({ db, clock }: CreditDeps) =>
  endpoint('POST /admin/checkouts/:hash/reinstate', {
    access: { scope: 'operator', role: 'finance' },
    id: 'reinstateCheckout',
    summary: 'Undo the write-off of a purchase',
    description: 'What is outstanding on it is no loss in the book any more.',
    ...ofPurchase,
    body: WriteOffOrder,
    answers: { 200: { description: 'How it stands.', schema: WriteOffState } },
    problems: [notWrittenOff],
    handler(request) {
      const { hash } = request.params;
      const { reason } = request.body;
      return recordWriteOff(db, reinstate, { hash, reason }, changeBy(request, clock.now(), reason));
    },
  });

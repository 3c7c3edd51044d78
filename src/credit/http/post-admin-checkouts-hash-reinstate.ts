import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import type { CreditDeps } from '../deps.ts';
import { NO_PURCHASE, notWrittenOff } from '../problems.ts';
import { reinstate, writeOffSubject } from '../purchases/write-off.ts';
import { HashParams, WriteOffOrder, WriteOffState } from '../schemas.ts';

export const postAdminCheckoutsHashReinstate = ({ db, clock }: CreditDeps) =>
  endpoint({
    method: 'POST',
    url: '/admin/checkouts/:hash/reinstate',
    access: { scope: 'operator', role: 'finance' },
    id: 'reinstateCheckout',
    tag: 'Credit',
    summary: 'Undo the write-off of a purchase',
    description: 'What is outstanding on it is no loss in the book any more.',
    params: HashParams,
    notFound: NO_PURCHASE,
    body: WriteOffOrder,
    answers: { 200: { description: 'How it stands.', schema: WriteOffState } },
    problems: [notWrittenOff],
    async handler(request) {
      const now = clock.now();
      const { hash } = request.params;
      const { reason } = request.body;
      const change = changeBy(request, now, reason);
      return db.transaction((tx) =>
        recordChange(tx, change, { of: writeOffSubject, id: hash }, () =>
          reinstate(tx, { hash, by: change.actor.id, now }),
        ),
      );
    },
  });

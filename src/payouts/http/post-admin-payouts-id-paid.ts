import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems, recordChange } from '#platform/privacy/trail.ts';
import { payoutSubject, payPayout } from '../close-payout.ts';
import type { Payouts } from '../payouts.ts';
import { payoutClosed } from '../problems.ts';
import { ofPayout, Payout, PayoutPaid } from '../schemas.ts';

export const postAdminPayoutsIdPaid = ({ db, clock, events }: Payouts) =>
  endpoint('POST /admin/payouts/:id/paid', {
    access: { scope: 'operator', role: 'finance' },
    id: 'markPayoutPaid',
    summary: 'Mark a payout as paid',
    description: 'With the reference of the bank. The same again changes nothing.',
    ...ofPayout,
    headers: ifMatchHeader,
    body: PayoutPaid,
    answers: { 200: { description: 'The payout.', schema: Payout, etag: true } },
    problems: [...changeProblems, payoutClosed],
    async handler(request) {
      const now = clock.now();
      const { reference } = request.body;
      const change = changeBy(request, now);
      const subject = { of: payoutSubject, id: request.params.id, ifMatch: request.headers['if-match'] };
      return db.transaction((tx) =>
        recordChange(tx, change, subject, ({ id }) => payPayout(tx, id, reference, { events, now })),
      );
    },
  });

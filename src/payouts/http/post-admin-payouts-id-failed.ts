import { endpoint } from '#platform/http/endpoint.ts';
import { ifMatchHeader } from '#platform/http/etag.ts';
import { changeBy, changeProblems, recordChange } from '#platform/privacy/trail.ts';
import { failPayout, payoutSubject } from '../close-payout.ts';
import type { Payouts } from '../payouts.ts';
import { payoutClosed } from '../problems.ts';
import { ofPayout, Payout, PayoutFailed } from '../schemas.ts';

export const postAdminPayoutsIdFailed = ({ db, clock }: Payouts) =>
  endpoint('POST /admin/payouts/:id/failed', {
    access: { scope: 'operator', role: 'finance' },
    id: 'markPayoutFailed',
    summary: 'Mark a payout as failed',
    description:
      'The bank did not pay it: it is owed again, and comes in the next batch. The same again changes nothing.',
    ...ofPayout,
    headers: ifMatchHeader,
    body: PayoutFailed,
    answers: { 200: { description: 'The payout.', schema: Payout, etag: true } },
    problems: [...changeProblems, payoutClosed],
    async handler(request) {
      const now = clock.now();
      const { reason } = request.body;
      const change = changeBy(request, now, reason);
      const subject = { of: payoutSubject, id: request.params.id, ifMatch: request.headers['if-match'] };
      return db.transaction((tx) =>
        recordChange(tx, change, subject, ({ id }) => failPayout(tx, id, reason, { now })),
      );
    },
  });

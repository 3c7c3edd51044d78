import { cents } from '#core/money.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy, recordChange } from '#platform/privacy/trail.ts';
import { orphanSubject, refundOrphan, refuseClosed } from '../payments/close-orphan.ts';
import type { Pix } from '../pix.ts';
import { orphanClosed } from '../problems.ts';
import { ofOrphan, PixOrphan } from '../schemas.ts';
import { findOrphan } from '../store/orphans.ts';

export const postAdminPixOrphansIdRefund = ({ db, clock }: Pix) =>
  endpoint('POST /admin/pix/orphans/:id/refund', {
    access: { scope: 'operator', role: 'finance' },
    id: 'refundPixOrphan',
    summary: 'Give money back that belongs to no charge of ours',
    description:
      'All of it, to whoever sent it. The payment provider is asked right after; should it refuse, it is `open` again, with the `reason`.',
    ...ofOrphan,
    answers: { 200: { description: 'The payment.', schema: PixOrphan } },
    approval: {
      kind: 'orphan_refund',
      async stake({ params: { id } }) {
        const orphan = await findOrphan(db, id);
        return orphan?.status === 'open' ? { amount: cents(orphan.amount_cents), subject: id } : undefined;
      },
    },
    problems: [orphanClosed],
    async handler(request) {
      const { id } = request.params;
      const now = clock.now();
      const change = changeBy(request, now);
      return db.transaction(
        async (tx) =>
          (await recordChange(tx, change, { of: orphanSubject, id }, () => refundOrphan(tx, id, now))) ??
          refuseClosed(tx, id),
      );
    },
  });

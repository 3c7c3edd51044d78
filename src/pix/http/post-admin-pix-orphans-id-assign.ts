import type { CustomerTx } from '#platform/database/customer-transaction.ts';
import { rehearse } from '#platform/database/rehearse.ts';
import { endpoint } from '#platform/http/endpoint.ts';
import { changeBy } from '#platform/privacy/trail.ts';
import { assignRecorded, forOwner } from '../payments/close-orphan.ts';
import { AssignedOrphan, OrphanAssignment } from '../payments/orphan-schemas.ts';
import type { Pix } from '../pix.ts';
import { installmentUnknown, orphanClosed } from '../problems.ts';
import { ofOrphan } from '../schemas.ts';

export const postAdminPixOrphansIdAssign = (pix: Pix) =>
  endpoint('POST /admin/pix/orphans/:id/assign', {
    access: { scope: 'operator', role: 'support' },
    id: 'assignPixOrphan',
    summary: 'Say which installment a payment is for',
    description:
      'It counts as of when it arrived, as if a code had been paid; what is too much goes back. Look with `dry_run` first. What was ' +
      'assigned wrongly is moved to the right installment.',
    ...ofOrphan,
    body: OrphanAssignment,
    answers: { 200: { description: 'What came of it.', schema: AssignedOrphan } },
    problems: [orphanClosed, installmentUnknown],
    async handler(request) {
      const { db, clock } = pix;
      const { installment_id: installmentId, dry_run } = request.body;
      const change = changeBy(request, clock.now());
      const assign = (tx: CustomerTx) =>
        assignRecorded(tx, pix, { endToEndId: request.params.id, installmentId }, change);
      const owner = await forOwner(db, installmentId);
      return dry_run ? rehearse(owner, assign) : owner.transaction(assign);
    },
  });

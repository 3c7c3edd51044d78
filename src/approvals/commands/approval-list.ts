import { instant } from '#platform/command-line/cells.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { APPROVAL_STATUSES } from '#platform/http/approval.ts';
import { renderApprovals } from '../approvals.ts';
import { listedApprovals } from '../store.ts';

export const approvalList = listingCommand({
  name: 'approval list',
  summary: 'show what waits, or waited, for a second person',
  filters: { status: choice('STATUS', APPROVAL_STATUSES) },
  details:
    'They are decided at the staff door, by a person with a key or a session: POST /admin/approvals/ID/approve.',
  examples: ['semana approval list --status waiting'],
  listing: listedApprovals,
  render: (rows, { db }) => renderApprovals(db, rows),
  columns: {
    ID: 'id',
    STATUS: 'status',
    KIND: 'kind',
    AMOUNT: ({ amount }) => amount?.toFixed(2) ?? '',
    ABOUT: 'subject',
    ASKED: instant('asked_at'),
    BY: ({ asked_by }) => asked_by.name,
    REASON: ({ reason }) => reason ?? '',
  },
});

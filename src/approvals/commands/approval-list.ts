import { choiceOf, daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { APPROVAL_STATUSES } from '#platform/http/approval.ts';
import { renderApprovals } from '../approvals.ts';
import { listedApprovals } from '../store.ts';

export const approvalList = listingCommand({
  name: 'approval list',
  summary: 'show what waits, or waited, for a second person',
  options: { status: { value: 'STATUS', help: APPROVAL_STATUSES.join(', ') } },
  details:
    'They are decided at the staff door, by a person with a key or a session: POST /admin/approvals/ID/approve.',
  examples: ['semana approval list --status waiting'],
  listing: (_context, args) =>
    listedApprovals({ ...daysOf(args), status: choiceOf(args, 'status', APPROVAL_STATUSES) }),
  render: (rows, { db }) => renderApprovals(db, rows),
  columns: {
    ID: ({ id }) => id,
    STATUS: ({ status }) => status,
    KIND: ({ kind }) => kind,
    AMOUNT: ({ amount }) => amount?.toFixed(2) ?? '',
    ABOUT: ({ subject }) => subject,
    ASKED: ({ asked_at }) => shownInstant(asked_at),
    BY: ({ asked_by }) => asked_by.name,
    REASON: ({ reason }) => reason ?? '',
  },
});

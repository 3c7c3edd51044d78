import { instant } from '#platform/command-line/cells.ts';
import { listingCommand } from '#platform/command-line/listing.ts';
import { listedTrail } from '#platform/privacy/trail.ts';
import { renderTrail } from '../render-trail.ts';

export const auditTrailList = listingCommand({
  name: 'audit-trail list',
  summary: 'show who changed what, when and why',
  filters: {
    actor: { value: 'ID', help: "id of a person, or as the trail has it, e.g. 'command line root'" },
    subject: { value: 'KIND[:ID]', help: 'what was changed, e.g. merchant or merchant:otica-lume' },
  },
  details: '--json tells what was before and after.',
  examples: ['semana audit-trail list --subject merchant:otica-lume --json'],
  listing: listedTrail,
  render: (rows, { db }) => renderTrail(db, rows),
  columns: {
    WHEN: instant('at'),
    WHO: ({ actor, actor_name }) => actor_name ?? actor,
    WHAT: 'action',
    OF: 'subject',
    WHY: 'reason',
  },
});

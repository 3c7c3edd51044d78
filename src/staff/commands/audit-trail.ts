import { daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { listedTrail } from '#platform/privacy/trail.ts';
import { renderTrail } from '../render-trail.ts';

export const auditTrailList = listingCommand({
  name: 'audit-trail list',
  summary: 'show who changed what, when and why',
  options: {
    actor: { value: 'ID', help: "id of a person, or as the trail has it, e.g. 'command line root'" },
    subject: { value: 'KIND[:ID]', help: 'what was changed, e.g. merchant or merchant:otica-lume' },
  },
  details: '--json tells what was before and after.',
  examples: ['semana audit-trail list --subject merchant:otica-lume --json'],
  listing: (_, args) =>
    listedTrail({ ...daysOf(args), actor: args.option('actor'), subject: args.option('subject') }),
  render: (rows, { db }) => renderTrail(db, rows),
  columns: {
    WHEN: ({ at }) => shownInstant(at),
    WHO: ({ actor, actor_name }) => actor_name ?? actor,
    WHAT: ({ action }) => action,
    OF: ({ subject }) => subject,
    WHY: ({ reason }) => reason ?? '-',
  },
});

import { ERASED, type PersonalData } from '#platform/privacy/personal-data.ts';
import { eraseTrail } from '#platform/privacy/trail.ts';
import { eraseLead, listLeadsOf, resealLeads } from './lead-store.ts';

/** Leads that were sent with the customer's phone or e-mail. */
export const catalogData: PersonalData = {
  tables: {
    leads: {
      find: (db, person, vault) => listLeadsOf(db, vault, person),
      async erase(tx, person, vault) {
        const ids = (await listLeadsOf(tx, vault, person)).map(({ id }) => id);
        for (const id of ids) await eraseLead(tx, vault, id, ERASED);
        await eraseTrail(tx, 'lead', ids);
      },
      reseal: resealLeads,
    },
  },
};

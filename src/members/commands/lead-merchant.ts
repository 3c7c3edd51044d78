import { changingCommand } from '#platform/command-line/changing.ts';
import { admitLead } from '../lead-merchant.ts';

const OPTIONS = ['category', 'slug', 'name', 'city', 'state'] as const;

export const leadMerchant = changingCommand({
  name: 'lead merchant',
  summary: 'make a merchant with its owner of a partner’s form',
  positionals: [{ name: 'LEAD_ID', help: 'id of the form, see lead list' }],
  options: {
    category: { value: 'SLUG', help: 'category of the merchant', required: true },
    slug: { value: 'SLUG', help: 'slug of the merchant, else from its name' },
    name: { value: 'TEXT', help: 'name of the merchant, else of the form' },
    city: { value: 'TEXT', help: 'where it is' },
    state: { value: 'UF', help: 'two letters' },
  },
  details: 'The owner has name and phone of the form, which is handled then.',
  examples: [
    'semana lead merchant lead_01kfx3v9e2r4s6t8w0y2a4c6e8 --category padarias --city Recife --state PE',
  ],
  work({ db, id, change }, args) {
    const given = OPTIONS.flatMap((name) => {
      const value = args.option(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const wishes = { category: args.required('category'), ...Object.fromEntries(given) };
    return db.transaction((tx) => admitLead(tx, id, wishes, change));
  },
  none: (id) => `There is no form '${id}'; 'semana lead list' shows them.`,
  done: ({ merchant, owner }) =>
    `${merchant.slug} is a merchant; ${owner.name} is its owner, id ${owner.id}.`,
});

import { day } from '#platform/command-line/cells.ts';
import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { tableCommand } from '#platform/command-line/reading.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import type { Queryable } from '#platform/database/db.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { addPartner } from '../manage-keys.ts';
import { findPartner, listPartners } from '../store.ts';

export const partnerCreate: Command = {
  name: 'partner create',
  summary: 'register a partner application',
  positionals: [{ name: 'NAME', help: 'what people call it, unique, at most 120 characters' }],
  options: { reference: REFERENCE },
  examples: ['semana partner create "Site institucional"'],
  async run(context, args) {
    const name = args.positionals[0]!.trim();
    if (name.length < 1 || name.length > 120) throw new CommandFault('A name has 1 to 120 characters.');
    return createByReference(context, args, { name: 'partner create', request: name }, async (tx) => {
      const { id } = await addPartner(tx, name, changeByCommand(context, 'partner create'));
      const next = `semana key create --partner ${id} --scopes public`;
      return { output: `Partner ${id} created. Issue its first key with:\n  ${next}` };
    });
  },
};

export const partnerList = tableCommand({
  name: 'partner list',
  summary: 'show all partners',
  async read({ db }) {
    const { rows: records } = await listPartners(db, { offset: 0, limit: 1_000_000 });
    return { records };
  },
  columns: { ID: 'id', NAME: 'name', KEYS: 'keys', SINCE: day('created_at') },
  none: `No partners yet. Create one with 'semana partner create NAME'.`,
});

export async function requirePartner(db: Queryable, idOrName: string) {
  const partner = await findPartner(db, idOrName);
  if (!partner) throw new CommandFault(`There is no partner '${idOrName}'. See 'semana partner list'.`);
  return partner;
}

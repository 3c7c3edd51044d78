import { type Command, CommandFault } from '#platform/command.ts';
import { createPartner } from '../create-partner.ts';

export const partnerCreate: Command = {
  name: 'partner create',
  summary: 'register a partner application',
  positionals: [{ name: 'NAME', help: 'what people call it, unique, at most 120 characters' }],
  examples: ['semana partner create "Site institucional"'],
  async run({ db, clock, print }, { positionals }) {
    const name = positionals[0]!.trim();
    if (name.length < 1 || name.length > 120) throw new CommandFault('A name has 1 to 120 characters.');
    const id = await createPartner(db, name, clock);
    if (!id) throw new CommandFault(`There is a partner named '${name}' already. See 'semana partner list'.`);
    print(
      `Partner ${id} created. Issue its first key with:\n  semana key create --partner ${id} --scopes public`,
    );
    return undefined;
  },
};

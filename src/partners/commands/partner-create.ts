import { type Command, CommandFault } from '#platform/command.ts';
import { createByReference, REFERENCE } from '#platform/command-reference.ts';
import { createPartner } from '../create-partner.ts';

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
      const id = await createPartner(tx, name, context.clock);
      if (!id)
        throw new CommandFault(`There is a partner named '${name}' already. See 'semana partner list'.`);
      const next = `semana key create --partner ${id} --scopes public`;
      return { output: `Partner ${id} created. Issue its first key with:\n  ${next}` };
    });
  },
};

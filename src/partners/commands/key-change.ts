import { type Command, CommandFault } from '#platform/command-line/command.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { changeKey } from '../manage-keys.ts';
import { RETURN_ORIGINS_OPTION, readReturnOrigins } from './key-create.ts';

export const keyChange: Command = {
  name: 'key change',
  summary: 'change where offers of a key may lead back to',
  positionals: [{ name: 'KEY_ID', help: 'id of the key, see key list' }],
  options: { 'return-origins': { ...RETURN_ORIGINS_OPTION, required: true } },
  details: 'Replaces the list; none removes it. For offers that are made from then on.',
  examples: ['semana key change key_01kfx3 --return-origins https://loja.example.com.br'],
  async run(context, args) {
    const [id = ''] = args.positionals;
    const { mode } = context.config;
    const given = args.required('return-origins');
    const wanted = { id, return_origins: readReturnOrigins(given === 'none' ? undefined : given, mode) };
    const change = changeByCommand(context, 'key change');
    const key = await context.db.transaction((tx) => changeKey(tx, wanted, { change, mode }));
    if (!key) throw new CommandFault(`There is no key ${id}. See 'semana key list'.`);
    context.print(`Offers of key ${id} may lead back to: ${key.return_origins.join(', ') || 'nowhere'}.`);
  },
};

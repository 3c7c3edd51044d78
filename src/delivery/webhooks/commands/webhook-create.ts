import { EVENT_TYPES } from '#events';
import { type Command, UsageFault } from '#platform/command-line/command.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { createEndpoint, requireEndpoint, revealSecret } from '../endpoints.ts';

export const webhookCreate: Command = {
  name: 'webhook create',
  summary: 'register an address that a partner wants to be called at',
  options: {
    partner: { value: 'ID', help: 'id or name of the partner', required: true },
    url: { value: 'URL', help: 'where to call: https, in the sandbox http as well', required: true },
    events: { value: 'LIST', help: 'only these types of events, comma-separated (default: all)' },
    merchant: {
      value: 'SLUG',
      help: 'only of the sales of this merchant (default: everything the partner is told)',
    },
    reference: REFERENCE,
  },
  details: 'Its id and its secret go to standard output, each on a line. The secret is not shown again.',
  examples: [
    'semana webhook create --partner "App" --url https://www.example.com.br/semana --events pix.paid',
  ],
  async run(context, args) {
    const { db, vault, config, print } = context;
    const change = changeByCommand(context, 'webhook create');
    const merchant = args.option('merchant');
    const wish = {
      partner: args.required('partner'),
      url: args.required('url').trim(),
      events: readTypes(args.option('events')),
      ...(merchant !== undefined && { merchant }),
    };
    let id = '';
    // What is kept for --reference is the id, never the secret.
    const kept = {
      ...context,
      print(text: string) {
        id = text;
        print(text);
      },
    };
    await createByReference(kept, args, { name: 'webhook create', request: wish }, async (tx) => {
      const made = await createEndpoint(tx, wish, { vault, mode: config.mode }, change);
      return { output: made.id, note: 'Keep the secret now: it is not shown again.' };
    });
    print(revealSecret(vault, await requireEndpoint(db, id)));
  },
};

function readTypes(list: string | undefined): string[] {
  const types = (list ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
  const unknown = types.find((type) => !(EVENT_TYPES as string[]).includes(type));
  if (unknown) throw new UsageFault(`'${unknown}' is no type of event; there are ${EVENT_TYPES.join(', ')}.`);
  return types;
}

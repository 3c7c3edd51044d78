import { HOUR_MS } from '#core/duration.ts';
import { EVENT_TYPES } from '#events';
import { findPartner } from '#partners';
import { instant } from '#platform/command-line/cells.ts';
import {
  type Arguments,
  aligned,
  type Command,
  readSpan,
  UsageFault,
} from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { readingCommand, tableCommand } from '#platform/command-line/reading.ts';
import { createByReference, REFERENCE } from '#platform/command-line/reference.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { listPage } from '#platform/http/listing.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import {
  createEndpoint,
  disableEndpoint,
  enableEndpoint,
  LONGEST_OVERLAP_HOURS,
  OVERLAP_HOURS,
  requireEndpoint,
  revealSecret,
  rotateSecret,
} from '../endpoints.ts';
import { renderEndpoint } from '../render.ts';
import { listedEndpoints } from '../store.ts';

export const WEBHOOK_ID = { name: 'WEBHOOK_ID', help: 'id of the endpoint, see webhook list' };

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

const MOST_SHOWN = 1_000;

export const webhookList = tableCommand({
  name: 'webhook list',
  summary: 'show webhook endpoints and how they are',
  options: { partner: { value: 'ID', help: 'only those of this partner (id or name)' } },
  async read({ db }, args) {
    const wanted = args.option('partner');
    const partnerId = wanted && ((await findPartner(db, wanted))?.id ?? wanted);
    const { rows } = await listPage(db, listedEndpoints({ partnerId }), { page: 1, limit: MOST_SHOWN });
    return { records: rows.map(renderEndpoint) };
  },
  columns: {
    ID: 'id',
    PARTNER: 'partner',
    URL: 'url',
    MERCHANT: ({ merchant }) => merchant ?? 'all',
    EVENTS: ({ events }) => events.join(',') || 'all',
    STATUS: ({ status, disabled_reason }) => (disabled_reason ? `${status}: ${disabled_reason}` : status),
    'FAILING SINCE': instant('failing_since'),
  },
  none: `None. Create one with 'semana webhook create'.`,
});

export const webhookShow = readingCommand({
  name: 'webhook show',
  summary: 'show one webhook endpoint',
  positionals: [WEBHOOK_ID],
  async read({ db }, { positionals }) {
    const record = renderEndpoint(await requireEndpoint(db, positionals[0]!));
    const rows = Object.entries(record).map(
      ([name, value]) => [name, String(value ?? '-') || 'all'] as const,
    );
    return { records: [record], text: aligned(rows) };
  },
});

export const webhookRotate = destructiveCommand({
  name: 'webhook rotate',
  summary: 'give an endpoint a new secret; the old one signs on for a while',
  positionals: [WEBHOOK_ID],
  options: {
    overlap: {
      value: 'SPAN',
      help: `how long both sign, in whole hours (default ${OVERLAP_HOURS}h; 0h: not at all)`,
    },
  },
  details: 'The new secret goes to standard output. It is not shown again.',
  destroys: (args) =>
    overlapOf(args) === 0
      ? `The secret of ${args.positionals[0]} signs nothing any more, from now on.`
      : undefined,
  async run(context, args) {
    const { db, vault, print, printError } = context;
    const change = changeByCommand(context, 'webhook rotate');
    const id = args.positionals[0]!;
    await db.transaction((tx) => rotateSecret(tx, id, overlapOf(args), vault, change));
    const rotated = await requireEndpoint(db, id);
    printError(`The old secret signs until ${shownInstant(rotated.old_secret_until)}.`);
    print(revealSecret(vault, rotated));
  },
});

function overlapOf(args: Arguments): number {
  const hours = readSpan(args.option('overlap') ?? `${OVERLAP_HOURS}h`, 'overlap') / HOUR_MS;
  if (Number.isInteger(hours) && hours <= LONGEST_OVERLAP_HOURS) return hours;
  throw new UsageFault(`--overlap is a number of whole hours, at most ${LONGEST_OVERLAP_HOURS}h.`);
}

export const webhookDisable: Command = {
  name: 'webhook disable',
  summary: 'stop calling an endpoint',
  positionals: [WEBHOOK_ID],
  async run(context, { positionals }) {
    const change = changeByCommand(context, 'webhook disable');
    const { id } = await disableEndpoint(context.db, positionals[0]!, change);
    context.print(`${id} is disabled. What happens meanwhile can be replayed when it is enabled.`);
  },
};

export const webhookEnable: Command = {
  name: 'webhook enable',
  summary: 'call an endpoint again, with what waited when it was disabled',
  positionals: [WEBHOOK_ID],
  async run(context, { positionals }) {
    const change = changeByCommand(context, 'webhook enable');
    const { id } = await enableEndpoint(context.db, positionals[0]!, change);
    context.print(
      `${id} is enabled. Deliver what it missed with:\n  semana webhook replay ${id} --since INSTANT`,
    );
  },
};

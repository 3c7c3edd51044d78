import { type Command, CommandFault, fieldsOf, UsageFault } from '#platform/command-line/command.ts';
import { destructiveCommand } from '#platform/command-line/confirmation.ts';
import { daysOf, listingCommand } from '#platform/command-line/listing.ts';
import { readingCommand } from '#platform/command-line/reading.ts';
import { shownInstant } from '#platform/command-line/times.ts';
import { changeByCommand } from '#platform/privacy/trail.ts';
import { findLead, LEAD_STATUSES, type LeadStatus, listedLeads, openLead } from '../lead-store.ts';
import { changeLead, removeLead, renderLead } from '../leads.ts';

const LEAD = [{ name: 'LEAD', help: 'id of the form' }] as const;
const none = () => new CommandFault(`There is no such form. See 'semana lead list'.`);

const leadList = listingCommand({
  name: 'lead list',
  summary: 'show forms that were sent, newest first',
  options: {
    kind: { value: 'KIND', help: 'which form it is, e.g. partner' },
    status: { value: 'STATUS', help: 'new or handled' },
    text: { value: 'TEXT', help: 'how words of name, company or e-mail begin; or a whole phone' },
  },
  listing: ({ db }, args) =>
    listedLeads(db.vault, {
      kind: args.option('kind'),
      status: readStatus(args.option('status')),
      text: args.option('text'),
      ...daysOf(args),
    }),
  render: (rows, { db }) => rows.map((row) => renderLead(openLead(db.vault, row))),
  columns: {
    ID: ({ id }) => id,
    RECEIVED: ({ received_at }) => shownInstant(received_at),
    KIND: ({ kind }) => kind,
    STATUS: ({ status }) => status,
    NAME: ({ name }) => name,
    CONTACT: ({ email, phone }) => email ?? phone ?? '',
    COMPANY: ({ company }) => company ?? '',
  },
  none: 'No forms here.',
});

const leadShow = readingCommand({
  name: 'lead show',
  summary: 'show one form',
  positionals: LEAD,
  async read({ db }, { positionals }) {
    const found = await findLead(db, positionals[0]!);
    if (!found) throw none();
    const lead = renderLead(found);
    return { records: [lead], text: fieldsOf(lead) };
  },
});

const leadChange: Command = {
  name: 'lead change',
  summary: 'mark a form as handled, or write a note about it',
  positionals: LEAD,
  options: {
    status: { value: 'STATUS', help: 'new or handled' },
    note: { value: 'TEXT', help: 'what to know about it; empty takes it away' },
  },
  examples: ['semana lead change LEAD_ID --status handled --note "Ligamos em 15/11"'],
  async run(context, args) {
    const [status, note] = [readStatus(args.option('status')), args.option('note')];
    if (status === undefined && note === undefined)
      throw new UsageFault('Say what to change: --status or --note.');
    const change = changeByCommand(context, 'lead change');
    const changed = await context.db.transaction((tx) =>
      changeLead(tx, args.positionals[0]!, { status, note }, { change }),
    );
    if (!changed) throw none();
    context.print(`Form ${changed.id} is ${changed.status}.`);
  },
};

const leadRemove = destructiveCommand({
  name: 'lead remove',
  summary: 'delete a form',
  positionals: LEAD,
  destroys: ({ positionals: [lead] }) => `What ${lead} says is lost.`,
  async run(context, { positionals }) {
    const change = changeByCommand(context, 'lead remove');
    const removed = await context.db.transaction((tx) => removeLead(tx, positionals[0]!, change));
    if (!removed) throw none();
    context.print(`Form ${removed.id} is deleted.`);
  },
});

export const leadCommands: Command[] = [leadList, leadShow, leadChange, leadRemove];

function readStatus(text: string | undefined): LeadStatus | undefined {
  if (text === undefined || LEAD_STATUSES.includes(text as LeadStatus)) return text as LeadStatus | undefined;
  throw new UsageFault('--status is new or handled.');
}

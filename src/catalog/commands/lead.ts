import { instant } from '#platform/command-line/cells.ts';
import { changingCommand } from '#platform/command-line/changing.ts';
import { type Command, CommandFault, fieldsOf, UsageFault } from '#platform/command-line/command.ts';
import { listingCommand } from '#platform/command-line/listing.ts';
import { readingCommand } from '#platform/command-line/reading.ts';
import { findLead, LEAD_STATUSES, listedLeads, openLead } from '../lead-store.ts';
import { changeLead, removeLead, renderLead } from '../leads.ts';

const LEAD = [{ name: 'LEAD', help: 'id of the form' }] as const;
const none = () => `There is no such form. See 'semana lead list'.`;

const leadList = listingCommand({
  name: 'lead list',
  summary: 'show forms that were sent, newest first',
  filters: {
    kind: { value: 'KIND', help: 'which form it is, e.g. partner' },
    status: { value: 'STATUS', help: 'new or handled', read: readStatus },
    text: { value: 'TEXT', help: 'how words of name, company or e-mail begin; or a whole phone' },
  },
  listing: (wanted, { db }) => listedLeads(db.vault, wanted),
  render: (rows, { db }) => rows.map((row) => renderLead(openLead(db.vault, row))),
  columns: {
    ID: 'id',
    RECEIVED: instant('received_at'),
    KIND: 'kind',
    STATUS: 'status',
    NAME: 'name',
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
    if (!found) throw new CommandFault(none());
    const lead = renderLead(found);
    return { records: [lead], text: fieldsOf(lead) };
  },
});

const leadChange = changingCommand({
  name: 'lead change',
  summary: 'mark a form as handled, or write a note about it',
  positionals: LEAD,
  options: {
    status: { value: 'STATUS', help: 'new or handled' },
    note: { value: 'TEXT', help: 'what to know about it; empty takes it away' },
  },
  examples: ['semana lead change LEAD_ID --status handled --note "Ligamos em 15/11"'],
  work({ db, id, change }, args) {
    const [text, note] = [args.option('status'), args.option('note')];
    const status = text === undefined ? undefined : readStatus(text);
    if (status === undefined && note === undefined)
      throw new UsageFault('Say what to change: --status or --note.');
    return db.transaction((tx) => changeLead(tx, id, { status, note }, { change }));
  },
  none,
  done: ({ id, status }) => `Form ${id} is ${status}.`,
});

const leadRemove = changingCommand({
  name: 'lead remove',
  summary: 'delete a form',
  positionals: LEAD,
  destroys: ({ positionals: [lead] }) => `What ${lead} says is lost.`,
  work: ({ db, id, change }) => db.transaction((tx) => removeLead(tx, id, change)),
  none,
  done: ({ id }) => `Form ${id} is deleted.`,
});

export const leadCommands: Command[] = [leadList, leadShow, leadChange, leadRemove];

function readStatus(text: string) {
  const status = LEAD_STATUSES.find((one) => one === text);
  if (!status) throw new UsageFault('--status is new or handled.');
  return status;
}

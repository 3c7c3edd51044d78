import { instant } from '#platform/command-line/cells.ts';
import { changingCommand } from '#platform/command-line/changing.ts';
import { type Command, CommandFault, UsageFault } from '#platform/command-line/command.ts';
import { choice, listingCommand } from '#platform/command-line/listing.ts';
import { type Columns, readingCommand, tableOf } from '#platform/command-line/reading.ts';
import { readCustomer } from '#platform/command-line/values.ts';
import { CHANNELS } from '../channels/channel.ts';
import type { Contacts } from '../outbox.ts';
import { renderStaffMessage } from '../render-staff.ts';
import { resendMessage } from '../resend.ts';
import type { MessagesSettings } from '../settings.ts';
import { showTemplates } from '../show-templates.ts';
import { listedMessages } from '../staff-store.ts';
import { STATUSES } from '../store.ts';
import { TEMPLATES, type TemplateName } from '../templates.ts';

const NAMES = Object.keys(TEMPLATES) as TemplateName[];
/** A placeholder: commands do not know the creditor. */
export const EXAMPLE_CREDITOR = {
  name: 'Credora Exemplo Ltda.',
  cnpj: '11.222.333/0001-81',
  address: 'Rua das Flores, 100, São Paulo, SP',
  email: 'ola@credora.example',
};

const COLUMNS: Columns<ReturnType<typeof renderStaffMessage>> = {
  ID: 'id',
  CUSTOMER: 'customer_id',
  TEMPLATE: ({ template, step }) => (step === null ? template : `${template} ${step}`),
  STATUS: 'status',
  CHANNEL: 'channel',
  REASON: 'reason',
  ATTEMPTS: 'attempts',
  AT: instant('updated_at'),
};

export const messageList = (contacts: Contacts): Command =>
  listingCommand({
    name: 'message list',
    summary: 'show what customers were told',
    filters: {
      customerId: {
        option: 'customer',
        value: 'ID',
        help: 'to one customer: id or phone',
        async read(text, { db }) {
          const id = await contacts.findId(db, readCustomer(text));
          const found = id === undefined ? undefined : await contacts.find(db, id);
          if (!found) throw new CommandFault("There is no such customer. See 'semana customer list'.");
          return found.customerId;
        },
      },
      status: choice('STATUS', STATUSES),
      channel: choice('CHANNEL', CHANNELS),
      template: choice('NAME', NAMES, "of this name: 'semana message templates' lists them"),
    },
    examples: ['semana message list --customer +5511987650001', 'semana message list --status failed'],
    listing: listedMessages,
    render: (rows, { vault }) => rows.map((row) => renderStaffMessage(vault, row)),
    columns: COLUMNS,
  });

export const messageFailures: Command = listingCommand({
  name: 'message failures',
  summary: 'show messages to customers that could not be sent',
  details: "REASON is what the gateway said: twilio_21211 is Twilio's error 21211.",
  listing: (days) => listedMessages({ ...days, status: 'failed' }),
  render: (rows, { vault }) => rows.map((row) => renderStaffMessage(vault, row)),
  columns: COLUMNS,
  none: 'None: every message was sent, or is still being tried.',
});

export const messageResend = changingCommand({
  name: 'message resend',
  summary: 'say something to a customer again',
  positionals: [{ name: 'ID', help: "of the message: 'semana message list' shows it" }],
  details:
    'As a message of its own, with what is true as it is sent; if nothing is, it is withdrawn. Codes and offers cannot be sent again.',
  examples: ['semana message resend msg_01kfx3v9e2r4s6t8w0y2a4c6e8'],
  work: ({ db, id, change }) => db.transaction((tx) => resendMessage(tx, id, change)),
  none: (id) => `There is no message ${id} to a customer.`,
  done: (again) => `It is sent again, as ${again}.`,
});

export const messageTemplates = (settings: () => MessagesSettings): Command =>
  readingCommand({
    name: 'message templates',
    summary: 'show the texts of messages',
    options: { name: { value: 'NAME', help: 'one of them, with its example as every channel shows it' } },
    examples: ['semana message templates --name reminder'],
    async read(_, args) {
      const walletPage = (page: string) => settings().walletLink.replace('{page}', page);
      const all = showTemplates({ creditor: EXAMPLE_CREDITOR, walletPage });
      const name = args.option('name');
      if (name === undefined) {
        const text = tableOf(
          all,
          { NAME: 'name', TITLE: 'title', TO: 'to', LEGAL: ({ legal }) => (legal ? 'yes' : 'no') },
          '',
        );
        return { records: all, text };
      }
      const one = all.find((template) => template.name === name);
      if (!one) throw new UsageFault(`There are these templates: ${NAMES.join(', ')}.`);
      const texts = CHANNELS.flatMap((channel) =>
        one[channel] === null ? [] : [`${channel}:\n${one[channel]}`],
      );
      return { records: [one], text: [`${one.name}: ${one.subject}`, ...texts].join('\n\n') };
    },
  });

import { Type } from 'typebox';
import { centsToReais } from '#core/values/money.ts';
import { addCustomerNames } from '#customers';
import { listEndpoint } from '#platform/http/list.ts';
import { customerNameField } from '#platform/http/masking.ts';
import { project } from '#platform/http/project.ts';
import { Id, TextOrNull, Timestamp } from '#platform/http/schemas.ts';
import { computeAuthorisationStatus } from '../autopay/render-autopay.ts';
import { describeRejection } from '../debits.ts';
import type { Pix } from '../pix.ts';
import { AmountInReais } from '../schemas.ts';
import { AUTHORISATION_STATUSES, type AuthorisationRow } from '../store/authorisations.ts';
import type { DebitListRow } from '../store/lists.ts';
import { authorisationList, DEBIT_STATUSES, debitList } from '../store/lists.ts';

const CheckoutHash = Type.String({ examples: ['3kTMd9vR2xYb7LqWn0PzAh'] });
const TimestampOrNull = (description: string) => TextOrNull({ format: 'date-time', description });
const DayField = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-11-22'] });

const StaffAutopay = Type.Object(
  {
    id: Id('aut'),
    customer_id: Id('cus'),
    ...customerNameField,
    checkout_hash: CheckoutHash,
    status: Type.Enum([...AUTHORISATION_STATUSES]),
    first: Type.Boolean({ description: 'Whether its code also paid the first installment.' }),
    largest: AmountInReais('The largest debit that it must allow, in reais.'),
    starts_on: DayField('The first due day.'),
    ends_on: DayField('The last day of the authorisation.'),
    created_at: Timestamp(),
    activated_at: TimestampOrNull('When the payer authorised it.'),
    ended_at: TimestampOrNull('When it ended.'),
    ended_by: TextOrNull({ description: 'customer, payer, bank or service.' }),
    reason: TextOrNull({
      description:
        'Why it ended: a code of the Pix network, or `nothing_owed`, `replaced` by a newer authorisation, `over` (its last day has passed), `asked` ' +
        '(the customer ended it), or `erased` (the customer was erased).',
    }),
  },
  { $id: 'StaffAutopay' },
);

const StaffDebit = Type.Object(
  {
    id: Id('pix', { description: 'The id of its charge.' }),
    customer_id: Id('cus'),
    ...customerNameField,
    autopay_id: Id('aut'),
    checkout_hash: CheckoutHash,
    installment_id: Id('ins'),
    status: Type.Enum([...DEBIT_STATUSES], {
      description:
        '`withdrawn`: before its day the installment was paid or changed, or the authorisation ended.',
    }),
    value: AmountInReais('The amount of the debit, in reais.'),
    due_on: DayField('The due day of the installment.'),
    attempt_on: DayField('The day of the planned attempt, or else of the last one.'),
    tries: Type.Integer({ description: 'The number of days on which the bank attempted it.' }),
    reason: TextOrNull({ description: 'Why the bank refused the last attempt, as a text in Portuguese.' }),
  },
  { $id: 'StaffDebit' },
);

const renderStaffAutopay = (authorisation: AuthorisationRow, now: Date) => ({
  ...project(StaffAutopay, authorisation),
  status: computeAuthorisationStatus(authorisation, now),
  first: authorisation.first_charge_id !== null,
  // The least limit that the payer may set is the amount of the largest debit.
  largest: centsToReais(authorisation.least_cents),
});

const renderStaffDebit = (debit: DebitListRow) => ({
  ...project(StaffDebit, debit),
  reason: debit.reason === null ? null : describeRejection(debit.reason),
});

export const getAdminAutopay = (pix: Pix) =>
  listEndpoint('GET /admin/autopay', pix, authorisationList, {
    id: 'listAutopay',
    summary: 'List debit authorisations',
    cli: { columns: 'id, customer_id, checkout_hash, status, ended_by, created_at' },
    page: 'A page of authorisations.',
    item: StaffAutopay,
    render: (rows, { now }) =>
      addCustomerNames(
        pix.db,
        rows.map((row) => renderStaffAutopay(row, now)),
      ),
  });

export const getAdminAutopayDebits = (pix: Pix) =>
  listEndpoint('GET /admin/autopay/debits', pix, debitList, {
    id: 'listDebits',
    summary: 'List autopay debits',
    description: 'Ordered by the due day of the installment.',
    cli: { columns: 'id, customer_id, installment_id, status, value, tries, due_on, reason' },
    page: 'A page of debits.',
    item: StaffDebit,
    sum: 'The amount of the debits',
    render: (rows) => addCustomerNames(pix.db, rows.map(renderStaffDebit)),
  });

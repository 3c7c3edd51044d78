import { addCustomerNames } from '#customers';
import { listEndpoint } from '#platform/http/list.ts';
import { StaffAutopay, StaffDebit } from '../autopay/schemas.ts';
import type { Pix } from '../pix.ts';
import { renderStaffAutopay, renderStaffDebit } from '../staff/render-staff.ts';
import { authorisationList, debitList } from '../store/lists.ts';

export const getAdminAutopay = (pix: Pix) =>
  listEndpoint('GET /admin/autopay', pix, authorisationList, {
    id: 'listAutopay',
    summary: 'List debit authorisations',
    cli: {
      columns: {
        ID: 'id',
        CUSTOMER: 'customer_id',
        PURCHASE: 'checkout_hash',
        STATUS: 'status',
        'ENDED BY': 'ended_by',
        REQUESTED: 'created_at',
      },
    },
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
    cli: {
      columns: {
        ID: 'id',
        CUSTOMER: 'customer_id',
        INSTALLMENT: 'installment_id',
        STATUS: 'status',
        REAIS: 'value',
        ATTEMPTS: 'tries',
        DUE: 'due_on',
        REASON: 'reason',
      },
    },
    page: 'A page of debits.',
    item: StaffDebit,
    sum: 'The amount of the debits',
    render: (rows) => addCustomerNames(pix.db, rows.map(renderStaffDebit)),
  });

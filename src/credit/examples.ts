/** R$ 100.00 in three installments, the first three days late: fine 33.34 × 2 %, interest 33.34 × 3 × 1 % / 30. */
export const exampleAmounts = {
  financed: 100,
  paid: 0,
  returned: 0,
  outstanding: 100,
  penalties: 0.69,
  total_due: 100.69,
};

export const exampleItem = {
  hash: '3kTz9QmVb7LxWc2RfYp8Hd',
  status: 'overdue',
  merchant: {
    slug: 'farmacia-sao-jocundo',
    name: 'Farmácia São Jocundo',
    logo_url: 'https://api.semana.example/media/logos/farmacia-sao-jocundo.svg',
  },
  description: 'Óculos de leitura',
  purchased_at: '2026-10-21T14:30:00.000Z',
  amounts: exampleAmounts,
  installments_total: 3,
  installments_paid: 0,
  next_due_on: '2026-10-28',
  returned_at: null,
};

export const exampleOptions = [
  { type: 'settle_with_penalty', value: 34.03 },
  { type: 'settle_partial', min: 1, max: 34.03 },
  { type: 'extend', value: 2.36, due_on: '2026-11-07' },
];

const exampleInstallment = {
  id: 'ins_01kfx3c8gq5v0m7d2h9ynwztb4',
  number: 1,
  due_on: '2026-10-28',
  effective_due_on: '2026-10-28',
  status: 'overdue',
  amount: 33.34,
  paid: 0,
  discount: 0,
  returned: 0,
  outstanding: 33.34,
  penalty: { fine: 0.66, interest: 0.03, total: 0.69, days_late: 3 },
  charges_paid: { fine: 0, interest: 0, extension_fee: 0 },
  charges_waived: { fine: 0, interest: 0 },
  total_due: 34.03,
  paid_at: null,
  extensions: 0,
  cashback_if_on_time: 0,
  pix_options: exampleOptions,
  autopay: null,
};

export const exampleTerms = {
  weekly_rate_percent: 0,
  fine_percent: 2,
  late_interest_percent: 1,
  extension_fee_percent: 5,
  extension_days: 7,
  extension_limit: 2,
  cashback_percent: 2.5,
  cet_percent_month: 0,
  cet_percent_year: 0,
};

export const exampleCheckout = {
  ...exampleItem,
  autopay: null,
  terms: { ...exampleTerms, contract_sha256: null },
  installments: [exampleInstallment],
};

export const exampleCost = {
  customer_id: 'cus_01kfx3c8gq5v0m7d2h9ynwztb4',
  written_off_at: null,
  cost: { financed: 100, interest: 0, total: 100 },
};

/** The customer is Carla of the demo data, who owes nothing, so the example works in the sandbox. */
export const exampleOrder = {
  customer: '+5511987650003',
  merchant: 'farmacia-sao-jocundo',
  amount: 100,
  installments: 3,
  description: 'Óculos de leitura',
  dry_run: true,
};

export const exampleReturnOrder = { amount: 33.34, reason: 'Lente riscada' };

export const exampleReturn = {
  id: 'ret_01kfx3c8gq5v0m7d2h9ynwztb4',
  ...exampleReturnOrder,
  returned_at: '2026-10-31T15:00:00.000Z',
  refunds: [],
  cashback: 0,
  by: null,
};

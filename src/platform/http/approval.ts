import { type Static, Type } from 'typebox';
import type { Cents } from '#core/money.ts';
import { Id, NullableObject, Reais, TextOrNull, Timestamp } from './schemas.ts';

export const APPROVAL_KINDS = [
  'orphan_refund',
  'write_off',
  'cashback_adjustment',
  'payout',
  'limit',
  'payout_account',
  'credit_policy',
  'payment_move',
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

export const APPROVAL_STATUSES = ['waiting', 'approved', 'refused', 'failed', 'expired'] as const;

/** What an act is about. `amount` null: it waits whatever the amount. */
export type Stake = { readonly amount: Cents | null; readonly subject: string };

/** An endpoint's act that waits for a second person if its amount is too high. No stake: it does not wait. */
export type ApprovalRule<R> = {
  readonly kind: ApprovalKind;
  stake(request: R): Promise<Stake | undefined>;
};

const PERSON = { id: Type.String(), name: Type.String() };

export const APPROVAL_EXAMPLE = {
  id: 'apr_01kfx3v9e2r4s6t8w0y2a4c6e8',
  kind: 'write_off',
  amount: 1250.5,
  status: 'waiting',
  subject: '7Hq2mX9bKtR4vLc1PzW8sD',
  reason: 'Acordo com a cliente',
  asked_by: { id: 'stf_01kfx3c8gq5v0m7d2h9ynwztb4', name: 'Marina Duarte' },
  asked_at: '2026-11-15T12:00:00.000Z',
  decided_by: null,
  decided_at: null,
  outcome: null,
};

export const Approval = Type.Object(
  {
    id: Id('apr'),
    kind: Type.Enum([...APPROVAL_KINDS]),
    amount: Type.Union([Reais('What goes out or is given up'), Type.Null()], {
      description: 'In reais; null where no amount tells how much is at stake.',
    }),
    status: Type.Enum([...APPROVAL_STATUSES], {
      description: '`failed`: it was approved, and could not be done any more.',
    }),
    subject: Type.String({ description: 'What it is about: an id, a hash or a slug.' }),
    reason: TextOrNull({ description: 'Why it was asked for.' }),
    asked_by: Type.Object(PERSON),
    asked_at: Timestamp(),
    decided_by: NullableObject(PERSON),
    decided_at: Type.Union([Timestamp(), Type.Null()]),
    outcome: TextOrNull({ description: 'Why it was refused, or why it could not be done.' }),
  },
  { $id: 'Approval', examples: [APPROVAL_EXAMPLE] },
);

export type ShownApproval = Static<typeof Approval>;

/** The answer of every act with a rule, where it waits. */
export const HELD = {
  202: {
    description: 'It waits for a second person.',
    schema: Type.Object({ approval: Approval }),
  },
} as const;

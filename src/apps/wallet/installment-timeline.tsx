import type { components } from '#client';
import { type Day, daysBetween, saoPauloDay } from '#core/values/day.ts';
import { describeDueDay, formatOnWeekday, formatReais, formatShortDay } from '../text/format.ts';
import { Status } from '../ui/components.tsx';
import { Check } from '../ui/icons.tsx';

export type Checkout = components['schemas']['Checkout'];
export type CheckoutItem = components['schemas']['CheckoutItem'];
export type Installment = components['schemas']['Installment'];

const STATUS_TEXTS = {
  open: { text: 'Em dia', tone: 'open' },
  overdue: { text: 'Atrasada', tone: 'late' },
  paid: { text: 'Paga', tone: 'paid' },
} as const;

export const StatusBadge = ({ status }: { status: keyof typeof STATUS_TEXTS }) => (
  <Status {...STATUS_TEXTS[status]} />
);

export const ReturnedBadge = () => <Status text="Devolvida" tone="paid" />;

/** Returns the unpaid installment with the earliest due day. An extended one may be due after later numbers. */
export const findNextInstallment = (installments: Installment[]): Installment | undefined =>
  installments
    .filter(({ status }) => status !== 'paid')
    .toSorted((a, b) => a.due_on.localeCompare(b.due_on))[0];

/** Returns the PIX option that settles the installment today: with the penalty if overdue, with the discount if early. */
export function findSettleOption({
  status,
  pix_options,
}: Installment): { type: string; value: number } | undefined {
  const type = status === 'overdue' ? 'settle_with_penalty' : 'settle';
  return pix_options.find((option) => option.type === type) as { type: string; value: number } | undefined;
}

export const isFullyReturned = ({ amount, returned }: Installment) => returned >= amount;

/** Autopay requests a debit at least this many days before the due day. */
const MIN_DEBIT_LEAD_DAYS = 2;

type Debit = Pick<NonNullable<Installment['autopay']>, 'status' | 'on' | 'value' | 'reason'>;

/** Returns the requested debit of an unpaid installment, or else the debit that active autopay will request. */
export function findDebit(
  { autopay }: Pick<Checkout, 'autopay'>,
  installment: Installment,
  now: Date,
): Debit | undefined {
  const { status, due_on, effective_due_on, outstanding } = installment;
  if (status === 'paid') return undefined;
  if (installment.autopay) return installment.autopay;
  const daysLeft = daysBetween(saoPauloDay(now.getTime()), due_on as Day);
  return autopay?.status === 'active' && status === 'open' && daysLeft >= MIN_DEBIT_LEAD_DAYS
    ? { status: 'scheduled', on: effective_due_on, value: outstanding, reason: null }
    : undefined;
}

/** Describes a debit in full sentences. Returns undefined for the statuses that the customer need not know. */
export function describeDebit(debit: Debit | undefined): string | undefined {
  switch (debit?.status) {
    case 'scheduled':
      return `Será debitada ${formatOnWeekday(debit.on)}; só pague por código se quiser antecipar.`;
    case 'trying':
      return `O banco não debitou a parcela. ${debit.reason} Ele tenta de novo ${formatOnWeekday(debit.on)}, por ${formatReais(debit.value)}.`;
    case 'failed':
      return `O banco não debitou a parcela. ${debit.reason} Não tenta mais: pague por código.`;
    default:
      return undefined;
  }
}

function summarizeDebit({ status, autopay }: Installment): string | undefined {
  if (!autopay || status === 'paid') return undefined;
  const debitDay = formatShortDay(autopay.on);
  if (autopay.status === 'scheduled') return `será debitada ${debitDay}`;
  if (autopay.status === 'trying')
    return `${lowercaseFirst(autopay.reason)} O banco tenta de novo ${debitDay}`;
  return autopay.status === 'failed'
    ? `não foi debitada: ${lowercaseFirst(autopay.reason)} Pague por código`
    : undefined;
}

export const lowercaseFirst = (text: string | null) => (text ? text[0]!.toLowerCase() + text.slice(1) : '');

export function Timeline({ checkout, now }: { checkout: Checkout; now: Date }) {
  const { hash, installments } = checkout;
  const nextNumber = findNextInstallment(installments)?.number;
  return (
    <ol class="weeks timeline">
      {installments.map((installment) => {
        const { number, status, due_on, total_due, paid, extensions } = installment;
        const isPaid = status === 'paid';
        const tone = isPaid ? 'done' : status === 'overdue' ? 'late' : number === nextNumber ? 'now' : '';
        return (
          <li key={number} class={tone}>
            <span class="dot">{isPaid && <Check />}</span>
            <span>
              <a class="cover" href={`/carteira/compras/${hash}/${number}`}>
                {number}ª parcela
              </a>
              <small>
                {isPaid
                  ? isFullyReturned(installment)
                    ? 'Devolvida'
                    : 'Paga'
                  : formatShortDay(due_on) +
                    (tone && ` · ${describeDueDay(due_on, now)}`) +
                    (extensions > 0 ? ' · prorrogada' : '')}
              </small>
              {summarizeDebit(installment) && <small>{summarizeDebit(installment)}</small>}
            </span>
            <span class="amount">{formatReais(isPaid ? paid : total_due)}</span>
          </li>
        );
      })}
    </ol>
  );
}

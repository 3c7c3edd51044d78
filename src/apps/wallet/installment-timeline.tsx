import type { components } from '#client';
import { type Day, daysBetween, saoPauloDay } from '#core/values/day.ts';
import type { PersonalVisit } from '../server/visit.ts';
import { describeDueDay, formatOnWeekday, formatReais, formatShortDay } from '../text/format.ts';
import { Status } from '../ui/components.tsx';
import { Check } from '../ui/icons.tsx';

export type Checkout = components['schemas']['Checkout'];
export type CheckoutItem = components['schemas']['CheckoutItem'];
export type Installment = components['schemas']['Installment'];

export const PURCHASE_ROUTE = '/carteira/compras/:hash';
export const INSTALLMENT_ROUTE = `${PURCHASE_ROUTE}/:number`;
export const buildPurchasePath = (hash: string) => `/carteira/compras/${hash}`;
export const buildInstallmentPath = (hash: string, number: number) => `${buildPurchasePath(hash)}/${number}`;

/** Reads the purchase and the installment of an INSTALLMENT_ROUTE. `installment` is undefined if there is none with this number. */
export async function readInstallment({ api, params }: Pick<PersonalVisit, 'api' | 'params'>) {
  const checkout = await api.getCheckout({ path: { hash: params.hash! } });
  const installment = checkout.installments.find(({ number }) => String(number) === params.number);
  return { checkout, installment };
}

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

type PixOption = Installment['pix_options'][number];

export const findPixOption = <T extends PixOption['type']>({ pix_options }: Installment, type: T) =>
  pix_options.find((option) => option.type === type) as Extract<PixOption, { type: T }> | undefined;

/** Builds the fields of a form that creates a PIX charge, which fails if the amount shown on the page has changed. */
export const buildPixFormValues = ({ type, value }: { type: PixOption['type']; value: number }) => ({
  type,
  shown: value,
});

/** Returns the PIX option that settles the installment today: with the penalty if overdue, with the discount if early. */
export const findSettleOption = (installment: Installment) =>
  findPixOption(installment, installment.status === 'overdue' ? 'settle_with_penalty' : 'settle');

/** Returns the amount that settles the installment today, also while it cannot be paid by PIX. */
export const getSettleAmount = (installment: Installment) =>
  findSettleOption(installment)?.value ?? installment.total_due;

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
        const debitText = summarizeDebit(installment);
        const className = isPaid
          ? 'done'
          : status === 'overdue'
            ? 'late'
            : number === nextNumber
              ? 'now'
              : '';
        const dueDay = formatShortDay(due_on);
        // Later installments show only their due day.
        const dueText = className ? `${dueDay} · ${describeDueDay(due_on, now)}` : dueDay;
        const openText = extensions > 0 ? `${dueText} · prorrogada` : dueText;
        const paidText = isFullyReturned(installment) ? 'Devolvida' : 'Paga';
        return (
          <li key={number} class={className}>
            <span class="dot">{isPaid && <Check />}</span>
            <span>
              <a class="cover" href={buildInstallmentPath(hash, number)}>
                {number}ª parcela
              </a>
              <small>{isPaid ? paidText : openText}</small>
              {debitText && <small>{debitText}</small>}
            </span>
            <span class="amount">{formatReais(isPaid ? paid : total_due)}</span>
          </li>
        );
      })}
    </ol>
  );
}

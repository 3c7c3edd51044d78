import type { components } from '#client';
import { dueWords, inReais, shortDay } from '../text/format.ts';
import { Check } from '../ui/icons.tsx';

export type Checkout = components['schemas']['Checkout'];
export type CheckoutItem = components['schemas']['CheckoutItem'];
export type Installment = components['schemas']['Installment'];

export const STATUS = {
  open: { text: 'Em dia', tone: 'open' },
  overdue: { text: 'Atrasada', tone: 'late' },
  paid: { text: 'Paga', tone: 'paid' },
} as const;

export const Status = ({ status }: { status: keyof typeof STATUS }) => (
  <span class={`status ${STATUS[status].tone}`}>{STATUS[status].text}</span>
);

/** The unpaid installment that falls due first; an extended one may fall due after later numbers. */
export const nextOf = (installments: Installment[]): Installment | undefined =>
  installments
    .filter(({ status }) => status !== 'paid')
    .toSorted((a, b) => a.due_on.localeCompare(b.due_on))[0];

/** The PIX option that settles the installment now: with the penalty if overdue, with the discount if early. */
export function settling({ status, pix_options }: Installment): { type: string; value: number } | undefined {
  const kind = status === 'overdue' ? 'settle_with_penalty' : 'settle';
  return pix_options.find((option) => option.type === kind) as { type: string; value: number } | undefined;
}

export const isReturned = ({ amount, returned }: Installment) => returned >= amount;

/** What an installment says of its debit; undefined: nothing. */
function debitWords({ status, autopay }: Installment): string | undefined {
  if (!autopay || status === 'paid') return undefined;
  const on = shortDay(autopay.on);
  if (autopay.status === 'scheduled') return `será debitada ${on}`;
  if (autopay.status === 'trying') return `${lower(autopay.reason)} O banco tenta de novo ${on}`;
  return autopay.status === 'failed'
    ? `não foi debitada: ${lower(autopay.reason)} Pague por código`
    : undefined;
}

const lower = (text: string | null) => (text ? text[0]!.toLowerCase() + text.slice(1) : '');

/** The installments of a purchase, each a link. */
export function Timeline({ checkout, now }: { checkout: Checkout; now: Date }) {
  const { hash, installments } = checkout;
  const next = nextOf(installments)?.number;
  return (
    <ol class="weeks timeline">
      {installments.map((installment) => {
        const { number, status, due_on, total_due, paid, extensions } = installment;
        const isPaid = status === 'paid';
        const tone = isPaid ? 'done' : status === 'overdue' ? 'late' : number === next ? 'now' : '';
        return (
          <li key={number} class={tone}>
            <span class="dot">{isPaid && <Check />}</span>
            <span>
              <a class="cover" href={`/carteira/compras/${hash}/${number}`}>
                {number}ª parcela
              </a>
              <small>
                {isPaid
                  ? isReturned(installment)
                    ? 'Devolvida'
                    : 'Paga'
                  : shortDay(due_on) +
                    (tone && ` · ${dueWords(due_on, now)}`) +
                    (extensions > 0 ? ' · prorrogada' : '')}
              </small>
              {debitWords(installment) && <small>{debitWords(installment)}</small>}
            </span>
            <span class="amount">{inReais(isPaid ? paid : total_due)}</span>
          </li>
        );
      })}
    </ol>
  );
}

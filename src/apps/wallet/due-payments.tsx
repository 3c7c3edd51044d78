import type { Client, Output } from '#client';
import { addDays, type Day, saoPauloDay } from '#core/values/day.ts';
import { describeDueDay, inReais, plural } from '../text/format.ts';
import { describeDebit, findDebit, findSettleOption, type Installment } from './installment-timeline.tsx';

const DAYS_AHEAD = 7;
const MAX_PURCHASES = 10;

export type DueInstallment = { hash: string; merchant: string; installment: Installment; debitText?: string };
export type DuePayments = {
  /** Ordered by due day. */
  due: DueInstallment[];
  morePurchases: number;
  hasOverdue: boolean;
  hasUnpaid: boolean;
};

/** Finds installments that are overdue or due within seven days. `firstPage` is the first page of purchases, which often has all of them. */
export async function findDuePayments(api: Client, now: Date, firstPage: Output<'listCheckouts'>) {
  const lastDay = addDays(saoPauloDay(now.getTime()), DAYS_AHEAD);
  const unpaid = await listUnpaid(api, firstPage);
  const dueSoon = unpaid
    .filter(({ status, next_due_on }) => next_due_on !== null && isDueBy(status, next_due_on, lastDay))
    .toSorted((a, b) => a.next_due_on!.localeCompare(b.next_due_on!));
  const purchases = await Promise.all(
    dueSoon.slice(0, MAX_PURCHASES).map(({ hash }) => api.getCheckout({ path: { hash } })),
  );
  const due = purchases
    .flatMap((checkout) =>
      checkout.installments.map((installment) => {
        const debitText = describeDebit(findDebit(checkout, installment, now));
        const { hash, merchant } = checkout;
        return { hash, merchant: merchant.name, installment, ...(debitText && { debitText }) };
      }),
    )
    .filter(({ installment: { status, due_on } }) => isDueBy(status, due_on, lastDay))
    .toSorted((a, b) => a.installment.due_on.localeCompare(b.installment.due_on));
  return {
    due,
    morePurchases: Math.max(0, dueSoon.length - MAX_PURCHASES),
    hasOverdue: unpaid.some(({ status }) => status === 'overdue'),
    hasUnpaid: unpaid.length > 0,
  };
}

/** The API decides what is overdue, not the date of this server. */
const isDueBy = (status: Installment['status'], dueOn: string, lastDay: Day) =>
  status === 'overdue' || (status === 'open' && dueOn <= lastDay);

async function listUnpaid(api: Client, { data, pagination }: Output<'listCheckouts'>) {
  if (pagination.pages <= 1) return data.filter(({ status }) => status !== 'paid');
  const lists = await Promise.all(
    (['overdue', 'open'] as const).map((status) => api.listCheckouts({ query: { status, limit: 100 } })),
  );
  return lists.flatMap((list) => list.data);
}

const GROUPS = [
  { name: 'overdue', title: 'Em atraso' },
  { name: 'today', title: 'Vence hoje' },
  { name: 'week', title: 'Esta semana' },
] as const;

function chooseGroup({ status, due_on, effective_due_on }: Installment, today: Day) {
  if (status === 'overdue') return 'overdue';
  return due_on === today || effective_due_on === today ? 'today' : 'week';
}

export function DuePaymentsSection({ duePayments, now }: { duePayments: DuePayments; now: Date }) {
  const { due, morePurchases, hasUnpaid } = duePayments;
  if (!hasUnpaid) return null;
  const today = saoPauloDay(now.getTime());
  const groups = Object.groupBy(due, ({ installment }) => chooseGroup(installment, today));
  return (
    <section class="to-pay" aria-labelledby="a-pagar">
      <h2 class="small-title" id="a-pagar">
        A pagar
      </h2>
      {due.length === 0 && <p class="panel">Nada a pagar nos próximos {DAYS_AHEAD} dias.</p>}
      {GROUPS.map(({ name, title }) => {
        const list = groups[name];
        return (
          list && (
            <div key={name} class={name === 'overdue' ? 'panel due care' : 'panel due'}>
              <h3>{title}</h3>
              <ul>
                {list.map((item) => (
                  <DueRow key={item.installment.id} {...item} now={now} />
                ))}
              </ul>
              {name === 'overdue' && (
                <p class="hint">
                  Dá para pagar tudo, pagar uma parte ou prorrogar: os preços estão em cada parcela.
                </p>
              )}
            </div>
          )
        );
      })}
      <p>
        <a href="/carteira/calendario">Ver o calendário das parcelas</a>
      </p>
      {morePurchases > 0 && (
        <p>
          E {morePurchases > 1 ? 'mais' : 'mais uma:'}{' '}
          <a href="/carteira?situacao=abertas">{plural(morePurchases, 'compra', 'compras')}</a>.
        </p>
      )}
    </section>
  );
}

function DueRow({ hash, merchant, installment, debitText, now }: DueInstallment & { now: Date }) {
  const { number, due_on, penalty } = installment;
  const value = inReais(findSettleOption(installment)?.value ?? installment.total_due);
  return (
    <li>
      <span>
        <b>{merchant}</b>
        <small>
          {number}ª parcela · {describeDueDay(due_on, now)}
          {penalty.total > 0 && ` · com ${inReais(penalty.total)} de multa e juros`}
        </small>
        {debitText && <small>{debitText}</small>}
      </span>
      <a
        class="button small"
        href={`/carteira/compras/${hash}/${number}`}
        aria-label={`Pagar ${value}: ${number}ª parcela, ${merchant}`}
      >
        Pagar {value}
      </a>
    </li>
  );
}

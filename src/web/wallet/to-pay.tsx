import type { Client, Output } from '#client';
import { addDays, type Day, saoPauloDay } from '#core/day.ts';
import { dueWords, inReais, plural } from '../text/format.ts';
import { type Installment, settling } from './parts.tsx';

const DAYS_AHEAD = 7;
/** At most this many purchases are read in full. */
const MOST_PURCHASES = 10;

export type DueInstallment = { hash: string; merchant: string; installment: Installment };
export type ToPay = {
  /** By due day. */
  due: DueInstallment[];
  /** Further purchases with something to pay. */
  more: number;
  isLate: boolean;
  hasUnpaid: boolean;
};

/** Installments that are late or due within the next seven days. `first`: the first page of purchases, often all of them. */
export async function findToPay(api: Client, now: Date, first: Output<'listCheckouts'>): Promise<ToPay> {
  const until = addDays(saoPauloDay(now.getTime()), DAYS_AHEAD);
  const unpaid = await unpaidOf(api, first);
  const soon = unpaid
    .filter(({ status, next_due_on }) => next_due_on !== null && isSoon(status, next_due_on, until))
    .toSorted((a, b) => a.next_due_on!.localeCompare(b.next_due_on!));
  const read = await Promise.all(
    soon.slice(0, MOST_PURCHASES).map(({ hash }) => api.getCheckout({ path: { hash } })),
  );
  const due = read
    .flatMap(({ hash, merchant, installments }) =>
      installments.map((installment) => ({ hash, merchant: merchant.name, installment })),
    )
    .filter(({ installment: { status, due_on } }) => isSoon(status, due_on, until))
    .toSorted((a, b) => a.installment.due_on.localeCompare(b.installment.due_on));
  return {
    due,
    more: Math.max(0, soon.length - MOST_PURCHASES),
    isLate: unpaid.some(({ status }) => status === 'overdue'),
    hasUnpaid: unpaid.length > 0,
  };
}

/** The service decides what is late; the local date does not matter. */
const isSoon = (status: Installment['status'], dueOn: string, until: Day) =>
  status === 'overdue' || (status === 'open' && dueOn <= until);

async function unpaidOf(api: Client, { data, pagination }: Output<'listCheckouts'>) {
  if (pagination.pages <= 1) return data.filter(({ status }) => status !== 'paid');
  const lists = await Promise.all(
    (['overdue', 'open'] as const).map((status) => api.listCheckouts({ query: { status, limit: 100 } })),
  );
  return lists.flatMap((list) => list.data);
}

const GROUPS = [
  { name: 'late', title: 'Em atraso' },
  { name: 'today', title: 'Vence hoje' },
  { name: 'week', title: 'Esta semana' },
] as const;

function groupOf({ status, due_on, effective_due_on }: Installment, today: Day) {
  if (status === 'overdue') return 'late';
  return due_on === today || effective_due_on === today ? 'today' : 'week';
}

/** Payments due, by due day, each with its amount and a button. */
export function ToPaySection({ toPay, now }: { toPay: ToPay; now: Date }) {
  const { due, more, hasUnpaid } = toPay;
  if (!hasUnpaid) return null;
  const today = saoPauloDay(now.getTime());
  const groups = Object.groupBy(due, ({ installment }) => groupOf(installment, today));
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
            <div key={name} class={name === 'late' ? 'panel due care' : 'panel due'}>
              <h3>{title}</h3>
              <ul>
                {list.map((item) => (
                  <DueRow key={item.installment.id} {...item} now={now} />
                ))}
              </ul>
              {name === 'late' && (
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
      {more > 0 && (
        <p>
          E {more > 1 ? 'mais' : 'mais uma:'}{' '}
          <a href="/carteira?situacao=abertas">{plural(more, 'compra', 'compras')}</a>.
        </p>
      )}
    </section>
  );
}

function DueRow({ hash, merchant, installment, now }: DueInstallment & { now: Date }) {
  const { number, due_on, penalty } = installment;
  const value = inReais(settling(installment)?.value ?? installment.total_due);
  return (
    <li>
      <span>
        <b>{merchant}</b>
        <small>
          {number}ª parcela · {dueWords(due_on, now)}
          {penalty.total > 0 && ` · com ${inReais(penalty.total)} de multa e juros`}
        </small>
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

import type { Output } from '#client';
import { type Day, saoPauloDay } from '#core/values/day.ts';
import { describeDueDay, formatReais, pluralize } from '../text/format.ts';
import {
  buildInstallmentPath,
  describeDebit,
  findDebit,
  getSettleAmount,
  type Installment,
} from './installment-timeline.tsx';

type DuePayments = Output<'getHome'>['due'];

const GROUPS = [
  { name: 'overdue', title: 'Em atraso' },
  { name: 'today', title: 'Vence hoje' },
  { name: 'week', title: 'Esta semana' },
] as const;

function chooseGroup({ status, due_on, effective_due_on }: Installment, today: Day) {
  if (status === 'overdue') return 'overdue';
  // A due day that is not a business day moves to the next one. The installment can be paid on both days without a fine.
  return due_on === today || effective_due_on === today ? 'today' : 'week';
}

export function DuePaymentsSection({ due, now }: { due: DuePayments; now: Date }) {
  const { data, more_checkouts, unpaid_checkouts } = due;
  if (unpaid_checkouts === 0) return null;
  const today = saoPauloDay(now.getTime());
  const groups = Object.groupBy(data, ({ installment }) => chooseGroup(installment, today));
  return (
    <section class="to-pay" aria-labelledby="a-pagar">
      <h2 class="small-title" id="a-pagar">
        A pagar
      </h2>
      {data.length === 0 && <p class="panel">Nada a pagar nos próximos 7 dias.</p>}
      {GROUPS.map(({ name, title }) => {
        const groupItems = groups[name];
        return (
          groupItems && (
            <div key={name} class={name === 'overdue' ? 'panel due care' : 'panel due'}>
              <h3>{title}</h3>
              <ul>
                {groupItems.map((item) => (
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
      {more_checkouts > 0 && (
        <p>
          E {more_checkouts > 1 ? 'mais' : 'mais uma:'}{' '}
          <a href="/carteira?situacao=abertas">{pluralize(more_checkouts, 'compra', 'compras')}</a>.
        </p>
      )}
    </section>
  );
}

function DueRow({ now, ...duePayment }: DuePayments['data'][number] & { now: Date }) {
  const { checkout_hash, merchant, installment } = duePayment;
  const { number, due_on, penalty } = installment;
  const debitText = describeDebit(findDebit(duePayment, installment, now));
  const value = formatReais(getSettleAmount(installment));
  return (
    <li>
      <span>
        <b>{merchant}</b>
        <small>
          {number}ª parcela · {describeDueDay(due_on, now)}
          {penalty.total > 0 && ` · com ${formatReais(penalty.total)} de multa e juros`}
        </small>
        {debitText && <small>{debitText}</small>}
      </span>
      <a
        class="button small"
        href={buildInstallmentPath(checkout_hash, number)}
        aria-label={`Pagar ${value}: ${number}ª parcela, ${merchant}`}
      >
        Pagar {value}
      </a>
    </li>
  );
}

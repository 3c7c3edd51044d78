import type { Output } from '#client';
import { type Day, saoPauloDay } from '#core/day.ts';
import { inReais, plural, shortDay, weekdayOf } from '../text/format.ts';
import { BarChart } from '../ui/chart.tsx';
import { Line, Panel } from '../ui/parts.tsx';
import { HOME, TillPage } from './layout.tsx';
import type { MakeTillPage } from './visit.ts';

export const MONEY = `${HOME}/dinheiro`;
export const STATEMENT = `${MONEY}/extrato`;
export const PAYOUTS = `${MONEY}/repasses`;
export const ACCOUNT = `${MONEY}/conta`;

type Next = Output<'getMerchantSummary'>['next_payout'];

/** na quinta, 19 de nov */
function when(dueOn: string, today: Day): string {
  if (dueOn <= today) return 'a caminho';
  return `na ${weekdayOf(dueOn).replace('-feira', '')}, ${shortDay(dueOn).split(', ')[1]}`;
}

export const moneyPage: MakeTillPage = async (visit) => {
  const { api } = visit;
  const today = saoPauloDay(visit.now.getTime());
  const [{ next_payout, sold, sales, returned }, { data: days }] = await Promise.all([
    api.getMerchantSummary({ query: { on: today } }),
    api.listSalesByDay({ query: { to: today } }),
  ]);
  const total = days.reduce((sum, day) => sum + Math.round(day.sold * 100), 0) / 100;
  const bars = days.map(({ day, sold: value }) => ({
    label: shortDay(day),
    short: shortDay(day).split(', ')[1]!.replace(' de ', ' '),
    values: [value],
  }));
  return (
    <TillPage title="Dinheiro" visit={visit} tab="dinheiro" wrap="till wide-till">
      <NextPayout next={next_payout} today={today} />
      <dl class="figures">
        <Line name={`Hoje, ${plural(sales, 'venda', 'vendas')}`} value={inReais(sold)} />
        <Line name="Devolvido hoje" value={inReais(returned)} />
        <Line name="Em 30 dias" value={inReais(total)} />
      </dl>
      <Panel id="por-dia" title="Vendas por dia">
        <BarChart
          title={`Nos últimos ${days.length} dias`}
          series={['Vendido']}
          bars={bars}
          width={360}
          isFolded
        />
      </Panel>
      <ul class="lines after-lines">
        <To href={STATEMENT} name="Extrato" text="Cada venda, tarifa, devolução e repasse" />
        <To href={PAYOUTS} name="Repasses" text="O que a loja recebeu, linha por linha" />
        <To href={ACCOUNT} name="Conta da loja" text="A chave PIX em que a loja recebe" />
      </ul>
    </TillPage>
  );
};

const To = ({ href, name, text }: { href: string; name: string; text: string }) => (
  <li>
    <span class="what">
      <a class="cover" href={href}>
        <b>{name}</b>
      </a>
      <small>{text}</small>
    </span>
    <span class="at" aria-hidden="true">
      ›
    </span>
  </li>
);

export const NextPayout = ({ next, today }: { next: Next; today: Day }) => (
  <div class="panel deep-panel">
    {next ? (
      <>
        <p class="glance-name">Você recebe</p>
        <p class="glance-figure">{inReais(next.amount)}</p>
        <p class="glance-foot">{when(next.due_on, today)}</p>
      </>
    ) : (
      <>
        <p class="glance-name">Próximo repasse</p>
        <p class="glance-figure">{inReais(0)}</p>
        <p class="glance-foot">Nada a receber por enquanto. Cada venda entra aqui.</p>
      </>
    )}
  </div>
);

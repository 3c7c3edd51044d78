import type { Output } from '#client';
import { addDays, type Day, parseDay, saoPauloDay } from '#core/day.ts';
import { inReais, shortDay, shortTime } from '../text/format.ts';
import { Submit } from '../ui/buttons.tsx';
import { Receipt } from '../ui/icons.tsx';
import { Empty, PageHead, Pagination } from '../ui/parts.tsx';
import { HOME, TillPage } from './layout.tsx';
import { MONEY, NextPayout, PAYOUTS, STATEMENT } from './money.tsx';
import type { MakeTillPage, TillVisit } from './visit.ts';

type StatementLine = Output<'getMerchantStatement'>['data'][number];
type Payout = Output<'listOwnPayouts'>['data'][number];

const USUAL_DAYS = 30;
const LIMIT = 50;
const CRUMBS = [{ href: MONEY, text: 'Dinheiro' }];

const KINDS: Record<StatementLine['kind'], string> = {
  sale: 'Venda',
  fee: 'Tarifa',
  return: 'Devolução',
  return_fee: 'Tarifa devolvida',
  payout: 'Repasse',
  payout_failed: 'Repasse que o banco devolveu',
};

function periodOf({ query, now }: TillVisit): { from: Day; to: Day } {
  const today = saoPauloDay(now.getTime());
  const to = parseDay(query('ate')) ?? today;
  const from = parseDay(query('de')) ?? addDays(to, 1 - USUAL_DAYS);
  return from <= to ? { from, to } : { from: to, to: from };
}

const What = ({ line }: { line: Pick<StatementLine, 'kind' | 'checkout_hash' | 'of_payout'> }) => {
  const { kind, checkout_hash, of_payout } = line;
  const href = checkout_hash
    ? `${HOME}/vendas/${checkout_hash}`
    : of_payout
      ? `${PAYOUTS}/${of_payout}`
      : undefined;
  return href ? <a href={href}>{KINDS[kind]}</a> : <span>{KINDS[kind]}</span>;
};

export const statementPage: MakeTillPage = async (visit) => {
  const { from, to } = periodOf(visit);
  const { data, pagination } = await visit.api.getMerchantStatement({
    query: { from, to, limit: LIMIT, page: visit.page() },
  });
  const days = Map.groupBy(data, ({ occurred_at }) => saoPauloDay(Date.parse(occurred_at)));
  const period = `de=${from}&ate=${to}`;
  return (
    <TillPage title="Extrato" visit={visit} tab="dinheiro" crumbs={CRUMBS} wrap="till wide-till">
      <form class="pick-day" action={STATEMENT} method="get">
        <div class="field">
          <label for="de">De</label>
          <input id="de" name="de" type="date" value={from} />
        </div>
        <div class="field">
          <label for="ate">Até</label>
          <input id="ate" name="ate" type="date" value={to} />
        </div>
        <Submit quiet>Ver</Submit>
        <a class="button quiet" href={`${STATEMENT}.csv?${period}`} download>
          Baixar CSV
        </a>
      </form>
      {data.length === 0 ? (
        <div class="after-lines">
          <Empty icon={<Receipt />} title="Nada nestes dias" />
        </div>
      ) : (
        <div class="panel after-lines">
          <table class="ledger">
            <caption class="sr">Extrato por dia, o mais novo primeiro</caption>
            <thead>
              <tr>
                <th scope="col">O quê</th>
                <th scope="col">Valor</th>
                <th scope="col">A receber</th>
              </tr>
            </thead>
            {[...days].map(([day, lines]) => (
              <tbody key={day}>
                <tr class="ledger-day">
                  <th colSpan={3} scope="rowgroup">
                    {shortDay(day)}
                  </th>
                </tr>
                {lines.map((line) => (
                  <tr key={line.id}>
                    <th scope="row">
                      <What line={line} />
                    </th>
                    <td class={line.amount > 0 ? 'plus' : ''}>{inReais(line.amount)}</td>
                    <td>{inReais(line.balance_after)}</td>
                  </tr>
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
      <Pagination {...pagination} href={(page) => `${STATEMENT}?${period}&pagina=${page}`} />
    </TillPage>
  );
};

/** For a spreadsheet, as the service writes it. */
export const statementFile: MakeTillPage = async (visit) => {
  const { from, to } = periodOf(visit);
  const { data } = await visit.api.call('getMerchantStatement', {
    query: { from, to },
    headers: { accept: 'text/csv' },
  });
  return {
    type: 'text/csv; charset=utf-8',
    body: Buffer.from(data as unknown as Uint8Array),
    headers: { 'content-disposition': `attachment; filename="extrato-${from}-${to}.csv"` },
  };
};

const STATES: Record<Payout['status'], { text: string; tone: string }> = {
  pending: { text: 'A caminho', tone: 'wait' },
  paid: { text: 'Pago', tone: 'open' },
  failed: { text: 'O banco devolveu', tone: 'late' },
};

export const payoutsPage: MakeTillPage = async (visit) => {
  const today = saoPauloDay(visit.now.getTime());
  const [{ data: payouts, pagination }, { next_payout }] = await Promise.all([
    visit.api.listOwnPayouts({ query: { limit: LIMIT, page: visit.page() } }),
    visit.api.getMerchantSummary(),
  ]);
  return (
    <TillPage title="Repasses" visit={visit} tab="dinheiro" crumbs={CRUMBS} wrap="till wide-till">
      <NextPayout next={next_payout} today={today} />
      {payouts.length === 0 ? (
        <p class="hint after-lines">Ainda não houve repasse. O primeiro vem depois das primeiras vendas.</p>
      ) : (
        <ul class="lines after-lines">
          {payouts.map(({ id, amount, status, due_on, reference }) => (
            <li key={id}>
              <span class="what">
                <a class="cover" href={`${PAYOUTS}/${id}`}>
                  <b>{shortDay(due_on)}</b>
                </a>
                <small>{reference ?? ''}</small>
              </span>
              <span class="much">
                <b>{inReais(amount)}</b>
                <small>{STATES[status].text}</small>
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pagination {...pagination} href={(page) => `${PAYOUTS}?pagina=${page}`} />
    </TillPage>
  );
};

export const payoutPage: MakeTillPage = async (visit) => {
  const payout = await visit.api.getOwnPayout({
    path: { id: visit.params.id! },
    query: { limit: LIMIT, page: visit.page() },
  });
  const { id, amount, status, due_on, paid_at, reference, reason, lines, pagination } = payout;
  const state = STATES[status];
  return (
    <TillPage
      title="Repasse"
      visit={visit}
      tab="dinheiro"
      head={
        <PageHead title={inReais(amount)} crumbs={[...CRUMBS, { href: PAYOUTS, text: 'Repasses' }]}>
          <p>
            <span class={`status ${state.tone}`}>{state.text}</span>
          </p>
          <p class="muted">
            {paid_at ? `Pago em ${shortTime(paid_at)}` : `Para ${shortDay(due_on)}`}
            {reference && `, ${reference}`}
            {reason && `. Motivo: ${reason}. O valor volta no próximo repasse.`}
          </p>
        </PageHead>
      }
      wrap="till wide-till"
    >
      <div class="panel">
        <table class="ledger">
          <caption class="sr">O que este repasse paga</caption>
          <thead>
            <tr>
              <th scope="col">O quê</th>
              <th scope="col">Quando</th>
              <th scope="col">Valor</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id}>
                <th scope="row">
                  <What line={line} />
                </th>
                <td>{shortTime(line.occurred_at)}</td>
                <td class={line.amount > 0 ? 'plus' : ''}>{inReais(line.amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Pagination {...pagination} href={(page) => `${PAYOUTS}/${id}?pagina=${page}`} />
    </TillPage>
  );
};

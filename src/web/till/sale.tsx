import type { Output } from '#client';
import { inReais, longDate, plural, shortDay, shortTime } from '../text/format.ts';
import { QuietLink, StackLink } from '../ui/buttons.tsx';
import { Crumbs, Line, PageHead } from '../ui/parts.tsx';
import { HOME, TillPage } from './layout.tsx';
import { SPOKEN } from './offer.tsx';
import { stateOf } from './sales.tsx';
import { type MakeTillPage, mayReturn } from './visit.ts';

const SALES = `${HOME}/vendas`;
const CRUMBS = [{ href: SALES, text: 'Vendas' }];

type Sale = Output<'getSale'>;

/** What can still be returned of it. */
export const leftOf = ({ amounts }: Sale) => (amounts.financed * 100 - amounts.returned * 100) / 100;

export const salePage: MakeTillPage = async (visit) => {
  const sale = await visit.api.getSale({ path: { hash: visit.params.hash! } });
  const { hash, amounts, customer, purchased_at, description, installments, by } = sale;
  const state = stateOf(sale);
  const base = `${SALES}/${hash}`;
  return (
    <TillPage
      title="Venda"
      visit={visit}
      tab="vendas"
      head={
        <PageHead title={inReais(amounts.financed)} crumbs={CRUMBS}>
          <p>
            <span class={`status ${state.tone}`}>{state.text}</span>
          </p>
        </PageHead>
      }
    >
      <section class="panel" aria-label="A venda">
        <dl class="totals">
          <Line name="Cliente" value={customer.name} />
          <Line name="Quando" value={shortTime(purchased_at)} />
          {description && <Line name="O quê" value={description} />}
          {by && <Line name="Quem vendeu" value={by.name} />}
          <Line name="Código da compra" value={<b>{hash.slice(0, SPOKEN)}</b>} />
          {amounts.returned > 0 && <Line name="Devolvido" value={inReais(amounts.returned)} />}
        </dl>
        <div class="stack">
          {mayReturn(visit) && leftOf(sale) > 0 && <StackLink to={`${base}/devolver`}>Devolver</StackLink>}
          <StackLink to={`${base}/comprovante`}>Comprovante</StackLink>
        </div>
      </section>
      <h2 class="small-title">O que o cliente paga</h2>
      <ol class="lines">
        {installments.map(({ number, due_on, status, total_due, paid, returned, amount }) => (
          <li key={number}>
            <span class="at">{number}ª</span>
            <span class="what">
              {shortDay(due_on)}
              <small>
                {returned >= amount ? 'devolvida' : INSTALLMENTS[status]}
                {returned > 0 && returned < amount && `, ${inReais(returned)} devolvidos`}
              </small>
            </span>
            <span class="much">
              <b>{inReais(status === 'paid' ? paid : total_due)}</b>
            </span>
          </li>
        ))}
      </ol>
      <p class="hint">O cliente paga à Semana; a loja recebe da Semana.</p>
    </TillPage>
  );
};

const INSTALLMENTS = { open: 'em aberto', overdue: 'em atraso', paid: 'paga' } as const;

/** For paper of 58 mm and of A4: the styles are at the end of till.css. */
export const slipPage: MakeTillPage = async (visit) => {
  const sale = await visit.api.getSale({ path: { hash: visit.params.hash! } });
  const { hash, amounts, customer, purchased_at, description, installments, by, terms } = sale;
  const { name } = visit.me.merchant;
  return (
    <TillPage
      title="Comprovante"
      visit={visit}
      tab="vendas"
      head={<Crumbs class="screen-only" crumbs={[...CRUMBS, { href: `${SALES}/${hash}`, text: 'Venda' }]} />}
    >
      <article class="slip">
        <h1>{name}</h1>
        <p>Venda em parcelas semanais, com a Semana</p>
        <dl>
          <Line name="Data" value={`${longDate(purchased_at)}, ${shortTime(purchased_at).split(', ')[1]}`} />
          <Line name="Cliente" value={customer.name} />
          {description && <Line name="Compra" value={description} />}
          {by && <Line name="Atendimento" value={by.name.split(' ')[0]} />}
          <Line name="Código" value={hash.slice(0, SPOKEN)} />
        </dl>
        <p class="slip-total">
          <span>Total</span> <b>{inReais(amounts.financed)}</b>
        </p>
        {amounts.returned > 0 && (
          <p class="slip-total">
            <span>Devolvido</span> <b>{inReais(amounts.returned)}</b>
          </p>
        )}
        <table>
          <caption>{plural(installments.length, 'parcela', 'parcelas')}, no PIX</caption>
          <tbody>
            {installments.map(({ number, due_on, amount, returned }) => (
              <tr key={number}>
                <th scope="row">{number}ª</th>
                <td>{shortDay(due_on)}</td>
                <td>{inReais(Math.max(0, (amount * 100 - returned * 100) / 100))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p>
          Em atraso: multa de {terms.fine_percent}% e juros de {terms.late_interest_percent}% ao mês. As
          condições e o PIX de cada parcela estão na carteira do cliente, em {visit.siteUrl.split('//')[1]}.
        </p>
      </article>
      <p class="actions screen-only">
        <button class="button" type="button" data-print hidden>
          Imprimir
        </button>
        <QuietLink to={HOME}>Próxima venda</QuietLink>
      </p>
      <noscript>
        <p class="hint screen-only">Para imprimir, use o menu do navegador.</p>
      </noscript>
    </TillPage>
  );
};

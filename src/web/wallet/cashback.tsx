import type { components } from '#client';
import type { MakePersonalPage } from '../server/visit.ts';
import { inReais, longDay, plural, shortDay, shortTime } from '../text/format.ts';
import { QuietLink } from '../ui/buttons.tsx';
import { Coin } from '../ui/icons.tsx';
import { Empty, Line, Pagination, Panel } from '../ui/parts.tsx';
import { WalletPage } from './layout.tsx';

const KINDS: Record<components['schemas']['CashbackEntry']['kind'], string> = {
  earned: 'Parcela paga em dia',
  referral: 'Convite',
  redeemed: 'Usado em uma parcela',
  expired: 'Vencido',
  reversed: 'Cancelado',
  adjusted: 'Ajuste',
};
const SHOWN_ENDS = 6;
const address = (page: number) => (page > 1 ? `/carteira/cashback?pagina=${page}` : '/carteira/cashback');

const Ends = ({ ends }: { ends: components['schemas']['CashbackBalance']['expiring'] }) => (
  <dl class="totals">
    {ends.map(({ amount, expires_on }) => (
      <Line key={expires_on} name={`até ${longDay(expires_on)}`} value={inReais(amount)} />
    ))}
  </dl>
);

export const cashbackPage: MakePersonalPage = async (visit) => {
  const { api, page: wanted } = visit;
  const page = wanted();
  const [balance, ledger] = await Promise.all([
    api.getCashbackBalance(),
    api.listCashbackEntries({ query: { page, limit: 20 } }),
  ]);
  if (page > 1 && ledger.data.length === 0) return { to: address(ledger.pagination.pages) };
  const { available, pending, expiring, lifetime_earned } = balance;
  return (
    <WalletPage
      title="Cashback"
      visit={visit}
      tab="cashback"
      lead="Você ganha pagando em dia e convidando amigos, e usa para abater parcelas."
    >
      <div class="columns">
        <section class="panel deep-panel" aria-label="Saldo">
          <p class="glance-name">Disponível agora</p>
          <p class="glance-figure">{inReais(available)}</p>
          <p class="glance-foot">
            {pending > 0 && `+ ${inReais(pending)} se pagar em dia as parcelas em aberto · `}
            {inReais(lifetime_earned)} recebidos até hoje
          </p>
          {available < 0 && (
            <p class="glance-foot">
              Parte do cashback que você já usou foi cancelada. O próximo que você ganhar cobre a diferença;
              nada será cobrado. Até lá, não é possível fazer novas compras.
            </p>
          )}
        </section>
        <Panel id="vence" title="Validade do cashback">
          {expiring.length > 0 ? (
            <>
              <Ends ends={expiring.slice(0, SHOWN_ENDS)} />
              {expiring.length > SHOWN_ENDS && (
                <details class="more-ends">
                  <summary>Ver {plural(expiring.length - SHOWN_ENDS, 'outra data', 'outras datas')}</summary>
                  <Ends ends={expiring.slice(SHOWN_ENDS)} />
                </details>
              )}
            </>
          ) : (
            <p class="muted">Nenhum cashback a vencer.</p>
          )}
          <p class="hint">O que vence primeiro é usado primeiro. Para usar, escolha uma parcela em Início.</p>
        </Panel>
      </div>
      <h2 class="small-title">Extrato</h2>
      {ledger.data.length > 0 ? (
        <ul class="rows ledger">
          {ledger.data.map(
            ({ id, kind, amount, balance_after, description, checkout_hash, occurred_at, expires_on }) => (
              <li key={id} class="card row">
                <div class="row-text">
                  <h3 class="card-title">
                    {checkout_hash ? (
                      <a class="cover" href={`/carteira/compras/${checkout_hash}`}>
                        {description || KINDS[kind]}
                      </a>
                    ) : (
                      description || KINDS[kind]
                    )}
                  </h3>
                  <p class="muted">
                    {shortTime(occurred_at)}
                    {expires_on && ` · vale até ${shortDay(expires_on)}`}
                  </p>
                </div>
                <p class="row-amount">
                  <span class={amount > 0 ? 'amount plus' : 'amount'}>
                    {amount > 0 ? '+' : '−'} {inReais(Math.abs(amount))}
                  </span>
                  <small>saldo {inReais(balance_after)}</small>
                </p>
              </li>
            ),
          )}
        </ul>
      ) : (
        <Empty icon={<Coin />} title="Seu primeiro cashback vem com a primeira parcela paga em dia.">
          <p class="actions">
            <QuietLink to="/carteira">Ver compras</QuietLink>
          </p>
        </Empty>
      )}
      <Pagination page={page} pages={ledger.pagination.pages} href={address} />
    </WalletPage>
  );
};

import { inReais, plural, showPhone } from '../text/format.ts';
import { MerchantCard } from '../ui/parts.tsx';
import { ActLinks } from './act.tsx';
import { day, moment, money, named, person, share, state, text } from './columns.tsx';
import { PAYOUT, PURCHASE, YES_NO } from './lists/names.ts';
import * as acts from './merchant-acts.tsx';
import { When } from './parts.tsx';
import { RecordLayout } from './record.tsx';
import type { StaffSchemas } from './staff/client.ts';
import { Facts, Section, TableSection } from './tables.tsx';
import { logo } from './uploads.tsx';
import type { MakeOfficePage } from './visit.ts';

/** The card as the site shows it, and the way to the page. */
function OnSite(props: {
  merchant: StaffSchemas['StaffMerchant'];
  category: { slug: string; name: string };
  siteUrl: string | null;
}) {
  const { merchant, category, siteUrl } = props;
  const { slug, name, city, state, logo_url, plan, description, listed } = merchant;
  const card = { slug, name, city, state, logo_url, category, cashback_percent: plan.cashback_percent };
  return (
    <Section
      title="Como o site mostra"
      more={siteUrl && listed ? { href: `${siteUrl}/lojas/${slug}`, text: 'Página no site' } : undefined}
    >
      {!listed && <p class="note warn">Fora do site: ninguém a vê, e ela não vende.</p>}
      <ul class="grid office-card">
        <MerchantCard merchant={card} level={3} {...(siteUrl && { siteUrl })} />
      </ul>
      <p class="office-text">{description ?? <span class="muted">Sem descrição.</span>}</p>
    </Section>
  );
}

export const merchantPage: MakeOfficePage = async (visit) => {
  const { api, params } = visit;
  const path = { slug: params.slug! };
  const query = { merchant: path.slug, limit: 10 };
  const [merchant, held, members, sales, lost, payouts, categories] = await Promise.all([
    api.getMerchantForStaff({ path }),
    api.getPayoutAccount({ path }),
    api.listMerchantMembers({ path, query: { limit: 50 } }),
    api.listCheckoutsOfAll({ query }),
    api.listCheckoutsOfAll({ query: { merchant: path.slug, written_off: 'true', limit: 1 } }),
    api.listPayouts({ query }),
    api.listCategoryForStaff({ query: { limit: 100 } }),
  ]);
  const { plan } = merchant;
  const category = categories.data.find(({ slug }) => slug === merchant.category);
  const losses = plural(lost.pagination.total, 'compra baixada', 'compras baixadas');
  const sold = { href: `/compras?merchant=${path.slug}`, text: 'Todas' };
  return (
    <RecordLayout
      title="Loja"
      heading={merchant.name}
      visit={visit}
      acts={[acts.edit, acts.plan, acts.listing, logo, acts.account]}
    >
      {held.change && (
        <p class="note warn" role="status">
          Troca de conta para {held.change.pix_key}, {held.change.holder_name}, que conta em{' '}
          <When at={held.change.counts_at} />. <ActLinks visit={visit} acts={[acts.stopChange]} />
        </p>
      )}
      <Facts
        of={merchant}
        are={[
          text('Endereço', 'slug'),
          ['Categoria', category?.name ?? merchant.category],
          ['Cidade', [merchant.city, merchant.state].filter(Boolean).join(', ') || 'nenhuma'],
          state('No site', 'listed', YES_NO),
          share('Juros por semana', 'plan.weekly_rate_percent'),
          ['Semanas, no máximo', plan.max_installments],
          money('De', 'plan.min_amount'),
          money('Até', 'plan.max_amount'),
          share('Taxa da loja', 'plan.merchant_fee_percent'),
          share('Cashback', 'plan.cashback_percent'),
          ['Repasse em', plural(plan.payout_days, 'dia útil', 'dias úteis')],
          ['Conta', held.pix_key ? `${held.pix_key}, ${held.holder_name}` : 'falta'],
          ['Perdas', `${losses}, de ${inReais(lost.totals?.amount ?? 0)}`, `${sold.href}&written_off=true`],
        ]}
      />
      <OnSite
        merchant={merchant}
        category={category ?? { slug: merchant.category, name: merchant.category }}
        siteUrl={visit.publicSite}
      />
      <TableSection
        title="Pessoas da loja"
        caption="Pessoas"
        rows={members.data}
        columns={[
          text('Nome', 'name'),
          named('Papel', 'role', acts.MEMBER_ROLE),
          { title: 'Celular', show: ({ phone }) => showPhone(phone) },
          money('Até', 'max_amount', 'sem limite'),
          { title: 'Devolve', show: ({ may_return }) => (may_return ? 'Sim' : 'Não') },
          {
            title: 'Ação',
            show: ({ id }) => (
              <ActLinks visit={{ ...visit, params: { ...params, id } }} acts={[acts.removeMember]} />
            ),
          },
        ]}
      >
        <div class="actions office-bulk">
          <ActLinks visit={visit} acts={[acts.addMember]} />
        </div>
      </TableSection>
      <TableSection
        title="Vendas"
        more={sold}
        rows={sales.data}
        open={({ hash }) => `/compras/${hash}`}
        columns={[
          person('Cliente', 'customer_name'),
          state('Situação', 'status', PURCHASE),
          money('Financiado', 'amounts.financed'),
          money('Em aberto', 'amounts.outstanding'),
          moment('Comprada', 'purchased_at'),
        ]}
      />
      <TableSection
        title="Repasses"
        more={{ href: `/repasses?merchant=${path.slug}`, text: 'Todos' }}
        rows={payouts.data}
        open={({ id }) => `/repasses/${id}`}
        columns={[day('Para o dia', 'due_on'), state('Situação', 'status', PAYOUT), money('Valor', 'amount')]}
      />
    </RecordLayout>
  );
};

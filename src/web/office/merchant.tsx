import { inReais, percent, plural, showPhone } from '../ui/format.ts';
import { MerchantCard } from '../ui/parts.tsx';
import { ActLinks } from './act.tsx';
import { OfficeLayout } from './layout.tsx';
import { PAYOUT, PURCHASE, YES_NO } from './lists/names.ts';
import {
  account,
  addMember,
  plan as changePlan,
  edit,
  listing,
  MEMBER_ROLE,
  removeMember,
  stopChange,
} from './merchant-acts.tsx';
import { day, Facts, Money, maskedName, moment, money, Section, Status, Table, When } from './parts.tsx';
import type { StaffSchemas } from './staff/client.ts';
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
  return {
    body: (
      <OfficeLayout
        title="Loja"
        heading={merchant.name}
        visit={visit}
        crumbs={[{ href: '/lojas', text: 'Lojas' }]}
        actions={<ActLinks visit={visit} acts={[edit, changePlan, listing, logo, account]} />}
      >
        {held.change && (
          <p class="note warn" role="status">
            Troca de conta para {held.change.pix_key}, {held.change.holder_name}, que conta em{' '}
            <When at={held.change.counts_at} />. <ActLinks visit={visit} acts={[stopChange]} />
          </p>
        )}
        <Facts
          of={[
            ['Endereço', merchant.slug],
            ['Categoria', category?.name ?? merchant.category],
            ['Cidade', [merchant.city, merchant.state].filter(Boolean).join(', ') || 'nenhuma'],
            ['No site', <Status key="s" of={String(merchant.listed)} names={YES_NO} />],
            ['Juros por semana', percent(plan.weekly_rate_percent)],
            ['Semanas, no máximo', plan.max_installments],
            ['De', <Money key="a" of={plan.min_amount} />],
            ['Até', <Money key="b" of={plan.max_amount} />],
            ['Taxa da loja', percent(plan.merchant_fee_percent)],
            ['Cashback', percent(plan.cashback_percent)],
            ['Repasse em', plural(plan.payout_days, 'dia útil', 'dias úteis')],
            ['Conta', held.pix_key ? `${held.pix_key}, ${held.holder_name}` : 'falta'],
            [
              'Perdas',
              <a key="p" href={`/compras?merchant=${path.slug}&written_off=true`}>
                {plural(lost.pagination.total, 'compra baixada', 'compras baixadas')}, de{' '}
                {inReais(lost.totals?.amount ?? 0)}
              </a>,
            ],
          ]}
        />
        <OnSite
          merchant={merchant}
          category={category ?? { slug: merchant.category, name: merchant.category }}
          siteUrl={visit.publicSite}
        />
        <Section title="Pessoas da loja">
          <Table
            caption="Pessoas"
            rows={members.data}
            columns={[
              { title: 'Nome', show: ({ name }) => name },
              { title: 'Papel', show: ({ role }) => MEMBER_ROLE[role] },
              { title: 'Celular', show: ({ phone }) => showPhone(phone) },
              {
                title: 'Até',
                isNumber: true,
                show: ({ max_amount }) => (max_amount === null ? 'sem limite' : <Money of={max_amount} />),
              },
              { title: 'Devolve', show: ({ may_return }) => (may_return ? 'Sim' : 'Não') },
              {
                title: 'Ação',
                show: ({ id }) => (
                  <ActLinks visit={{ ...visit, params: { ...params, id } }} acts={[removeMember]} />
                ),
              },
            ]}
          />
          <div class="actions office-bulk">
            <ActLinks visit={visit} acts={[addMember]} />
          </div>
        </Section>
        <Section title="Vendas" more={{ href: `/compras?merchant=${path.slug}`, text: 'Todas' }}>
          <Table
            caption="Vendas"
            rows={sales.data}
            open={({ hash }) => `/compras/${hash}`}
            columns={[
              { title: 'Cliente', show: ({ customer_name }) => maskedName(customer_name) },
              { title: 'Situação', show: ({ status }) => <Status of={status} names={PURCHASE} /> },
              { title: 'Financiado', isNumber: true, show: ({ amounts }) => <Money of={amounts.financed} /> },
              {
                title: 'Em aberto',
                isNumber: true,
                show: ({ amounts }) => <Money of={amounts.outstanding} />,
              },
              moment('Comprada', 'purchased_at'),
            ]}
          />
        </Section>
        <Section title="Repasses" more={{ href: `/repasses?merchant=${path.slug}`, text: 'Todos' }}>
          <Table
            caption="Repasses"
            rows={payouts.data}
            open={({ id }) => `/repasses/${id}`}
            columns={[
              day('Para o dia', 'due_on'),
              { title: 'Situação', show: ({ status }) => <Status of={status} names={PAYOUT} /> },
              money('Valor', 'amount'),
            ]}
          />
        </Section>
      </OfficeLayout>
    ),
  };
};

import type { StaffSchemas } from '#staff-client';
import { formatPhone, inReais, plural } from '../text/format.ts';
import { MEMBER_ROLE_LABELS } from '../text/labels.ts';
import { MerchantCard } from '../ui/components.tsx';
import { ActLinks } from './act.tsx';
import { findPendingApproval, PendingApproval } from './approval.tsx';
import { field, Timestamp } from './columns.tsx';
import { YES_NO_LABELS } from './labels.ts';
import { RecordLayout } from './layout.tsx';
import { payouts as payoutList } from './lists/money.tsx';
import { purchases as purchaseList } from './lists/purchases.tsx';
import * as acts from './merchant-acts.tsx';
import { Facts, Section, TableSection } from './tables.tsx';
import { setMerchantLogo } from './uploads.tsx';
import type { OfficePageHandler } from './visit.ts';

/** The merchant's card as the site renders it, with a link to its page on the site. */
function SitePreview(props: {
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
      moreLink={siteUrl && listed ? { href: `${siteUrl}/lojas/${slug}`, text: 'Página no site' } : undefined}
    >
      {!listed && <p class="note warn">Fora do site: ninguém a vê, e ela não vende.</p>}
      <ul class="grid office-card">
        <MerchantCard merchant={card} level={3} {...(siteUrl && { siteUrl })} />
      </ul>
      <p class="office-text">{description ?? <span class="muted">Sem descrição.</span>}</p>
    </Section>
  );
}

export const merchantPage: OfficePageHandler = async (visit) => {
  const { api, params } = visit;
  const path = { slug: params.slug! };
  const query = { merchant: path.slug, limit: 10 };
  const [merchant, account, members, sales, writtenOff, payouts, categories, approval] = await Promise.all([
    api.getMerchantForStaff({ path }),
    api.getPayoutAccount({ path }),
    api.listMerchantMembers({ path, query: { limit: 50 } }),
    api.listCheckoutsOfAll({ query }),
    api.listCheckoutsOfAll({ query: { merchant: path.slug, written_off: 'true', limit: 1 } }),
    api.listPayouts({ query }),
    api.listCategoryForStaff({ query: { limit: 100 } }),
    findPendingApproval(visit, 'merchant', path.slug),
  ]);
  const { plan } = merchant;
  const category = categories.data.find(({ slug }) => slug === merchant.category);
  const lossesText = plural(writtenOff.pagination.total, 'compra baixada', 'compras baixadas');
  return (
    <RecordLayout
      title="Loja"
      heading={merchant.name}
      visit={visit}
      acts={[
        acts.editMerchant,
        acts.changePlan,
        acts.changeListing,
        setMerchantLogo,
        acts.changePayoutAccount,
      ]}
    >
      <PendingApproval approval={approval} />
      {account.change && (
        <p class="note warn" role="status">
          Troca de conta para {account.change.pix_key}, {account.change.holder_name}, que conta em{' '}
          <Timestamp instant={account.change.counts_at} />.{' '}
          <ActLinks visit={visit} acts={[acts.cancelAccountChange]} />
        </p>
      )}
      <Facts
        record={merchant}
        rows={[
          'slug',
          ['Categoria', category?.name ?? merchant.category],
          ['Cidade', [merchant.city, merchant.state].filter(Boolean).join(', ') || 'nenhuma'],
          field('listed', 'No site', { labels: YES_NO_LABELS }),
          field('plan.weekly_rate_percent', 'Juros por semana'),
          ['Semanas, no máximo', plan.max_installments],
          field('plan.min_amount', 'De'),
          field('plan.max_amount', 'Até'),
          field('plan.merchant_fee_percent', 'Taxa da loja'),
          field('plan.cashback_percent', 'Cashback'),
          ['Repasse em', plural(plan.payout_days, 'dia útil', 'dias úteis')],
          ['Conta', account.pix_key ? `${account.pix_key}, ${account.holder_name}` : 'falta'],
          [
            'Perdas',
            `${lossesText}, de ${inReais(writtenOff.totals?.amount ?? 0)}`,
            `/compras?merchant=${path.slug}&written_off=true`,
          ],
        ]}
      />
      <SitePreview
        merchant={merchant}
        category={category ?? { slug: merchant.category, name: merchant.category }}
        siteUrl={visit.publicSiteUrl}
      />
      <TableSection
        title="Pessoas da loja"
        caption="Pessoas"
        rows={members.data}
        columns={[
          'name',
          field('role', 'Papel', { labels: MEMBER_ROLE_LABELS }),
          { title: 'Celular', render: ({ phone }) => formatPhone(phone) },
          field('max_amount', 'Até', { emptyText: 'sem limite' }),
          { title: 'Devolve', render: ({ may_return }) => (may_return ? 'Sim' : 'Não') },
          {
            title: 'Ação',
            render: ({ id }) => (
              <ActLinks visit={{ ...visit, params: { ...params, id } }} acts={[acts.removeMember]} />
            ),
          },
        ]}
      >
        <div class="actions office-bulk">
          <ActLinks visit={visit} acts={[acts.addMember]} />
        </div>
      </TableSection>
      <purchaseList.Section title="Vendas" list={sales} query={query} without={['Loja']} />
      <payoutList.Section list={payouts} query={query} without={['Loja']} />
    </RecordLayout>
  );
};

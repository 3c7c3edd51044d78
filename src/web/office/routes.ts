import { ACCOUNT_FORMS, accountPage } from './account.tsx';
import { type Act, actForm, actPage } from './act.tsx';
import { ADMIN_ACTS, nodesPage, personPage, settingsPage } from './admin.tsx';
import { CATALOG_ACTS, categoryPage, faqPage } from './catalog.tsx';
import { CONTENT_ACTS, leadPage, postPage, returnPage } from './content.tsx';
import { customerPage } from './customer.tsx';
import { CUSTOMER_ACTS } from './customer-acts.tsx';
import { DECISION_ACTS, decisionPage } from './decision.tsx';
import { ENTER_FORMS, ENTER_PAGES } from './enter.tsx';
import { KEY_ACTS, keyPage } from './keys.tsx';
import type { Listed } from './list.tsx';
import { approvals } from './lists/approvals.tsx';
import { autopay } from './lists/autopay.tsx';
import { cashback } from './lists/cashback.tsx';
import { categories } from './lists/categories.tsx';
import { charges } from './lists/charges.tsx';
import { customers } from './lists/customers.tsx';
import { debits } from './lists/debits.tsx';
import { decisions } from './lists/decisions.tsx';
import { discrepancies } from './lists/discrepancies.tsx';
import { faq } from './lists/faq.tsx';
import { jobs } from './lists/jobs.tsx';
import { keys } from './lists/keys.tsx';
import { leads } from './lists/leads.tsx';
import { media } from './lists/media.tsx';
import { merchants } from './lists/merchants.tsx';
import { messages } from './lists/messages.tsx';
import { offers } from './lists/offers.tsx';
import { orphans } from './lists/orphans.tsx';
import { partners } from './lists/partners.tsx';
import { payments } from './lists/payments.tsx';
import { payouts } from './lists/payouts.tsx';
import { people } from './lists/people.tsx';
import { posts } from './lists/posts.tsx';
import { purchases } from './lists/purchases.tsx';
import { refunds } from './lists/refunds.tsx';
import { returns } from './lists/returns.tsx';
import { trail } from './lists/trail.tsx';
import { webhooks } from './lists/webhooks.tsx';
import { merchantPage } from './merchant.tsx';
import { MERCHANT_ACTS } from './merchant-acts.tsx';
import { MONEY_IN_ACTS, orphanPage, paymentPage } from './money-in.tsx';
import { approvalPage, MONEY_OUT_ACTS, payoutPage } from './money-out.tsx';
import { OFFER_ACTS, offerPage } from './offer.tsx';
import type { OfficePages } from './pages.ts';
import { POLICY_ACTS, policyPage } from './policy.tsx';
import { purchasePage } from './purchase.tsx';
import { PURCHASE_ACTS } from './purchase-acts.tsx';
import { REPORTS, reportDownload, reportPage, reportsPage } from './reports.tsx';
import { searchPage, suggestionsPage } from './search.tsx';
import { todayPage } from './today.tsx';
import { UPLOAD_ACTS } from './uploads.tsx';
import type { Download, MakeOfficePage, OfficeForm, OfficeVisit } from './visit.ts';
import { WEBHOOK_ACTS, webhookPage } from './webhooks.tsx';

/** Every list screen. A new one is a file and a line here. */
export const LISTS: readonly Listed[] = [
  ...[customers, purchases, offers, returns, messages],
  ...[payments, charges, autopay, debits, orphans, refunds, discrepancies],
  ...[payouts, cashback, approvals],
  decisions,
  ...[merchants, categories, leads, posts, faq, media],
  ...[people, partners, keys, webhooks, trail, jobs],
];

export const ACTS: readonly Act[] = [
  ...CUSTOMER_ACTS,
  ...PURCHASE_ACTS,
  ...OFFER_ACTS,
  ...MONEY_IN_ACTS,
  ...MONEY_OUT_ACTS,
  ...DECISION_ACTS,
  ...POLICY_ACTS,
  ...MERCHANT_ACTS,
  ...CONTENT_ACTS,
  ...CATALOG_ACTS,
  ...UPLOAD_ACTS,
  ...ADMIN_ACTS,
  ...KEY_ACTS,
  ...WEBHOOK_ACTS,
];

const RECORDS: Record<string, MakeOfficePage> = {
  '/': todayPage,
  '/busca': searchPage,
  '/busca/sugestoes': suggestionsPage,
  '/conta': accountPage,
  '/clientes/:id': customerPage,
  '/compras/:hash': purchasePage,
  '/ofertas/:id': offerPage,
  '/pagamentos/:id': paymentPage,
  '/sem-dono/:id': orphanPage,
  '/repasses/:id': payoutPage,
  '/aprovacoes/:id': approvalPage,
  '/decisoes/:id': decisionPage,
  '/politica': policyPage,
  '/devolucoes/:id': returnPage,
  '/lojas/:slug': merchantPage,
  '/categorias/:slug': categoryPage,
  '/contatos/:id': leadPage,
  '/posts/:slug': postPage,
  // Where posts lead to each other.
  '/blog/:slug': async ({ params }) => ({ to: `/posts/${params.slug}` }),
  '/perguntas/:id': faqPage,
  '/equipe/:id': personPage,
  '/chaves/:id': keyPage,
  '/webhooks/:id': webhookPage,
  '/ajustes': settingsPage,
  '/servidores': nodesPage,
  '/relatorios': reportsPage,
};

const made = (pairs: ReadonlyArray<readonly [string, MakeOfficePage]>): OfficePages =>
  Object.fromEntries(pairs.map(([path, make]) => [path, { make }]));

export const PAGES: OfficePages = {
  ...ENTER_PAGES,
  ...made(Object.entries(RECORDS)),
  ...made(LISTS.flatMap(({ pages }) => Object.entries(pages))),
  ...made(ACTS.map((act) => [act.path, actPage(act)])),
  ...made(REPORTS.map((report) => [report.path, reportPage(report)])),
};

export const FORMS: Readonly<Record<string, OfficeForm>> = {
  ...ENTER_FORMS,
  ...ACCOUNT_FORMS,
  ...Object.assign({}, ...LISTS.map(({ forms }) => forms)),
  ...Object.fromEntries(ACTS.map((act) => [act.path, actForm(act)])),
};

/** All that is held on a customer, for an access request. */
const exportOf = ({ api, params }: OfficeVisit) => api.open('exportCustomer', { path: { id: params.id! } });

const contractOf = ({ api, params }: OfficeVisit) =>
  api.open('getContractOfAnybody', { path: { hash: params.hash! } });

/** What is downloaded: CSV of exactly what a page shows, what is held on a customer, contracts, and pictures. */
export const DOWNLOADS: Readonly<Record<string, Download>> = Object.fromEntries([
  ...LISTS.map(({ path, download }) => [`${path}.csv`, download] as const),
  ...REPORTS.map((report) => [`${report.path}.csv`, reportDownload(report)] as const),
  ['/media/files/:name', ({ api, params }) => api.open('getMediaOfStaff', { path: { name: params.name! } })],
  ['/clientes/:id/dados.json', exportOf] as const,
  ['/compras/:hash/contrato.pdf', contractOf] as const,
]);
